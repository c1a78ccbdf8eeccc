"""Every command that a page shows is one that the program takes, and those of the first pages run."""

import re
import shlex
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {ROOT / "docs" / "adding.md"})
"""What is added on that page is run by its own test."""
SHOWN = re.compile(r"^(?: {4})?(seethrough [a-z].*)$", re.MULTILINE)
OMITTED = re.compile(r"\.\.\.|…|\(the rest as above\)|ADDRESS|\$address")
"""A command with a gap is no command."""
SMALLER = {"--games 100": "--games 2", "--sizes 100,1000,10000": "--sizes 100", "--rows 10000": "--rows 100"}
FIRST_PAGES = ["README.md", "docs/readers/custodian.md"]
ELSEWHERE = {"study run": "tests/study runs the small plans", "whatif": "tests/cli/test_whatif_command.py runs it"}


def commands(page):
    """Give the commands of a page, each once: one a line, with lines that go on and optional parts, without remarks."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (re.sub(r"\s# .*$", "", line) for line in SHOWN.findall(text))
    shown = [re.sub(r"\[(--[^\]]*)\]", r"\1", line).strip() for line in lines if not OMITTED.search(line)]
    return list(dict.fromkeys(shown))


ALL = [(page, line) for page in PAGES for line in commands(page)]


def test_commands_are_found_and_gaps_are_left_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "    seethrough list   # all\n    seethrough audit ... --x\n    seethrough explain \\\n        gcap [--json]\n"
    )
    assert commands(page) == ["seethrough list", "seethrough explain          gcap --json"]
    assert len(ALL) > 50


@pytest.mark.parametrize(("page", "line"), ALL, ids=[f"{page.stem}-{line[11:50]}" for page, line in ALL])
def test_a_command_of_a_page_is_understood(page, line):
    command, words = typer.main.get_command(app), shlex.split(line)[1:]
    context = command.make_context("seethrough", words[:1], resilient_parsing=True)
    while hasattr(command, "commands"):
        name, words = words[0], words[1:]
        command = command.commands[name]
        context = command.make_context(name, [*words], parent=context, resilient_parsing=hasattr(command, "commands"))
    assert context.command is command


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """A folder with the tables that the pages name, under the names of columns that they use."""
    frame = st.samples.acs()[:1500].rename({"disability": "income", "ancestry": "zip"})
    parts = {
        "real": frame[:600],
        "train": frame[:300],
        "holdout": frame[300:600],
        "synth": frame[600:900],
        "others": frame[300:600],
    }
    for name, part in {**parts, "population": frame, "people": frame[:50]}.items():
        part.write_csv(tmp_path / f"{name}.csv")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "declared.toml").write_text(
        CliRunner().invoke(app, ["schema", "population.csv"]).stdout, encoding="utf-8"
    )
    return tmp_path


@pytest.mark.parametrize("name", FIRST_PAGES)
def test_commands_of_the_first_pages_run(name, tables):
    for line in commands(ROOT / name):
        if any(line.startswith(f"seethrough {first}") for first in ELSEWHERE):
            continue
        for large, small in SMALLER.items():
            line = line.replace(large, small)
        found = CliRunner().invoke(app, shlex.split(line)[1:])
        assert found.exit_code == 0, f"{line}: {found.output}"
