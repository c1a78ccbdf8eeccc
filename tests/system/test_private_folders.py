"""Temporary folders are for their owner alone and go with their process, or with the next one."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from seethrough.kernels.process_pool import compute_on_processes
from seethrough.results.whole_files import write_whole_text
from seethrough.system.held_folders import BESIDE, LOCK, make_held_folder, remove_held_folder
from seethrough.system.private_folders import PREFIX, private_folder, remove_dead_runs, run_folder, write_private

posix = pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
WORK = """
import sys, time
from seethrough.system.private_folders import private_folder, write_private
with private_folder("rows") as folder:
    write_private(folder / "real.csv", b"secret")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A temporary directory of this test alone, also for processes that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def started(code=WORK):
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with process.stdout as said:
        return process, Path(said.readline().strip())


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_modes_are_those_of_the_owner_alone(temporary):
    before = os.umask(0)
    try:
        with private_folder("rows") as folder:
            write_private(folder / "real.csv", b"secret")
            assert [mode(each) for each in (folder.parent, folder, folder / "real.csv")] == [0o700, 0o700, 0o600]
    finally:
        os.umask(before)


def test_folders_of_one_run_share_one_and_nothing_stays(temporary):
    with private_folder("a") as first, private_folder("b") as second:
        assert first.parent == second.parent
        assert [each.name for each in temporary.iterdir()] == [first.parent.name]
        assert first.parent.name.startswith(PREFIX)
    assert not list(temporary.iterdir())


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGXCPU"])
def test_a_signal_removes_what_a_program_that_uses_the_library_holds(temporary, name):
    process, folder = started("import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n" + WORK)
    assert (folder / "real.csv").exists()
    process.send_signal(getattr(signal, name))
    assert process.wait(120) == (-getattr(signal, name))
    assert not list(temporary.iterdir())


@posix
def test_a_signal_that_is_ignored_stays_ignored(temporary):
    process, folder = started("import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + WORK)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert process.poll() is None
    assert (folder / "real.csv").exists()
    process.terminate()
    process.wait(120)


def test_handlers_are_as_before_when_the_folder_is_gone(temporary):
    before = [signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)]
    with private_folder("a"), private_folder("b"):
        assert os.name == "nt" or signal.getsignal(signal.SIGTERM) is not before[0]
        assert signal.getsignal(signal.SIGINT) is before[1]
    assert [signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)] == before


@posix
def test_what_a_killed_run_left_goes_with_the_next_and_what_lives_stays(temporary):
    (dead, left), (alive, kept) = started(), started()
    (temporary / f"{PREFIX}of-somebody").mkdir()
    (temporary / f"{PREFIX}of-somebody").chmod(0o755)
    (temporary / f"{PREFIX}of-somebody" / LOCK).touch()  # readable by others: none of ours
    (temporary / f"{PREFIX}without-lock").mkdir(mode=0o700)
    (temporary / "other").mkdir()
    (temporary / "other" / LOCK).touch()
    (temporary / f"{PREFIX}link").symlink_to(temporary / "other")
    dead.kill()
    dead.wait()
    assert (left / "real.csv").exists()
    with private_folder("next"):
        assert not left.parent.exists()
        assert (kept / "real.csv").exists()
    remove_dead_runs()
    names = {each.name.removeprefix(PREFIX) for each in temporary.iterdir()}
    assert names == {kept.parent.name.removeprefix(PREFIX), "of-somebody", "without-lock", "link", "other"}
    alive.terminate()
    alive.wait(120)
    assert not kept.parent.exists()


@posix
def test_an_empty_folder_without_a_lock_goes_when_it_is_old(temporary):
    for name in ("old", "full", "new"):
        (temporary / f"{PREFIX}{name}").mkdir(mode=0o700)
    (temporary / f"{PREFIX}full" / "file").touch()
    for name in ("old", "full"):
        os.utime(temporary / f"{PREFIX}{name}", (0, 0))
    remove_dead_runs()
    assert {each.name.removeprefix(PREFIX) for each in temporary.iterdir()} == {"full", "new"}


def write_and_be_killed(folder):
    code = f"""
import os, signal
from pathlib import Path
from seethrough.results.whole_files import whole_files
with whole_files(Path({str(folder)!r})) as hidden:
    (hidden / "records.parquet").write_text("risks")
    (hidden / "place-1").write_text({str(folder.parent)!r})
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert [each.name.startswith(BESIDE) for each in folder.iterdir()] == [True]


@posix
def test_files_half_written_beside_a_report_go_with_the_next_report(temporary):
    folder = temporary / "audit"
    write_and_be_killed(folder)
    write_whole_text(folder / "report.json", "{}")
    assert [each.name for each in folder.iterdir()] == ["report.json"]


@posix
def test_files_half_written_anywhere_go_when_the_next_command_begins(temporary):
    folder, of_user = temporary / "audit", temporary / "audit" / f"{BESIDE}notes"
    write_and_be_killed(folder)
    of_user.mkdir(mode=0o700)
    (of_user / "diary").touch()  # has no lock: none of ours
    subprocess.run([sys.executable, "-m", "seethrough", "--version"], check=True, capture_output=True)
    assert list(folder.iterdir()) == [of_user]
    assert list(temporary.iterdir()) == [folder]


def test_files_are_written_without_a_temporary_directory(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    write_whole_text(tmp_path / "report.json", "{}")
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]


@posix
def test_a_folder_that_is_made_for_files_of_people_is_private(tmp_path):
    before = os.umask(0)
    try:
        write_whole_text(tmp_path / "audit" / "report.json", "{}")
    finally:
        os.umask(before)
    assert mode(tmp_path / "audit") == 0o700


@posix
def test_a_forked_process_leaves_the_folder_to_its_parent(temporary):
    code = """
import os
from seethrough.system.private_folders import private_folder
with private_folder("a") as folder:
    if not (child := os.fork()):
        raise SystemExit
    os.waitpid(child, 0)
    print(folder.exists())
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "True\n"
    assert not list(temporary.iterdir())


def test_a_folder_that_is_taken_for_a_leftover_while_it_is_made_is_made_again(temporary, monkeypatch):
    taken = []

    def take_first(folder):
        if not taken:
            taken.append(folder)
            return False
        return take(folder)

    from seethrough.system import held_folders

    take = held_folders._take
    monkeypatch.setattr(held_folders, "_take", take_first)
    folder = make_held_folder(temporary, PREFIX)
    assert folder.exists()
    assert folder != taken[0]
    remove_held_folder(folder)


def where_private(number):
    with private_folder("worker") as folder:
        return str(folder)


def prepare_where():
    return where_private


def test_worker_processes_use_the_folder_of_their_run(temporary):
    with run_folder() as run:
        found = [each.answer for each in compute_on_processes(2, range(3), prepare_where)]
        assert {Path(each).parent for each in found} == {run}
    assert not list(temporary.iterdir())
