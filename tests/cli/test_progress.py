"""How far a command is: words of the clock, lines where there is no terminal, nothing on standard output."""

import json
import re
import time

import pytest
from typer.testing import CliRunner

from seethrough.cli import progress
from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.results.timings import Progress


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0:00"), (1.4, "0:01"), (59.6, "1:00"), (75, "1:15"), (3600, "1:00:00"), (36_061, "10:01:01"), (-1, "0:00")],
)
def test_a_time_is_written_as_a_clock_shows_it(seconds, said):
    assert progress.clock(seconds) == said


def test_time_left_is_said_where_it_is_known():
    assert progress.say_times(15, 1) == "elapsed 0:15, about 0:01 left"
    assert progress.say_times(15, None) == "elapsed 0:15"


def test_time_left_follows_from_the_steps_done_since_the_tables_were_read(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    watch = progress._Watch()
    now[0] = 110.0
    assert watch.line() == "reading: elapsed 0:10"
    watch.note(Progress(0, 8, "artefacts"))
    now[0] = 120.0
    watch.note(Progress(2, 8, "membership"))
    # Two of eight steps took ten seconds, so six take thirty; the ten of reading do not count.
    assert watch.line() == "membership: elapsed 0:20, about 0:30 left"


def test_lines_come_while_the_work_goes_on_and_end_with_it(monkeypatch, capsys):
    monkeypatch.setattr(progress, "EVERY", 0.01)
    with progress.progress_bar() as show:
        show(Progress(1, 4, "dcr"))
        time.sleep(0.2)
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert len(lines) > 2
    assert all(re.fullmatch(r"dcr: elapsed 0:0\d, about 0:0\d left", line) for line in lines), lines
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["audit", "game", "synthesize"])
def test_a_command_without_a_terminal_says_how_far_it_is_on_standard_error(command, monkeypatch, tmp_path):
    monkeypatch.setattr(progress, "EVERY", 0.005)
    for name, table in zip(("real", "synthetic"), (samples.acs()[:200], samples.acs()[200:400]), strict=True):
        table.write_csv(tmp_path / f"{name}.csv")
    real = ["--real", str(tmp_path / "real.csv")]
    words = {
        "audit": [*real, "--synthetic", str(tmp_path / "synthetic.csv"), "--checks", "dcr", "--preset", "fast"],
        "game": [*real, "--secret", "sex", "--attacks", "dcr", "--rows", "50", "--sizes", "50", "--games", "4"],
        "synthesize": [*real, "--synthesizer", "baynet", "--out", str(tmp_path / "made.csv")],
    }[command]
    found = CliRunner().invoke(app, [command, *words, "--json", *(["--workers", "1"] if command == "game" else [])])
    assert found.exit_code == 0, found.output
    assert re.search(r"^[\w -]+: elapsed 0:0\d", found.stderr, re.MULTILINE)
    assert "elapsed" not in found.stdout
    json.loads(found.stdout)
