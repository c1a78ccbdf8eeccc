"""A server in a process of its own, asked over raw sockets; ended by who started it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 30.0
SCRIPT = Path(__file__).with_name("pretend_server.py")


@dataclass
class Raw:
    """What came back: the status of each answer, headers of the first, everything after them."""

    whole: bytes

    @property
    def status(self):
        found = re.match(rb"HTTP/1\.1 (\d{3})", self.whole)
        return int(found[1]) if found else None

    @property
    def head(self):
        return self.whole.partition(b"\r\n\r\n")[0]

    @property
    def body(self):
        return self.whole.partition(b"\r\n\r\n")[2]

    @property
    def headers(self):
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


@contextmanager
def default_signals():
    """Start processes that signals end; under nohup, or in the background of a script, they would ignore them."""
    usual = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


class RunningServer:
    """A process that serves; `link` is the newest that it has said."""

    def __init__(self, folder, words, environment=None):
        self.folder, self.lines = Path(folder), []
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  as long as the server
        told = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path)), **(environment or {})}
        with default_signals():
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=told
            )
        self.cookie = ""

    def read_link(self):
        """Wait for the next link that it says."""
        while line := self.process.stdout.readline():
            self.lines.append(line.rstrip("\n"))
            if line.startswith("Press Enter"):
                break
        said = next((line for line in reversed(self.lines) if "Seethrough is at " in line), None)
        assert said, (self.lines, self.log())
        self.link = said.removeprefix("Seethrough is at ")
        self.origin, _, self.door = self.link.partition("/enter")
        self.host = self.origin.partition("://")[2]
        self.door = "/enter" + self.door
        return self.link

    @property
    def port(self):
        return int(self.host.rpartition(":")[2])

    def log(self):
        """What it has written on standard error so far."""
        place = os.dup(self.errors.fileno())
        with os.fdopen(place) as file:
            file.seek(0)
            return file.read()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def send(self, content, *, waits=True):
        """Send bytes and read until the server ends the connection."""
        with self.connect() as connection:
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(content)
            if waits is not True:
                time.sleep(waits)
            return Raw(read_all(connection))

    def ask(self, method="GET", path="/", headers=(), body=b"", **changed):
        """Ask with the cookie as the one browser does; a header of None is left out."""
        told = {"Host": self.host, "Cookie": self.cookie, "Connection": "close", **dict(headers)}
        told |= {name.replace("_", "-"): value for name, value in changed.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items() if value)]
        return self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def enter(self):
        """Follow the link, and keep the cookie."""
        reply = self.ask("GET", self.door)
        assert reply.status == 200, reply.whole
        cookie = reply.headers["set-cookie"]
        self.cookie = cookie.partition(";")[0]
        self.root = re.search(r"Path=([^;]+)", cookie)[1]
        return self

    def end(self, number=signal.SIGTERM):
        """End it, and give what it said last."""
        if self.process.poll() is None and number:
            self.process.send_signal(number)
        with suppress(ValueError, BrokenPipeError):
            self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait(PATIENCE)
        return rest


@contextmanager
def running(folder, words, environment=None):
    """Start a server, and end it at the end, whatever came of it."""
    server = RunningServer(folder, words, environment)
    try:
        server.read_link()
        yield server
    finally:
        if server.process.poll() is None:
            server.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(PATIENCE)
            server.process.kill()
        server.process.stdout.close()
        server.process.wait()
        with suppress(OSError):
            server.process.stdin.close()
        server.errors.close()


def pretend_server(folder, **options):
    """Serve audits that are made up."""
    return running(folder, [sys.executable, str(SCRIPT), str(folder), json.dumps(options)])


def read_all(connection):
    """Read until the other side has ended; a connection that is reset has said what it had to say."""
    found = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            found += piece
    return found
