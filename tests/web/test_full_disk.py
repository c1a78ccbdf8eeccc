"""A disk that is really full: the state folder lies on a small file system in memory, seen by the server alone."""

import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
from running_server import PATIENCE, running
from trying_house import small_tables

MOUNT = 'mount -t tmpfs -o size=1m,mode=700 tmpfs "$0" && exec "$@"'
CONFINED = ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT]
FORM = "application/x-www-form-urlencoded"


def can_mount(folder):
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*CONFINED, str(folder), "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def disk(tmp_path):
    """A folder for the state, on which the server finds a mebibyte of its own."""
    folder = tmp_path / "state"
    folder.mkdir(0o700)
    if not can_mount(folder):
        pytest.skip("this system lets users mount no file system of their own")
    return folder


@pytest.fixture
def server(disk, tmp_path):
    words = [*CONFINED, str(disk), sys.executable, "-m", "seethrough", "open", "--no-browser"]
    for role, content in small_tables(30).items():
        (tmp_path / f"{role}.csv").write_bytes(content)
        words += [f"--{role}", str(tmp_path / f"{role}.csv")]
    with running(tmp_path, words, {"SEETHROUGH_STATE": str(disk), "OMP_NUM_THREADS": "1"}) as server:
        yield server.enter()


def page(server, address):
    answer = server.ask("GET", address)
    assert answer.status == 200, answer.whole
    return answer.body.decode()


def until(server, address, said):
    ends = time.monotonic() + 4 * PATIENCE
    while said not in (found := page(server, address)):
        assert time.monotonic() < ends, found
        time.sleep(0.1)
    return found


def post(server, address, **fields):
    body = urlencode(fields).encode()
    headers = {"Origin": server.origin, "Content-Type": FORM, "Content-Length": str(len(body))}
    return server.ask("POST", address, headers, body)


def fill(folder):
    with suppress(OSError), (folder / "filling").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_a_full_disk_refuses_files_and_ends_a_run_in_a_sentence_and_pages_still_work(server, disk):
    seen = Path(f"/proc/{server.process.pid}/root{disk}")
    audit = server.root + re.search(r'href="(a/[0-9a-f]+/)', page(server, server.root))[1]
    until(server, f"{audit}files", "Run with the usual settings")
    version = re.search(r'name="version" value="(\d+)"', page(server, f"{audit}question"))[1]
    assert post(server, f"{audit}question", preset="choose", check="ks", version=version).status == 303
    sent = {"Origin": server.origin, "Content-Type": "application/octet-stream", "Content-Length": "6"}
    assert server.ask("PUT", f"{audit}files/synthetic/1", sent, b"a,b\n1,").status == 507
    fill(seen)
    before = {each.name for each in (seen / "audits").rglob("*")}
    assert post(server, f"{audit}run").status == 303
    assert "incomplete, no verdict" in until(server, f"{audit}run", "The disk is full")
    for name in ("files", "columns", "question", "verdict", "scores", "take"):
        page(server, f"{audit}{name}")
    assert "failed, no verdict" in page(server, server.root)
    # Of the journal, lines that are torn are not read.
    assert {each.name for each in (seen / "audits").rglob("*")} - {"events.jsonl"} == before
