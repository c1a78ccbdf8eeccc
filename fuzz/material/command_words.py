"""Words of command lines: commands and options as they are declared, values that fit them and that do not."""

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import typer

import seethrough as st
from fuzz.case import Case
from fuzz.judging import CANARY
from seethrough.cli.main import app
from seethrough.data.schema_files import schema_to_toml

TABLES = ("people.csv", "people.csv", "snappy.parquet", "plain.arrow", "packed.csv.gz", "semicolon.csv", "other.csv")
BAD = (
    "missing.csv",
    "",
    ".",
    "empty.csv",
    "header.csv",
    "torn.parquet",
    "report.json",
    "plan.toml",
    "noise.csv",
    "marked.csv",
)
NEVER = frozenset({"--install-completion", "--show-completion"})
"""Options that write outside of the folder."""
ODD = (
    "",
    " ",
    "-1",
    "0",
    "1e999",
    "nan",
    "x" * 500,
    "é",
    "a,b",
    "\x1b[31m",
    "--",
    "None",
    "age",
    "no such",
    "0x1",
    "1;2",
    "*",
)


def write_files(session: Path) -> None:
    """Write further files: empty, of one line, torn, of noise, with the mark that no message may show."""
    (session / "empty.csv").write_bytes(b"")
    (session / "header.csv").write_text("age,job,ill\n", encoding="utf-8")
    (session / "torn.parquet").write_bytes((session / "snappy.parquet").read_bytes()[:-30])
    (session / "noise.csv").write_bytes(bytes(range(256)) * 4)
    frame = pl.read_csv(session / "people.csv")
    frame.with_columns(age=pl.lit(f"{CANARY} 5")).write_csv(session / "marked.csv")
    frame.sample(30, seed=1, shuffle=True).write_csv(session / "other.csv")
    pl.concat([frame] * 10).with_columns(name=pl.int_range(pl.len())).write_csv(session / "large.csv")
    known = st.infer_schema(session / "people.csv")
    (session / "schema.toml").write_text(schema_to_toml(known), encoding="utf-8")
    shuffled = [pl.col(name).shuffle(seed=at) for at, name in enumerate(frame.columns) if name != "name"]
    frame.with_columns(*shuffled, name=pl.col("name").str.replace("P", "Q")).write_csv(session / "outside.csv")
    (session / "bomb.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 50_000))


def draw(case: Case) -> list[str]:
    """Draw a command line; half of all have one thing wrong with them, a few have several."""
    command = _commands()
    words: list[str] = []
    while hasattr(command, "commands"):
        if case.chance(0.02):
            return [*words, case.pick(("--help", "--version", "nothing", ""))]
        name = case.pick(sorted(command.commands))
        if name == "open" or (name == "demo" and case.chance(0.97)):
            name = "audit"  # `open` serves until it is ended; tests/web send it what is hostile
        words.append(name)
        command = command.commands[name]
    wrong = case.pick((0.0, 0.0, 0.0, 0.03, 0.1, 0.3))
    groups = [_option(case, each, " ".join(words), wrong) for each in command.params]
    given = [group for group in groups if group]
    if case.chance(0.3):
        case.random.shuffle(given)
    if case.chance(wrong) and given:
        given.append(case.pick(given))
    if case.chance(0.02):
        given.append([case.pick(("--no-such", "-x", "stray", "--help"))])
    return [*words, *(word for group in given for word in group)]


@cache
def _commands() -> Any:
    return typer.main.get_command(app)


def _option(case: Case, parameter: Any, command: str, wrong: float) -> list[str]:
    name = max(parameter.opts, key=len)
    if name in NEVER or name == "--help":
        return []
    fits = name in ALWAYS or parameter.required
    if not case.chance(1 - wrong / 2 if fits else RARE.get(name, 0.15)):
        return []
    if getattr(parameter, "is_flag", False):
        return [case.pick([*parameter.opts, *parameter.secondary_opts])]
    value = case.pick(ODD) if case.chance(wrong) else _value(case, name.lstrip("-"), command)
    if case.chance(wrong) and name.lstrip("-") in FILES:
        value = str(case.session / case.pick(BAD))
    return [value] if parameter.param_type_name == "argument" else [name, value]


def _value(case: Case, name: str, command: str) -> str:
    """Draw a value that fits."""
    own = f"{command} {name}"
    make = VALUES.get(own) or VALUES.get(name)
    return make(case) if make else case.pick(ODD)


def _file(*names: str) -> Callable[[Case], str]:
    return lambda case: str(case.session / case.pick(names or TABLES))


def _one(*values: str) -> Callable[[Case], str]:
    return lambda case: case.pick(values)


RARE = {"--separator": 0.02, "--encoding": 0.02, "--param": 0.05, "--entity": 0.03, "--schema": 0.08, "--card": 0.02}
RARE |= {"--cluster": 0.002, "--form": 0.03, "--id": 0.03, "--delta": 0.02, "--device": 0.03}
"""Options that seldom fit the rest of a command line."""
CHECKS = ("gcap", "zcap", "ks", "dcr", "hitting-rate", "crp", "nndr", "auth", "linkage", "air")
FILES = frozenset(
    {"real", "synthetic", "holdout", "people", "reference", "truth", "schema", "card", "report", "store", "other"}
)
ALWAYS = frozenset(
    {"--checks", "--games", "--rows", "--sizes", "--workers", "--threads", "--secret", "--real", "--out"}
)
ALWAYS |= {"--synthesizer", "--store", "--attacks"}
"""Options without which a command would take long, or do nothing."""
VALUES: dict[str, Callable[[Case], str]] = {
    **dict.fromkeys(("real", "synthetic", "people", "truth"), _file()),
    **dict.fromkeys(("holdout", "reference"), _file("outside.csv", "outside.csv", "people.csv")),
    "schema": _file("metadata.json", "schema.toml"),
    "split real": _file("large.csv", "large.csv", "people.csv"),
    "card": lambda case: str(next((case.session / "split").glob("*card*.json"))),
    "report": _file("report.json"),
    "other": _file("store.sqlite"),
    "plan": lambda case: case.pick((str(case.session / "plan.toml"), "tiny")),
    "study run store": lambda case: str(case.folder / "own.sqlite"),
    "study merge store": lambda case: str(case.folder / "own.sqlite"),
    "store": _file("store.sqlite"),
    "secret": _one("ill", "ill", "job", "age", "weight", "born", "member"),
    "keys": _one("age,job", "age", "job,member,born"),
    "entity": _one("name", "job"),
    "id": _one("name", "job"),
    "checks": lambda case: ",".join(case.some(CHECKS, 1, 3)),
    "preset": _one("fast", "attacks"),
    "grades": _one("0.01,0.1", "0.05,0.5"),
    "param": _one("gcap.secret=ill", "dcr.dimensions=2", "neighbours=2", "epsilon=1", "air.neighbours=3"),
    "seed": _one("0", "1", "4711"),
    "memory": _one("1GiB", "100MiB", "64KiB", "4GiB"),
    "threads": _one("1", "1", "2"),
    "workers": _one("1"),
    "device": _one("cpu"),
    "separator": _one(",", ";", "\t"),
    "encoding": _one("utf-8", "latin-1", "utf-16"),
    "fail-if": _one("verdict >= clear", "gcap > 0.5", "ks > 0.1", "copies > 0"),
    "audit-share": _one("0.4", "0.9"),
    "format": _one("csv", "parquet"),
    "criterion": _one("sum", "max", "min"),
    "narrow": _one("0.25", "0.5"),
    "rating": _one("log-ratio", "self-ratio", "match", "near-count"),
    "synthesizer": _one("indhist", "nonprivate", "real", "random", "baynet"),
    "attacks": _one("dcr", "gcap,zcap", "air"),
    "rows": _one("5", "10"),
    "sizes": _one("5", "5,10"),
    "games": _one("1", "2"),
    "targets": _one("1", "2"),
    "aim": _one("random", "isolated"),
    "epsilon": _one("1", "0.1"),
    "delta": _one("1e-6"),
    "form": _one("full", "small"),
    "data": lambda case: f"people={case.session / case.pick(TABLES)}",
    "NAME": _one(*CHECKS, "recon", "infer"),
    "name": _one(*CHECKS, "recon", "infer"),
    "out": lambda case: str(case.folder / "out"),
    "synthesize out": lambda case: str(case.folder / case.pick(("out.csv", "out.csv.gz", "out.parquet", "out.arrow"))),
    **{
        f"{command} out": lambda case: str(case.folder / case.pick(("out.csv", "out.parquet", "out.json")))
        for command in ("attack membership", "attack dcr", "attack linkage", "game", "study export")
    },
    "demo out": lambda case: str(case.folder / "out"),
    "cluster": _one("nowhere:1"),
}
