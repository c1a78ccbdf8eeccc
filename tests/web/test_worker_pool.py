"""Workers as the server has them: few, asked within limits, one run at a time, gone when they have to be."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from seethrough.web.audits.shelf import INTERRUPTED
from seethrough.web.messages import Asked
from seethrough.web.processes import worker_pool
from seethrough.web.processes.worker_pool import STOPPED, WorkerPool
from seethrough.web.processes.worker_process import WorkerLimits

PROGRAM = (str(Path(__file__).with_name("pretend_worker.py")),)
pytestmark = pytest.mark.skipif(os.name != "posix", reason="process groups and signals are those of POSIX")


class Remembered:
    """What the pool tells the server."""

    def __init__(self):
        self.told, self.pool = [], None

    def describe(self, audit):
        return {"do": "open", "audit": audit}

    def hear(self, audit, event, data):
        self.told.append((audit, event))
        if event == "done":
            self.pool.finish_run(audit)

    def end_run(self, audit, state, said):
        self.told.append((audit, state, said))

    def wait(self, audit, place):
        self.told.append((audit, "waits", place))


def tried(work, tmp_path, **limits):
    """Let something happen to a pool that was started, and end it."""

    async def all_of_it():
        server = Remembered()
        pool = WorkerPool(WorkerLimits(program=PROGRAM, **limits), tmp_path, server)
        server.pool = pool
        await pool.start()
        try:
            return await work(pool, server)
        finally:
            await pool.close()

    return asyncio.run(all_of_it())


def lives(process):
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in {"Z", "X"}


async def until(holds, seconds=20.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        await asyncio.sleep(0.02)


def test_the_spare_worker_opens_the_first_audit(tmp_path):
    async def work(pool, server):
        spare = pool.spare.process.pid
        answer = await pool.ask("a", Asked("who"))
        return spare, answer

    spare, answer = tried(work, tmp_path)
    assert (answer.status, answer.html) == (200, str(spare))


def test_each_audit_has_its_own_and_two_stay_warm(tmp_path):
    async def work(pool, server):
        found = {name: (await pool.ask(name, Asked("who"))).html for name in "abab"}
        assert len(set(found.values())) == 2
        third = (await pool.ask("c", Asked("who"))).html
        await until(lambda: not lives(found["a"]))
        assert lives(found["b"])
        assert (await pool.ask("b", Asked("who"))).html == found["b"]
        again = (await pool.ask("a", Asked("who"))).html
        await until(lambda: not lives(third))
        return found, again

    found, again = tried(work, tmp_path)
    assert again != found["a"]


def test_the_environment_is_reduced(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")  # which decides last digits

    async def work(pool, server):
        return (await pool.ask("a", Asked("environment"))).html.split()

    names = set(tried(work, tmp_path))
    assert {"HOME", "LC_ALL", "OPENBLAS_CORETYPE", "PATH", "PYTHONPATH", "TMPDIR"} <= names
    libraries = "BLIS_", "GOMP_", "KMP_", "MKL_", "NPY_", "OMP_", "OPENBLAS_"
    arithmetic = {name for name in names if name.startswith(libraries)}
    known = {"PYTHONDONTWRITEBYTECODE", "POLARS_MAX_THREADS", "PYTHONHOME", "TZ", "LC_CTYPE"}
    assert names - arithmetic <= known | {"HOME", "LC_ALL", "PATH", "PYTHONPATH", "TMPDIR"}


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("die", "The process of this audit ended (signal 9, probably memory)."),
        ("exit", "The process of this audit ended (exit code 3)."),
    ],
)
def test_a_worker_that_dies_is_said_and_the_next_question_has_a_new_one(tmp_path, page, said):
    async def work(pool, server):
        other = (await pool.ask("b", Asked("who"))).html
        died = await pool.ask("a", Asked(page))
        after = await pool.ask("a", Asked("who"))
        return died, after, other, (await pool.ask("b", Asked("who"))).html

    died, after, other, still = tried(work, tmp_path)
    assert (died.status, died.said) == (502, said)
    assert after.status == 200
    assert other == still


def test_a_worker_that_speaks_nonsense_is_ended(tmp_path):
    async def work(pool, server):
        return await pool.ask("a", Asked("nonsense")), await pool.ask("a", Asked("who"))

    odd, after = tried(work, tmp_path)
    assert odd.status == 502
    assert after.status == 200


def test_a_question_that_takes_too_long_restarts_the_worker(tmp_path):
    async def work(pool, server):
        before = (await pool.ask("a", Asked("who"))).html
        answer = await pool.ask("a", Asked("sleep"))
        return before, answer, (await pool.ask("a", Asked("who"))).html

    before, answer, after = tried(work, tmp_path, question=3.0)
    assert answer.status == 504
    assert answer.said == "This question took more than 3 seconds and was given up; the audit was opened again."
    assert not lives(before)
    assert after != before
    assert WorkerLimits().question == 30


def test_a_question_that_takes_too_long_beside_a_run_does_not_end_the_run(tmp_path):
    async def work(pool, server):
        await pool.run("a")
        worker = pool._by_audit["a"]
        answer = await pool.ask("a", Asked("sleep"))
        return answer, worker.is_alive

    answer, is_alive = tried(work, tmp_path, question=3.0)
    assert answer.status == 503
    assert is_alive


def test_one_run_at_a_time_and_others_wait_in_line(tmp_path):
    async def work(pool, server):
        assert (await pool.run("a")).to == "run"
        assert (await pool.run("b")).to == "run"
        assert (await pool.run("c")).to == "run"
        for name in "abc":
            second = await pool.run(name)
            assert (second.status, second.said) == (409, "This audit is running already.")
        assert (pool.running, pool.line) == ("a", ["b", "c"])
        await pool.ask("a", Asked("finish"))
        await until(lambda: pool.running == "b")
        await until(lambda: ("b", "begun") in server.told)
        return server.told

    told = tried(work, tmp_path)
    assert told.count(("a", "begun")) == 1
    assert ("b", "waits", 1) in told
    assert ("c", "waits", 2) in told
    assert told.index(("c", "waits", 1)) > told.index(("a", "done"))


def test_the_worker_of_a_run_is_not_the_one_that_makes_room(tmp_path):
    async def work(pool, server):
        await pool.run("a")
        running = pool._by_audit["a"]
        for name in "bcd":
            await pool.ask(name, Asked("who"))
        return running.is_alive

    assert tried(work, tmp_path)


def test_who_waits_can_be_taken_out_of_the_line(tmp_path):
    async def work(pool, server):
        await pool.run("a")
        await pool.run("b")
        await pool.cancel("b")
        return pool.line, server.told

    line, told = tried(work, tmp_path)
    assert line == []
    assert ("b", "stopped", STOPPED) in told


@pytest.mark.parametrize("is_deaf", [False, True])
def test_a_run_is_stopped_with_all_that_it_started(tmp_path, is_deaf):
    async def work(pool, server):
        await pool.run("a")
        worker = pool._by_audit["a"]
        child = int((await pool.ask("a", Asked("child"))).html)
        if is_deaf:
            await pool.ask("a", Asked("deaf"))
        begun = time.monotonic()
        await pool.cancel("a")
        took = time.monotonic() - begun
        await until(lambda: not lives(child))
        return worker, took, pool.running, server.told

    worker, took, running, told = tried(work, tmp_path)
    assert not lives(worker.process.pid)
    assert took < 30  # 3 s on a machine that has nothing else to do
    assert running == ""
    assert ("a", "stopped", STOPPED) in told


def test_a_worker_that_dies_in_a_run_lets_the_next_run(tmp_path):
    async def work(pool, server):
        await pool.run("a")
        await pool.run("b")
        os.kill(pool._by_audit["a"].process.pid, 9)
        await until(lambda: ("b", "begun") in server.told)
        return server.told

    told = tried(work, tmp_path)
    assert ("a", "failed", "The process of this audit ended (signal 9, probably memory).") in told


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc here")
def test_a_worker_that_holds_too_much_memory_is_ended(tmp_path):
    async def work(pool, server):
        await pool.run("a")
        await pool.ask("a", Asked("fill"))
        await until(lambda: not pool.running)
        return server.told

    told = tried(work, tmp_path, memory=100 << 20, beyond=100 << 20)
    said = "The audit needed more than 0.195 GiB: choose fewer checks, or start with more --memory."
    assert ("a", "failed", said) in told
    assert WorkerLimits().said.startswith("The audit needed more than 6 GiB: ")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the limit of data is that of Linux")
def test_memory_beyond_the_backstop_is_refused(tmp_path):
    async def work(pool, server):
        return await pool.ask("a", Asked("fill")), await pool.ask("a", Asked("who"))

    filled, after = tried(work, tmp_path, memory=50 << 20, beyond=50 << 20)  # 200 MiB of data, and 300 are asked for
    assert filled.status == 502
    assert after.status == 200


def test_no_room_for_another_process_is_said(tmp_path, monkeypatch):
    async def work(pool, server):
        async def refuse(*_):
            raise BlockingIOError(11, "Resource temporarily unavailable")

        monkeypatch.setattr(worker_pool, "start_worker", refuse)
        await pool.ask("a", Asked("who"))  # the spare one
        return await pool.ask("b", Asked("who"))

    answer = tried(work, tmp_path)
    assert answer.status == 503
    assert answer.said.startswith("This machine has no room for another process")


def test_a_run_that_ends_with_the_server_is_interrupted(tmp_path):
    async def work(pool, server):
        await pool.run("a")
        await pool.close()
        return server.told

    assert ("a", "stopped", INTERRUPTED) in tried(work, tmp_path)


def test_all_workers_end_with_the_pool(tmp_path):
    async def work(pool, server):
        return [pool.spare.process.pid, *[int((await pool.ask(name, Asked("who"))).html) for name in "ab"]]

    assert not any(map(lives, tried(work, tmp_path)))
