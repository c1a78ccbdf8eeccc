"""Stores of studies, with rows and values changed: they are read, continued and merged, or one sentence."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from typer.testing import CliRunner

import seethrough as st
from fuzz.case import Broken, Case, Ending
from fuzz.judging import expect_sentence
from fuzz.targets import plans
from seethrough.cli.main import app
from seethrough.errors import SeethroughError

COLUMNS = {
    "study": ("id", "name", "form", "seed", "title", "source", "plan", "figures", "data", "begun"),
    "cell": ("key", "status", "value", "result", "error", "seconds", "attempts", "version", "finished"),
    "place": ("study", "key", "position", "kind", "data", "synthesizer", "size", "number", "what", "name"),
    "run": ("id", "study", "begun", "latest", "computed", "workers", "ended"),
}
ODD = (
    "NULL",
    "''",
    "'x'",
    "0",
    "-1",
    "1e308",
    "9e999",
    "x'00ff'",
    "'{}'",
    "'[]'",
    "'null'",
    "'{\"a\": NaN}'",
    "'done'",
)
ODD += ("'../up'", "4711", "'games'", "'failed'", "char(27)", "zeroblob(1000)", "-9223372036854775808", "'full'")
COMMANDS = ("status", "export", "compare", "figures", "merge", "run", "load")


def prepare(session: Path) -> None:
    """Run a small study."""
    plans.prepare(session)
    (session / "plan.toml").write_text(plans.PLAN, encoding="utf-8")
    st.run_study(session / "plan.toml", session / "store.sqlite", workers=1)


def play(case: Case) -> Ending:
    """Change a store, and use it."""
    store = case.folder / "store.sqlite"
    store.write_bytes((case.session / "store.sqlite").read_bytes())
    with closing(sqlite3.connect(store)) as opened, suppress(sqlite3.Error):
        for _ in range(case.pick((1, 1, 2, 4))):
            opened.execute(_statement(case))
            opened.commit()
    command = case.pick(COMMANDS)
    if command == "load":
        try:
            st.load_study(store, "tiny")
        except SeethroughError as error:
            expect_sentence(error)
            return Ending(type(error).__name__, command, 1)
        return Ending("a result", command, 1)
    return Ending(f"exit code {_run(case, command, store)}", command, 1)


def _statement(case: Case) -> str:
    table = case.pick(list(COLUMNS))
    column, value = case.pick(COLUMNS[table]), case.pick(ODD)
    where = case.pick(("", "", f" WHERE rowid = {case.pick((1, 2, 3))}" if table in {"study", "run"} else ""))
    return case.pick(
        (
            f"UPDATE OR IGNORE {table} SET {column} = {value}{where}",
            f"UPDATE OR IGNORE {table} SET {column} = {value}{where}",
            f"UPDATE OR IGNORE {table} SET {column} = {value}{where}",
            f"DELETE FROM {table}{where}",
            f"DROP TABLE {table}",
            f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
            f"ALTER TABLE {table} ADD COLUMN more TEXT",
            f"PRAGMA user_version = {case.pick((0, 1, 2, 99))}",
            f"PRAGMA application_id = {case.pick((0, 1))}",
            "CREATE TABLE more (a)",
        )
    )


def _run(case: Case, command: str, store: Path) -> int:
    words = {
        "status": ["study", "status"],
        "export": ["study", "export", "tiny", "--out", str(case.folder / "out.csv")],
        "compare": ["study", "compare", "tiny"],
        "figures": ["study", "figures", "tiny", "--out", str(case.folder / "figures")],
        "merge": ["study", "merge", str(case.session / "store.sqlite")],
        "run": ["study", "run", str(case.session / "plan.toml"), "--workers", "1"],
    }[command]
    found = CliRunner().invoke(app, [*words, "--store", str(store)], prog_name="seethrough")
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    if found.exit_code not in {0, 2, 3} or "Traceback" in found.output:
        raise Broken(f"exit code {found.exit_code} of study {command}: {found.stderr[-300:]!r}")
    return found.exit_code
