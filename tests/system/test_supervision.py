"""The watcher over the command: how it hands signals on, and what it says of a process that cannot speak any more."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from seethrough.cli.endings import KEPT, conclude
from seethrough.cli.exit_codes import BUG, OUT_OF_MEMORY
from seethrough.kernels.process_pool import GivenUp, compute_on_processes
from seethrough.system import memory
from seethrough.system.memory import is_memory_shortage, was_oom_killed
from seethrough.system.supervision import ChildEnding

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no fork")
WORK = """
import os, signal, sys, time, types
import seethrough.__main__ as command
from seethrough.system.private_folders import private_folder, write_private

def main():
    with private_folder("rows") as folder:
        write_private(folder / "real.csv", b"secret")
        print(os.getpid(), flush=True)
        {work}

fake = types.ModuleType("seethrough.cli.main")
fake.main = main
sys.modules["seethrough.cli.main"] = fake
{before}
command.main()
"""
SLEEP = "time.sleep(600)"


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Start the command with other work to do, and give its process and the one that works."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    running = []

    def start(work=SLEEP, before=""):
        code = WORK.format(work=work, before=before)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen([sys.executable, "-c", code], text=True, **pipes)
        running.append(process)
        return process, int(process.stdout.readline())

    yield start
    for process in running:
        process.kill()
        process.communicate()


def ended(process):
    said = process.communicate(timeout=120)[1]
    return process.returncode, said


def wait_until_empty(folder):
    deadline = time.monotonic() + 60
    while list(folder.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGXCPU"])
def test_every_signal_ends_it_with_its_own_code_and_nothing_is_left(command, tmp_path, name):
    process, _ = command()
    process.send_signal(getattr(signal, name))
    code, said = ended(process)
    assert code == 128 + getattr(signal, name)
    how = "stopped" if name == "SIGINT" else f"stopped by {name}"
    assert said == f"seethrough: {how}; no report was written, nothing is left behind\n"
    assert not list(tmp_path.iterdir())


def test_a_signal_to_both_processes_is_one_signal(command, tmp_path):
    process, worker = command()
    os.kill(worker, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "seethrough: stopped; no report was written, nothing is left behind\n")
    assert not list(tmp_path.iterdir())


def test_a_signal_that_is_ignored_from_the_start_stays_ignored(command):
    process, worker = command(before="signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    for each in (process.pid, worker):
        os.kill(each, signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None


def test_a_process_that_does_not_end_is_killed_and_what_it_left_is_removed(command, tmp_path):
    process, _ = command(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)",
        "from seethrough.system import supervision; supervision.GRACE = 1.0",
    )
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    sentence = f"seethrough: stopped by SIGTERM and killed, as it did not end by itself; {KEPT}\n"
    assert ended(process) == (143, sentence)
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_where_either_process_is_killed(command, tmp_path):
    process, worker = command()
    os.kill(worker, signal.SIGKILL)
    assert ended(process) == (137, f"seethrough: ended by SIGKILL; {KEPT}\n")
    assert not list(tmp_path.iterdir())
    process, worker = command()
    process.kill()
    process.communicate()
    assert wait_until_empty(tmp_path)


def test_native_code_that_aborts_gets_a_sentence(command, tmp_path):
    process, _ = command("os.abort()", "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))")
    code, said = ended(process)
    assert code == OUT_OF_MEMORY
    assert said.startswith("seethrough: there is not enough memory; --memory")
    assert not list(tmp_path.iterdir())


def test_an_exit_that_native_code_chose_is_none_of_our_codes(command):
    process, _ = command("os._exit(1)")
    assert ended(process) == (BUG, f"seethrough: this is an error of the program: native code ended it (1); {KEPT}\n")


@pytest.mark.parametrize(
    ("ending", "code", "words"),
    [
        (ChildEnding(0), 0, ""),
        (ChildEnding(3), 3, ""),
        (ChildEnding(143, stopped_by=15), 143, ""),
        (ChildEnding(-9, is_oom=True), OUT_OF_MEMORY, "memory ran out (OOM killer)"),
        (ChildEnding(-9), 137, "ended by SIGKILL"),
        (ChildEnding(-15, stopped_by=15), 143, "ended by SIGTERM"),
        (ChildEnding(-11), BUG, "native code ended it (SIGSEGV)"),
    ],
)
def test_how_a_process_ended_is_said(ending, code, words):
    sentence, found = conclude(ending)
    assert found == code
    assert words in sentence
    assert bool(words) == bool(sentence)


@pytest.mark.parametrize("ending", [ChildEnding(-11), ChildEnding(130), ChildEnding(1, is_orderly=False)])
def test_under_a_limit_crashes_are_taken_for_want_of_memory(ending, monkeypatch):
    monkeypatch.setattr("seethrough.cli.endings.memory_limit", lambda: 1 << 30)
    assert conclude(ending)[1] == OUT_OF_MEMORY


def test_kills_of_the_system_are_told_from_others(tmp_path, monkeypatch):
    counts = tmp_path / "vmstat"
    monkeypatch.setattr(memory, "_OOM_COUNT", counts)
    assert not was_oom_killed(9, None)
    counts.write_text("pgfault 3\noom_kill 4\n")
    assert memory.count_oom_kills() == 4
    assert [was_oom_killed(9, 3), was_oom_killed(9, 4), was_oom_killed(15, 3)] == [True, False, False]


@pytest.mark.parametrize(
    ("code", "is_oom", "words"),
    [
        (-9, True, "because the system killed it for want of memory (OOM killer)"),
        (-9, False, "by SIGKILL: it was killed, or memory ran out"),
        (3, False, "with exit code 3: it was killed, or memory ran out"),
    ],
)
def test_why_a_worker_was_given_up_is_said(code, is_oom, words):
    assert GivenUp("task", 3, code, is_oom).reason == words


def kill_self(number):
    os.kill(os.getpid(), signal.SIGKILL)


def prepare_kill():
    return kill_self


def test_workers_that_the_system_killed_are_said_to_be(tmp_path, monkeypatch):
    counts = tmp_path / "vmstat"
    counts.write_text("oom_kill 4\n")
    monkeypatch.setattr(memory, "_OOM_COUNT", counts)
    found = compute_on_processes(1, [0], prepare_kill)
    threading.Timer(0.1, lambda: counts.write_text("oom_kill 7\n")).start()
    assert [each.is_oom for each in found] == [True]


def test_errors_for_want_of_memory_are_known_by_what_they_came_from():
    import_error = ImportError("DLL load failed")
    import_error.__cause__ = OSError("lib.so: failed to map segment from shared object")
    assert is_memory_shortage(import_error)
    assert is_memory_shortage(MemoryError())
    assert is_memory_shortage(OSError(12, "Cannot allocate memory"))
    assert is_memory_shortage(RuntimeError("can't start new thread"))
    assert not is_memory_shortage(ValueError("x"))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux'")
@pytest.mark.parametrize("mib", [150, 700])
def test_too_little_memory_ends_with_a_sentence(tmp_path, mib):
    (tmp_path / "a.csv").write_text("a,b\n" + "1,x\n2,y\n" * 50)
    words = [sys.executable, "-m", "seethrough", "synthesize", "--synthesizer", "indhist", "--real", "a.csv"]
    line = f"ulimit -v {mib * 1024}; exec {' '.join(words)} --rows 20 --out b.csv"
    found = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == OUT_OF_MEMORY
    assert found.stderr.startswith(f"seethrough: there is not enough memory (it may have {mib} MiB: ulimit -v)")
    assert len(found.stderr.splitlines()) == 1
    assert [path.name for path in Path(tmp_path).iterdir()] == ["a.csv"]
