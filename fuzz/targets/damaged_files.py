"""Damaged Parquet, Arrow, CSV, gzip, JSON and SQLite files: a result, or one sentence."""

import gzip
import json
from pathlib import Path
from random import Random

import polars as pl

import seethrough as st
from fuzz.case import Case, Ending
from fuzz.judging import expect_sentence
from fuzz.material.damage import damage
from seethrough.data.schema_files import schema_to_json
from seethrough.errors import SeethroughError

ROWS = 40
PLAN = """
format = 1
name = "tiny"
seed = 5

[data.people]
file = "people.csv"
secret = "ill"

[[games]]
data = "people"
synthesizers = ["indhist"]
attacks = ["dcr"]
rows = 10
sizes = [5]
games = 2
utility_games = 0
"""
SDV = {
    "METADATA_SPEC_VERSION": "SINGLE_TABLE_V1",
    "columns": {
        "age": {"sdtype": "numerical"},
        "job": {"sdtype": "categorical"},
        "name": {"sdtype": "id"},
        "born": {"sdtype": "datetime", "datetime_format": "%Y-%m-%d"},
    },
    "primary_key": "name",
}


def people() -> pl.DataFrame:
    """Give a small table with columns of every kind."""
    rng = Random(7)
    days = pl.date_range(pl.date(1980, 1, 1), pl.date(1980, 1, ROWS - 9), eager=True).to_list()
    return pl.DataFrame(
        {
            "age": [rng.randint(18, 90) for _ in range(ROWS)],
            "weight": [None if rng.random() < 0.1 else rng.gauss(70, 9) for _ in range(ROWS)],
            "job": [rng.choice(("baker", "müller", "judge")) for _ in range(ROWS)],
            "ill": [rng.choice(("no", "yes")) for _ in range(ROWS)],
            "born": [rng.choice(days) for _ in range(ROWS)],
            "name": [f"P{number:03}" for number in range(ROWS)],
            "member": [rng.random() < 0.5 for _ in range(ROWS)],
        }
    )


def prepare(session: Path) -> None:
    """Write a sound file of every kind."""
    frame = people()
    frame.write_csv(session / "people.csv")
    (session / "packed.csv.gz").write_bytes(gzip.compress((session / "people.csv").read_bytes()))
    (session / "semicolon.csv").write_text(frame.write_csv(separator=";", quote_style="always"), encoding="utf-16")
    for form in ("zstd", "snappy", "uncompressed"):
        frame.write_parquet(session / f"{form}.parquet", compression=form)
    frame.with_columns(pl.col("job").cast(pl.Categorical)).write_parquet(session / "levels.parquet", use_pyarrow=True)
    frame.write_ipc(session / "plain.arrow", compression="uncompressed")
    frame.write_ipc(session / "packed.arrow", compression="zstd")
    frame.write_ipc_stream(session / "stream.arrow")
    (session / "metadata.json").write_text(json.dumps(SDV), encoding="utf-8")
    (session / "schema.json").write_text(schema_to_json(st.infer_schema(frame)), encoding="utf-8")
    report = st.audit(frame, frame, checks=["gcap", "ks"], secret="ill", threads=1)
    report.to_json(session / "report.json")
    big = pl.concat([frame] * 10).with_columns(name=pl.Series([f"P{number}" for number in range(ROWS * 10)]))
    st.split(big, seed=1).write(session / "split")
    (session / "plan.toml").write_text(PLAN, encoding="utf-8")
    st.run_study(session / "plan.toml", session / "store.sqlite", workers=1)


TABLES = ("people.csv", "packed.csv.gz", "semicolon.csv", "zstd.parquet", "snappy.parquet", "uncompressed.parquet")
TABLES += ("levels.parquet", "plain.arrow", "packed.arrow", "stream.arrow")
OTHERS = ("metadata.json", "schema.json", "report.json", "card.json", "store.sqlite", "store.sqlite")


def play(case: Case) -> Ending:
    """Damage one file, and hand it to whoever reads such files."""
    name = case.pick(TABLES if case.chance(0.7) else OTHERS)
    content = damage(case.random, _path(case, name).read_bytes(), _path(case, case.pick(TABLES)).read_bytes())
    kept = name if case.chance(0.9) else case.pick(TABLES + OTHERS)
    path = case.folder / ("holdout-card.json" if kept == "card.json" else kept)
    path.write_bytes(content)
    try:
        _read(case, name, path)
    except SeethroughError as error:
        expect_sentence(error)
        return Ending(type(error).__name__, name, 1)
    return Ending("a result", name, 1)


def _path(case: Case, name: str) -> Path:
    return next((case.session / "split").glob("*card*.json")) if name == "card.json" else case.session / name


def _read(case: Case, name: str, path: Path) -> None:
    sound = case.session / "people.csv"
    match name:
        case "metadata.json" | "schema.json":
            st.infer_schema(sound, schema=path)
        case "report.json":
            frame = people()
            st.verify(path, frame, frame, threads=1)
        case "card.json":
            st.audit(sound, sound, sound, card=path, checks=["ks"], threads=1)
        case "store.sqlite":
            st.load_study(path, "tiny")
        case _ if case.chance(0.2):
            st.audit(sound, path, checks=["ks"], threads=1)
        case _:
            st.infer_schema(path)
