"""kill -9 of the server: workers end, finished audits are there, a run is interrupted, nothing half is left."""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest
from running_server import running
from trying_house import QUICK, small_tables

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc")
TOOL = [sys.executable, "-m", "seethrough", "open", "--no-browser", "--threads", "1"]
PATIENCE = 240.0


def open_tool(place):
    return running(place, TOOL, {"SEETHROUGH_STATE": str(place)})


def post(server, path, **fields):
    body = urlencode(fields, doseq=True).encode()
    told = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    return server.ask("POST", server.root + path, {**told, "Origin": server.origin}, body)


def put(server, path, content):
    told = {"Content-Type": "application/octet-stream", "Content-Length": str(len(content))}
    return server.ask("PUT", server.root + path, {**told, "Origin": server.origin}, content)


def until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def below(process):
    """All processes below one."""
    found, left = [], [process]
    while left:
        children = Path(f"/proc/{left.pop()}/task")
        for task in children.iterdir() if children.exists() else ():
            left += [int(word) for word in (task / "children").read_text().split()]
        found = sorted({*found, *left})
    return found


def lives(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def kill_all_at_once(server):
    """Kill the server, and who watches over it; wait for all that were below."""
    every = below(server.process.pid)
    serving = next(each for each in every if b"seethrough.web.worker" not in Path(f"/proc/{each}/cmdline").read_bytes())
    for process in (server.process.pid, serving):
        os.kill(process, signal.SIGKILL)
    until(lambda: not any(map(lives, every)), "a worker outlives the server")


def records(place):
    found = {}
    for folder in (place / "audits").iterdir():
        if not folder.name.startswith("."):
            found[folder.name] = json.loads((folder / "audit.json").read_text())
    return found


def new_audit(server):
    reply = post(server, "audits", **{"with": "nothing"})
    assert reply.status == 303, reply.whole
    return reply.headers["location"].rstrip("/").rpartition("/")[2]


def give_files(server, place, audit, tables):
    for role, content in tables.items():
        assert put(server, f"a/{audit}/files/{role}/0", content).status == 200
    until(lambda: records(place)[audit]["state"] == "ready", "files are not read")


def run(server, audit, **fields):
    return post(server, f"a/{audit}/run", **{**QUICK, **fields})


def assert_nothing_is_left(place):
    odd = ("tables", "records.parquet", "taken", "*.part", ".new-*", ".gone-*", "scratch-*")
    assert [found for pattern in odd for found in place.rglob(pattern)] == []


def test_after_kill_9_of_the_server_workers_end_and_the_run_is_interrupted(tmp_path):
    place = tmp_path / "state"
    with open_tool(place) as server:
        server.enter()
        finished, running_one = new_audit(server), new_audit(server)
        give_files(server, place, finished, small_tables())
        assert run(server, finished).status == 303
        until(lambda: records(place)[finished]["state"] == "done", "the run does not end")
        give_files(server, place, running_one, small_tables(600))
        assert run(server, running_one, check=("d-mlp", "recon", "infer")).status == 303
        until(lambda: records(place)[running_one]["state"] == "running", "the run does not begin")
        kill_all_at_once(server)
    assert (place / "audits" / finished / "report.json").is_file()
    assert not (place / "audits" / running_one / "report.json").exists()
    with open_tool(place) as server:
        server.enter()
        until(lambda: records(place)[running_one]["state"] == "stopped", "the run is not said to be interrupted")
        page = server.ask(path=server.root).body.decode()
        assert finished in page
        assert running_one in page
        assert server.ask(path=f"{server.root}a/{finished}/verdict").status == 200
        assert run(server, running_one).status == 303
        until(lambda: records(place)[running_one]["state"] == "done", "it cannot be run again")
    assert_nothing_is_left(place)


@pytest.mark.slow
def test_ten_times_kill_9_at_any_moment_loses_and_doubles_nothing(tmp_path):
    place, moments = tmp_path / "state", random.Random(18)
    done = []
    for _ in range(10):
        with open_tool(place) as server:
            server.enter()
            audit = new_audit(server)
            for role, content in small_tables(300).items():
                put(server, f"a/{audit}/files/{role}/0", content)
            run(server, audit)
            time.sleep(moments.uniform(0.0, 6.0))
            kill_all_at_once(server)
            if records(place).get(audit, {}).get("state") in {"running", "waiting", "done"}:
                done.append(audit)
    with open_tool(place) as server:
        server.enter()
        until(lambda: not {"running", "waiting"} & {each["state"] for each in records(place).values()}, "not tidied")
        assert set(records(place)) >= set(done)
    assert set(records(place)) == set(done)
    assert len(done) == len(set(done))
    assert_nothing_is_left(place)
