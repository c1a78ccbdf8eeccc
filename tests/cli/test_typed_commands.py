"""Commands of the advice on the terminal can be typed as they stand."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.cli.typed_commands import Places
from seethrough.data import samples


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Tables that lie in folders of their own, one of them with a name that a shell has to be given in quotes."""
    folder = tmp_path_factory.mktemp("typed commands")
    columns = ["age", "education", "marital_status", "sex", "employed"]
    release = samples.acs_release()
    made = Places(folder / "a" / "real.csv", (folder / "b" / "it's.csv",), folder / "c" / "out.csv", folder / "audit")
    tables = release.real, release.real, release.holdout
    for path, table in zip((made.real, *made.synthetic, made.holdout), tables, strict=True):
        path.parent.mkdir()
        table[:150].select(columns).write_csv(path)
    return made


@pytest.fixture(scope="module")
def report(places):
    tables = places.real, places.synthetic[0], places.holdout
    made = st.audit(*tables, secret="employed", checks="dcr", preset="fast")
    made.save(places.out)
    return made


def test_a_command_of_the_advice_runs_where_the_audit_was_run(places, report):
    command = next(
        each.command for each in places.write_into(report).tables[0].advice if "drop near copies" in each.command
    )
    program, *words = shlex.split(command)
    assert program == "seethrough"
    found = CliRunner().invoke(app, [*words, "--json", "--draws", "1"])
    assert found.exit_code == 0, found.output
    assert [row["lever"] for row in json.loads(found.stdout)["levers"]] == ["drop near copies"]


def test_the_report_itself_names_no_place(places, report):
    assert "it's.csv" in report.to_json()
    assert "typed commands" not in report.to_json()


def test_an_audit_that_is_written_nowhere_gets_a_folder_to_be_named(places, report):
    advice = replace(places, out=None).write_into(report).tables[0].advice
    first = next(each.command for each in advice if " whatif " in each.command)
    assert shlex.split(first)[2] == "audit"


def test_the_beginning_of_a_command_is_not_repeated(places, report):
    [first, *others] = [
        each.command for each in places.write_into(report).tables[0].advice if "--lever" in each.command
    ]
    assert first.startswith("seethrough whatif ")
    assert others
    assert all(command.startswith("… --lever ") for command in others)


def test_the_command_that_splits_names_the_file(places):
    made = st.audit(places.real, places.synthetic[0], checks="dcr", preset="fast")
    [first, *_] = Places(places.real, places.synthetic).write_into(made).tables[0].advice
    assert shlex.split(first.command) == ["seethrough", "split", str(Path(places.real)), "--out", "split"]
