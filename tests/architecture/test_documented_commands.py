"""Every command that a page shows is one that the program takes, and is run, or the reason stands here why not."""

import re
import shlex

import pytest
import typer.main
from page_examples import PAGES, ROOT, commands, write_tables
from typer.testing import CliRunner

from seethrough.cli.main import app

OWN_TEST = {ROOT / "docs" / "adding.md"}
"""What is added on that page is run by its own test."""
ALL = [(page, line) for page in PAGES if page not in OWN_TEST for line in commands(page)]
SMALLER = {
    r"--games \d+": "--games 2 --workers 1",
    r"--sizes [\d,]+": "--sizes 100",
    r"--rows \d+": "--rows 100",
    r"(privbayes:epsilon=1,k=2)$": r"\1 --games 2 --workers 1 --rows 100 --sizes 100",
    r"--truth real.csv": "--truth people.csv",
    r"(seethrough audit (?!.*--checks).*)": r"\1 --checks dcr",
    r"'verdict >= clear'": "'verdict > severe'",
}
"""Fewer rows, games and checks; a limit that small tables keep."""
ELSEWHERE = {
    r"seethrough open": "tests/web/test_open_command.py",
    r"seethrough whatif audit/": "tests/cli/test_whatif_command.py",
    r"seethrough study (run|merge|status|figures|export|compare)": "tests/study/test_command_line.py",
    r".*--cluster (tls|tcp):": "tests/study/test_cluster.py",
    r".*--cluster local": "tests/cluster/test_chunk_workers.py",
    r".*--device cuda": "tests/kernels/device",
    r"seethrough game --real acs_recon_ma_2018": "tests/games",
    r"seethrough game .* --synthesizer rap ": "tests/synthesizers/test_rap.py",
}
"""What needs a browser, minutes, other machines, an accelerator or tables that are not shipped: who runs the like."""


def test_commands_are_found_and_gaps_are_left_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "    seethrough list   # all\n    seethrough audit ... --x\n    seethrough explain \\\n        gcap [--json]\n"
        "by `seethrough reverse-map --real a.csv --out b/`, `seethrough open` and `seethrough attack gcap --real …`\n"
    )
    assert commands(page) == [
        "seethrough list",
        "seethrough explain          gcap --json",
        "seethrough reverse-map --real a.csv --out b/",
    ]
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


def is_elsewhere(line):
    return any(re.match(pattern, line) for pattern in ELSEWHERE)


RUN = list(dict.fromkeys(line for _, line in ALL if not is_elsewhere(line)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the commands work one after the other, as somebody does who follows the pages."""
    folder = tmp_path_factory.mktemp("pages")
    write_tables(folder, rows=120)
    declared = CliRunner().invoke(app, ["schema", str(folder / "population.csv")]).stdout
    (folder / "declared.toml").write_text(declared, encoding="utf-8")
    return folder


@pytest.mark.parametrize("line", RUN, ids=lambda line: line[11:70])
def test_a_command_of_a_page_runs(line, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for large, small in SMALLER.items():
        line = re.sub(large, small, line)
    found = CliRunner().invoke(app, shlex.split(line)[1:])
    assert found.exit_code == 0, f"{line}: {found.output}"


def test_who_runs_the_others_is_there_and_no_rule_is_left_over():
    lines = [line for _, line in ALL]
    assert [pattern for pattern in ELSEWHERE if not any(re.match(pattern, line) for line in lines)] == []
    assert [place for place in ELSEWHERE.values() if not (ROOT / place).exists()] == []
    assert [large for large in SMALLER if not any(re.search(large, line) for line in RUN)] == []


def test_plans_that_commands_name_are_there():
    named = {plan for _, line in ALL for plan in re.findall(r"\S+/plans/\S+\.toml", line)}
    assert named
    assert [plan for plan in named if not (ROOT / plan).is_file()] == []
