"""How commands end: one sentence and a code of its own for each thing that nobody asked for."""

import os
import subprocess
import sys

import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli import main
from seethrough.cli.exit_codes import BUG, INVALID_REQUEST, OUT_OF_MEMORY, OUTPUT_LOST
from seethrough.errors import ConfigError
from seethrough.results.whole_files import whole_files
from seethrough.study.plan.plan import parse_plan

COMMAND = [sys.executable, "-m", "seethrough", "list"]


def ended(error, monkeypatch):
    def fail(*_args, **_more):
        raise error

    monkeypatch.setattr("seethrough.plugins.catalog.load", fail)
    return CliRunner().invoke(main.app, ["list"])


def test_an_error_of_the_program_is_said_to_be_one_and_tells_no_value(monkeypatch):
    found = ended(RuntimeError("the cell holds 4711"), monkeypatch)
    assert found.exit_code == BUG
    assert "this is an error of the program (RuntimeError in test_endings.py, line" in found.stderr
    assert "4711" not in found.stderr


def test_too_little_memory_is_said(monkeypatch):
    found = ended(MemoryError(), monkeypatch)
    assert found.exit_code == OUT_OF_MEMORY
    assert "not enough memory" in found.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_under_standard_output_has_a_code_of_its_own():
    with open("/dev/full", "wb") as full:
        found = subprocess.run(COMMAND, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert found.returncode == OUTPUT_LOST
    assert found.stderr == "seethrough: standard output cannot be written: No space left on device\n"


def test_a_reader_who_goes_away_hears_nothing():
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(COMMAND, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (found.returncode, found.stderr) == (OUTPUT_LOST, "")


def test_a_closed_output_is_refused_before_anything_is_computed():
    closing = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'seethrough', 'list'])"
    found = subprocess.run([sys.executable, "-c", closing], stderr=subprocess.PIPE, text=True, check=False)
    assert found.returncode == OUTPUT_LOST
    assert found.stderr == "seethrough: standard output cannot be written: it is closed\n"


def test_a_directory_in_the_place_of_a_file_leaves_nothing_half_written(tmp_path):
    frame = pl.DataFrame({"a": [0.5 * n for n in range(40)], "b": ["x", "y"] * 20})
    frame.write_csv(tmp_path / "real.csv")
    (tmp_path / "out" / "report.json").mkdir(parents=True)
    words = ["audit", "--real", tmp_path / "real.csv", "--synthetic", tmp_path / "real.csv", "--checks", "crp"]
    found = CliRunner().invoke(main.app, [*map(str, words), "--out", str(tmp_path / "out")])
    assert found.exit_code == INVALID_REQUEST
    assert "report.json is a directory" in found.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_files_of_before_stay_where_one_cannot_be_written(tmp_path):
    (tmp_path / "a").write_text("before")
    (tmp_path / "b").mkdir()
    with pytest.raises(ConfigError, match="is a directory"):
        _write_two(tmp_path)
    assert (tmp_path / "a").read_text() == "before"


def _write_two(folder):
    with whole_files(folder) as hidden:
        (hidden / "a").write_text("after")
        (hidden / "b").write_text("after")


@pytest.mark.parametrize("name", ["../up", "a/b", "..", "", "a\\\\b"])
def test_a_plan_cannot_be_named_like_a_path(name):
    with pytest.raises(ConfigError, match="letters, digits, dots"):
        parse_plan(f'format = 1\nname = "{name}"\n', "plan", "full", None)
