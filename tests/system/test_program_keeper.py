"""Ending a process with all below it, and a program with the process that waits for it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seethrough.system import program_keeper
from seethrough.system.program_keeper import descendants, end_descendants

pytestmark = pytest.mark.skipif(os.name == "nt", reason="programs are run on Linux and macOS only")
TREE = """
import subprocess, sys, time
if int(sys.argv[1]):
    subprocess.Popen([sys.executable, sys.argv[0], str(int(sys.argv[1]) - 1)], start_new_session=True)
print(flush=True)
time.sleep(600)
"""


@pytest.fixture
def tree(tmp_path):
    """A process with a child, and a grandchild, each in a session of its own."""
    (tmp_path / "tree.py").write_text(TREE)
    words = [sys.executable, str(tmp_path / "tree.py"), "2"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        for _ in range(3):
            process.stdout.readline()
        yield process
        end_descendants(process.pid)
        process.kill()


def by_ps(monkeypatch):
    monkeypatch.setattr(Path, "exists", lambda path: False)


@pytest.mark.parametrize("by", ["proc", "ps"])
def test_all_below_a_process_are_found_and_ended(tree, monkeypatch, by):
    if by == "ps":
        by_ps(monkeypatch)
    below = descendants(tree.pid)
    assert len(below) == 2
    assert below < descendants(os.getpid())
    for process in below:
        os.kill(process, 0)
    end_descendants(tree.pid)
    assert descendants(tree.pid) == set()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's end")
def test_a_program_ends_when_who_waits_for_it_is_killed(tmp_path):
    place = tmp_path / "pid"
    program = f"import os, time; open({str(place)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    code = f"""
from seethrough.data.files.subprocesses import Limits, run_program
run_program([{sys.executable!r}, "-c", {program!r}], {{}}, Limits(600))
"""
    waiting = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 120
    while not (place.exists() and place.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    waiting.kill()
    waiting.wait()
    deadline = time.monotonic() + 60
    while (found := program_keeper._read_process(place.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found is None


def test_a_program_that_cannot_be_started_says_why(tmp_path):
    from seethrough.data.files.subprocesses import Limits, run_program
    from seethrough.errors import DataError

    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o700)
    with pytest.raises(DataError, match=r"exit code 127; it said last: .*No such file"):
        run_program([str(broken)], {}, Limits(60))
    assert signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL
