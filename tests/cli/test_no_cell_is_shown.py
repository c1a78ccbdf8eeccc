"""No value of a table reaches the terminal or a report unless it was asked for: every cell is a canary."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.errors import SeethroughError
from seethrough.study.plan.plan import read_plan
from seethrough.study.plan.tables import load

CANARIES = "qzx", "918273"
"""Begin every text and every number of the tables."""
ROWS = 120
WARDS, ILLS = ("qzxward", 5), ("qzxill", 6)


def people(start: int, **changed: list[object]) -> pl.DataFrame:
    """People whose cells all begin with a canary; no level is held by 30 of them, who would be a group to name."""
    numbers = range(start, start + ROWS)
    columns: dict[str, list[object]] = {
        "name": [f"qzxname{at}" for at in numbers],
        "ward": [f"{WARDS[0]}{at % WARDS[1]}" for at in numbers],
        "ill": [f"{ILLS[0]}{at * 5 % 13 % ILLS[1]}" for at in numbers],
        "age": [918273.0 + at * 7 % 40 + 0.5 for at in numbers],
        "born": [f"19{at % 60 + 20}-0{at % 9 + 1}-11" for at in numbers],
        "dose": [f"918273{at * 3 % 53:02d}" if at % 5 else "qzxunknown" for at in numbers],
        "code": [f"918273{at % 4}" if at % 6 else "qzxcode" for at in numbers],
    }
    return pl.DataFrame(columns | changed, strict=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("canaries")
    copied = pl.concat([people(0)[:60], people(300)[:60]])
    tables = {
        "real": people(0),
        "outside": people(200),
        "synthetic": copied,
        "text": people(300, age=["qzxold", *["918273.5"] * (ROWS - 1)]),
        "late": people(300, age=[*["918273.5"] * (ROWS - 1), "qzxold"]),
        "dates": people(300, born=["qzxsoon"] * ROWS),
        "huge": people(300, age=[9.18273e201] * ROWS),
        "endless": people(300, age=[float("inf"), *[918273.5] * (ROWS - 1)]),
        "fewer": people(300).drop("ward"),
        "named": people(300).rename({"ward": "Ward"}),
        "numbers": people(300, ward=[f"918273{at}" for at in range(ROWS)]),
        "empty": people(300)[:0],
    }
    for name, table in tables.items():
        table.write_csv(made / f"{name}.csv")
    tables["synthetic"].write_parquet(made / "synthetic.parquet")
    whole = (made / "synthetic.csv").read_text()
    broken = {
        "ragged.csv": whole + "qzxragged,1\n",
        "wide.csv": whole + ",".join(["qzxwide"] * 20) + "\n",
        "quoted.csv": whole + '"qzxopen,1,2,3,4,5,6\n',
        "headless.parquet": whole,
        "headless.arrow": "\n".join(whole.splitlines()[1:]),
    }
    for name, text in broken.items():
        (made / name).write_text(text)
    (made / "cut.parquet").write_bytes((made / "synthetic.parquet").read_bytes()[:-900])
    (made / "damaged.parquet").write_bytes(_damaged((made / "synthetic.parquet").read_bytes()))
    (made / "levels.toml").write_text('format = 1\n[columns.ward]\nkind = "binary"\n[columns.age]\nkind = "date"\n')
    return made


def _damaged(whole: bytes) -> bytes:
    middle = len(whole) // 3
    return whole[:middle] + b"\xff" * 200 + whole[middle + 200 :]


def call(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(word) for word in words])
    return found.exit_code, found.stdout + found.stderr


def shown(text: str) -> list[str]:
    return [line for line in text.splitlines() if any(canary in line.lower() for canary in CANARIES)]


def audit(folder: Path, release: str = "synthetic.csv", *more: object) -> tuple[int, str]:
    words = "audit", "--real", folder / "real.csv", "--synthetic", folder / release
    return call(*words, "--holdout", folder / "outside.csv", "--checks", "crp,gcap", "--preset", "fast", *more)


def test_an_audit_shows_no_cell_anywhere(folder: Path, tmp_path: Path) -> None:
    also = "--junit", tmp_path / "junit.xml", "--sarif", tmp_path / "findings.sarif", "--fail-if", "crp > 0"
    words = "--secret", "ill", "--keys", "ward,age", "--verbose", "--out", tmp_path, *also
    code, said = audit(folder, "synthetic.csv", *words)
    assert code == 1, said
    assert shown(said) == []
    assert "numbers apart from one text, which is read as missing" in (tmp_path / "report.md").read_text()
    assert "<failure" in (tmp_path / "junit.xml").read_text()
    assert json.loads((tmp_path / "findings.sarif").read_text())["runs"][0]["results"]
    for name in ("report.json", "report.html", "report.md", "junit.xml", "findings.sarif"):
        assert shown((tmp_path / name).read_text(encoding="utf-8")) == []
    words = "--real", folder / "real.csv", "--synthetic", folder / "synthetic.csv", "--holdout", folder / "outside.csv"
    code, said = call("verify", tmp_path / "report.json", *words)
    assert (code, shown(said)) == (0, [])
    code, said = call("verify", tmp_path / "report.json", *words[:3], folder / "late.csv", *words[4:])
    assert (code != 0, shown(said)) == (True, [])


def test_a_report_for_others_holds_no_cell(folder: Path, tmp_path: Path) -> None:
    """The action of `action.yml` uploads this folder, and its report.md is the summary of the job."""
    also = "--junit", tmp_path / "junit.xml", "--fail-if", "verdict >= clear"
    words = "--secret", "ill", "--keys", "ward,age", "--external", "--annex", "--out", tmp_path, *also
    code, said = audit(folder, "synthetic.csv", *words)
    assert code in {0, 1}, said
    assert shown(said) == []
    written = {path.name: path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()}
    assert {"report.md", "report.json", "report.html", "junit.xml"} <= written.keys()
    assert [name for name, text in written.items() if shown(text)] == []
    assert not [name for name in written if name.endswith((".parquet", ".csv"))]


@pytest.mark.parametrize(
    "release",
    [
        *("text.csv", "late.csv", "dates.csv", "huge.csv", "endless.csv", "fewer.csv", "named.csv", "numbers.csv"),
        *("empty.csv", "ragged.csv", "wide.csv", "quoted.csv", "headless.parquet", "headless.arrow"),
        *("cut.parquet", "damaged.parquet", "synthetic.parquet"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_without_its_cells(folder: Path, release: str) -> None:
    assert shown(audit(folder, release, "--secret", "ill")[1]) == []
    assert shown(audit(folder, release, "--secret", "ill", "--external")[1]) == []


@pytest.mark.parametrize(
    "words",
    [
        ("--secret", "nothing"),
        ("--keys", "ward,nothing"),
        ("--entity", "name"),
        ("--entity", "ward"),
        ("--secret", "name"),
        ("--schema", "levels.toml"),
        ("--separator", ";"),
        ("--encoding", "utf-16"),
        ("--checks", "nothing"),
        ("--fail-if", "gcap > 0"),
        ("--json",),
    ],
    ids=" ".join,
)
def test_odd_requests_are_answered_without_a_cell(folder: Path, words: tuple[str, ...]) -> None:
    given = [folder / word if word.endswith(".toml") else word for word in words]
    assert shown(audit(folder, "synthetic.csv", *given)[1]) == []


@pytest.mark.parametrize("real", ["real.csv", "late.csv", "endless.csv", "ragged.csv", "damaged.parquet"])
def test_other_commands_show_no_cell_either(folder: Path, tmp_path: Path, real: str) -> None:
    table, out = folder / real, tmp_path / "out.csv"
    people_asked = "--people", folder / "outside.csv", "--synthetic", table
    for words in (
        ("synthesize", "--synthesizer", "indhist", "--real", table, "--rows", 20, "--out", out),
        ("synthesize", "--synthesizer", "privbayes", "--real", table, "--rows", 20, "--out", out),
        ("split", table, "--train", tmp_path / "train.csv", "--holdout", tmp_path / "holdout.csv"),
        ("attack", "membership", *people_asked),
        ("attack", "dcr", *people_asked, "--secret", "age", "--out", tmp_path / "guesses.csv"),
        ("attack", "linkage", "--real", table, "--synthetic", folder / "synthetic.csv", "--keys", "ward,age"),
        ("game", "--real", table, "--secret", "ill", "--rows", 40, "--sizes", 40, "--games", 1, "--attacks", "dcr"),
    ):
        assert shown(call(*words)[1]) == [], words


PLAN = """
format = 1
name = "canaries"
title = "Canaries"
seed = 0
[data.people]
file = "{table}"
secret = "ill"
keys = ["ward", "age"]
[[metrics]]
data = "people"
rows = 60
holdout = 40
runs = 1
synthesizers = ["indhist"]
checks = ["crp", "gcap"]
"""


@pytest.mark.parametrize("real", ["real.csv", "late.csv", "endless.csv", "ragged.csv", "damaged.parquet"])
def test_reverse_mapping_and_studies_show_no_cell(folder: Path, tmp_path: Path, real: str) -> None:
    table, plan, store = folder / real, tmp_path / "canaries.toml", ("--store", tmp_path / "store.sqlite")
    plan.write_text(PLAN.format(table=table), encoding="utf-8")
    mapped = "--synthetic", folder / "synthetic.csv", "--out", tmp_path / "mapped"
    assert shown(call("reverse-map", "--real", table, *mapped)[1]) == []
    for words in (
        ("run", plan, *store, "--workers", 1),
        ("status", plan, *store),
        ("export", plan, *store, "--out", tmp_path / "cells.csv"),
        ("figures", plan, *store, "--out", tmp_path / "figures"),
        ("compare", plan, *store),
    ):
        assert shown(call("study", *words)[1]) == [], words
    written = [path for path in tmp_path.glob("*.*") if path != plan]
    assert [path.name for path in written if shown(path.read_bytes().decode("latin-1"))] == []
    if real == "real.csv":
        cells = (tmp_path / "cells.csv").read_text(encoding="utf-8")
        assert "crp" in cells
        assert load(read_plan(plan).data[0]).digest not in cells


def test_values_are_shown_to_those_who_ask(folder: Path, tmp_path: Path) -> None:
    assert "row 120 holds another value: 'qzxold'" in audit(folder, "late.csv", "--show-values")[1]
    assert audit(folder, "synthetic.csv", "--show-values", "--out", tmp_path)[0] == 0
    columns = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["schema"]["columns"]
    reasons = {column["name"]: column["reason"] for column in columns}
    assert reasons["dose"] == "numbers apart from one text, which is read as missing: 'qzxunknown'"
    tables = [pl.read_csv(folder / f"{name}.csv", infer_schema=False) for name in ("real", "late")]
    with pytest.raises(SeethroughError, match=r"row 120 holds another value$"):
        st.audit(*tables)
    with pytest.raises(SeethroughError, match=r"row 120 holds another value: 'qzxold'$"):
        st.audit(*tables, show_values=True)
