"""A tool that is started, asked over its socket as a browser would, and ended."""

import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measuring import ROOT, Absent

FORM, BYTES = "application/x-www-form-urlencoded", "application/octet-stream"
PATIENCE = 600.0


@dataclass
class OpenTool:
    """A running tool, and the cookie for it."""

    process: "subprocess.Popen[str]"
    port: int
    token: str
    cookie: str = ""
    root: str = ""
    weights: dict[str, int] = field(default_factory=dict)

    def enter(self) -> None:
        """Follow the link."""
        _, headers, _ = self.ask("GET", f"/enter?token={self.token}")
        given = headers["set-cookie"]
        self.cookie, self.root = given.partition(";")[0], re.findall(r"Path=([^;]+)", given)[0]

    def ask(
        self, method: str, path: str, body: object = None, told: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request and read its answer; paths without a slash are below the root."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if method in ("POST", "PUT"):
            kind = FORM if method == "POST" else BYTES
            headers |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": kind}
        whole = path if path.startswith("/") else self.root + path
        connection.request(method, whole, body, headers | (told or {}))  # type: ignore[arg-type]
        reply = connection.getresponse()
        found = reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
        connection.close()
        return found

    def get(self, path: str) -> bytes:
        """Load a page; an answer other than 200 is an error of the benchmark."""
        status, _, page = self.ask("GET", path)
        assert status == 200, (path, status, page[:500])
        return page

    def post(self, path: str, body: str = "") -> str:
        """Send a form; give where it leads, below the root, or nothing where it answers with a page."""
        status, headers, page = self.ask("POST", path, body.encode())
        assert status in (200, 303), (path, status, page[:500])
        return headers.get("location", "").removeprefix(self.root)

    def events(self, path: str) -> Iterator[tuple[str, float]]:
        """Follow a stream of events: each line, and when it came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", self.root + path, headers={"Cookie": self.cookie})
        reply = connection.getresponse()
        try:
            while line := reply.readline():
                yield line.decode().rstrip("\n"), time.perf_counter()
        finally:
            connection.close()

    def process_ids(self) -> list[int]:
        """Give the server's process and those that it started."""
        found, left = [], _children(self.process.pid)
        while left:
            found.append(left.pop())
            left += _children(found[-1])
        return found

    def server_id(self) -> int:
        """Give the process that serves; the first one watches over it."""
        return _children(self.process.pid)[0]


@contextmanager
def open_tool(*words: object, state: Path | None = None) -> Iterator[OpenTool]:
    """Start the tool with this state folder or one of its own, wait for its link, and end it at last."""
    if sys.platform != "linux":
        raise Absent("asks Linux about processes")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "seethrough", "open", "--no-browser", *map(str, words)]
        told = {**os.environ, "SEETHROUGH_STATE": str(state or Path(folder) / "state")}
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=told,
            cwd=ROOT,
        )
        assert process.stdout
        try:
            link = re.search(r":(\d+)/enter\?token=([\w-]+)", process.stdout.readline())
            assert link, "the tool said no link"
            yield OpenTool(process, int(link[1]), link[2])
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)


def resident(process: int, *, peak: bool = False) -> int:
    """Give the bytes that a process holds in memory, or held at most."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    found = re.search(rf"{'VmHWM' if peak else 'VmRSS'}:\s+(\d+)", status)
    return int(found[1]) << 10 if found else 0


def alive(process: int) -> bool:
    """Tell whether a process lives."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] not in {"Z", "X"}


def _children(process: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except FileNotFoundError:
        return []
