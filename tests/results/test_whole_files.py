"""Files are complete or not there, whatever happens while they are written."""

import os
import signal
import subprocess
import sys

import pytest

from seethrough.errors import ConfigError
from seethrough.results.whole_files import whole_file, whole_files, write_whole_text

KILLED = """
import os, signal, sys
from pathlib import Path
from seethrough.results.whole_files import whole_files
with whole_files(Path(sys.argv[1])) as hidden:
    (hidden / "a.txt").write_text("new, and not yet comp")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def break_off(path, problem):
    path.write_text("new")
    raise problem


def test_a_file_is_written_whole_and_for_the_user_alone(tmp_path):
    path = write_whole_text(tmp_path / "deep" / "out.csv", "text\r\n")
    assert path.read_bytes() == b"text\r\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert names(path.parent) == ["out.csv"]


def test_what_cannot_be_written_is_said_and_leaves_nothing(tmp_path):
    path = write_whole_text(tmp_path / "out.csv", "text")
    (tmp_path / "folder.csv" / "full").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"cannot write .*folder\.csv: "):
        write_whole_text(tmp_path / "folder.csv", "text")
    with pytest.raises(ConfigError, match=r"cannot write .*below: "):
        write_whole_text(path / "below", "text")
    with pytest.raises(ConfigError, match=r"cannot write to .*out\.csv: "), whole_files(path):
        pytest.fail("nothing can be written into a file")
    assert names(tmp_path) == ["folder.csv", "out.csv"]


def test_files_of_a_folder_appear_together(tmp_path):
    with whole_files(tmp_path) as hidden:
        (hidden / "a.txt").write_text("a")
        (hidden / "b.txt").write_text("b")
        assert names(tmp_path) == [hidden.name]
        assert hidden.stat().st_mode & 0o777 == 0o700
    assert names(tmp_path) == ["a.txt", "b.txt"]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_files_that_speak_of_nobody_have_the_mode_of_the_user(tmp_path):
    before = os.umask(0o027)
    try:
        with whole_files(tmp_path, mode=None) as hidden:
            (hidden / "a.txt").write_text("a")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("problem", [ValueError, KeyboardInterrupt, MemoryError])
def test_an_error_in_the_middle_leaves_the_files_of_before(tmp_path, problem):
    for name in ("a.txt", "b.txt"):
        write_whole_text(tmp_path / name, "old")
    with pytest.raises(problem), whole_files(tmp_path) as hidden:
        break_off(hidden / "a.txt", problem)
    with pytest.raises(problem), whole_file(tmp_path / "b.txt") as place:
        break_off(place, problem)
    assert names(tmp_path) == ["a.txt", "b.txt"]
    assert {path.read_text() for path in tmp_path.iterdir()} == {"old"}


def test_a_full_disk_in_the_middle_leaves_the_file_of_before(tmp_path):
    path = write_whole_text(tmp_path / "a.txt", "old")
    with pytest.raises(ConfigError, match="No space left"), whole_file(path) as place:
        break_off(place, OSError(28, "No space left on device"))
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_process_leaves_the_file_of_before(tmp_path):
    path = write_whole_text(tmp_path / "a.txt", "old")
    found = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert found.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert [name for name in names(tmp_path) if not name.startswith(".")] == ["a.txt"]
