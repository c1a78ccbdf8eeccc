"""Requests that no browser of the user makes, sent to our tool and to other local dashboards, side by side.

    python -m benchmarks.web.other_servers [PROGRAM ...]      # part of `make bench-peers`

Each program is installed into an environment of its own and started on 127.0.0.1 as its documentation says. A request
gets in where it is answered by 2xx or 101, or for a preflight where the answer allows the other site. PrivEval is one
page served by Streamlit, which stands for it here; LeakPro's own tool is not on PyPI.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks import record
from benchmarks.findings import Finding
from benchmarks.measuring import ROOT
from benchmarks.peers.running import NotInstalled, environment
from benchmarks.web.driving import open_tool

ENVIRONMENTS = ROOT / ".venv-peers"
PATIENCE = 180.0
NAME = "hostile-requests"


@dataclass(frozen=True)
class LocalServer:
    """A program: what pip is asked for, its command line, and one request that changes something in it."""

    name: str
    wanted: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    change: tuple[str, str]
    page: str = "/"


_OPTUNA = "import optuna; optuna.create_study(storage='sqlite:///x.db'); from optuna_dashboard._cli import main; main()"
SERVERS = (
    LocalServer(
        "optuna-dashboard",
        (("optuna-dashboard==0.21.0",),),
        ("-c", _OPTUNA, "sqlite:///x.db", "--host", "127.0.0.1", "--port", "{port}"),
        ("/api/studies", '{{"study_name": "s{port}", "directions": ["minimize"]}}'),
        "/dashboard/",
    ),
    LocalServer(
        "MLflow",
        (("mlflow==3.17.2",),),
        ("-m", "mlflow", "server", "--host", "127.0.0.1", "--port", "{port}", "--workers", "1"),
        ("/api/2.0/mlflow/experiments/create", '{{"name": "e{port}"}}'),
    ),
    LocalServer(
        "Streamlit (PrivEval)",
        (("streamlit==1.67.0",),),
        ("-m", "streamlit", "run", "page.py", "--server.headless", "true", "--server.address", "127.0.0.1",
         "--server.port", "{port}", "--browser.gatherUsageStats", "false"),
        ("/_stcore/upload_file/a/b", "x"),
    ),
)  # fmt: skip

_SOCKET = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: QUFBQUFBQUFBQUFBQUFBQQ==\r\n"
)
REQUESTS: dict[str, str] = {
    "page, without login": "GET {page} HTTP/1.1\r\nHost: {host}\r\n",
    "page, Host evil.example": "GET {page} HTTP/1.1\r\nHost: evil.example\r\n",
    "page, Host 127.0.0.1.evil.example": "GET {page} HTTP/1.1\r\nHost: 127.0.0.1.evil.example:{port}\r\n",
    "page, two Hosts": "GET {page} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n",
    "GET http://evil.example/": "GET http://evil.example{page} HTTP/1.1\r\nHost: {host}\r\n",
    "image of another site": (
        "GET {page} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n"
    ),
    "change, form of another site": (
        "POST {change} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\n"
        "Content-Type: text/plain\r\nContent-Length: {length}\r\n"
    ),
    "change, script of another site": (
        "POST {change} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n"
        "Content-Type: application/json\r\nContent-Length: {length}\r\n"
    ),
    "preflight of another site": (
        "OPTIONS {change} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n"
        "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n"
    ),
    "socket of another site": "GET {socket} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n" + _SOCKET,
    "HEAD": "HEAD {page} HTTP/1.1\r\nHost: {host}\r\n",
}  # fmt: skip


def main(names: list[str]) -> None:
    """Ask all programs, or those named, print the answers side by side, and keep what was found."""
    answers = {"seethrough open": _ask_ours()}
    for server in SERVERS:
        if not names or server.name in names:
            try:
                answers[server.name] = _ask_other(server)
            except (NotInstalled, TimeoutError) as reason:
                print(f"{server.name}: left out, {reason}", flush=True)
    print_table(answers)
    entry = record.Entry(tuple(findings(answers)), record.circumstances())
    kept = record.read()
    kept["benchmarks"][NAME] = entry.to_dict()
    record.write(kept)


def findings(answers: dict[str, dict[str, str]]) -> list[Finding]:
    """Count what got in, and name it."""
    return [
        Finding(
            f"{name}: of {len(REQUESTS)} requests get in",
            float(len(let_in := [request for request, said in found.items() if _is_in(said)])),
            at_most=0 if name == "seethrough open" else None,
            detail="; ".join(f"{request} ({found[request]})" for request in let_in),
        )
        for name, found in answers.items()
    ]


def print_table(answers: dict[str, dict[str, str]]) -> None:
    """Print what each program answers, a request a line."""
    width = max(map(len, REQUESTS))
    print(" " * width, *(f"{name:>22}" for name in answers))
    for request in REQUESTS:
        print(f"{request:<{width}}", *(f"{found[request]:>22}" for found in answers.values()))


def _is_in(said: str) -> bool:
    return said.startswith(("2", "101"))


def _ask_ours() -> dict[str, str]:
    with open_tool() as tool:
        tool.enter()
        page = tool.root
        return _answers(tool.port, page, f"{page}audits", f"{page}a/x/events", "with=nothing")


def _ask_other(server: LocalServer) -> dict[str, str]:
    port = _free_port()
    with _running(server, port):
        path, body = (text.format(port=port) for text in server.change)
        return _answers(port, server.page, path, "/_stcore/stream", body)


def _answers(port: int, page: str, change: str, stream: str, body: str) -> dict[str, str]:
    told = {"host": f"127.0.0.1:{port}", "port": port, "page": page, "change": change, "socket": stream}
    found = {}
    for name, request in REQUESTS.items():
        head = request.format(**told, length=len(body)) + ("" if "Upgrade" in request else "Connection: close\r\n")
        reply = _send(port, (head + "\r\n" + (body if "POST" in request else "")).encode())
        found[name] = _judge(name, reply)
    return found


def _judge(request: str, reply: str) -> str:
    """Say the status; a preflight is let in where the other site is allowed."""
    status = re.match(r"HTTP/1\.[01] (\d{3})", reply)
    if not status:
        return "closed"
    if request.startswith("preflight"):
        allows = re.search(r"(?im)^access-control-allow-origin: *(\*|http://evil\.example)", reply)
        return f"{status[1]}" if allows else f"no ({status[1]})"
    return status[1]


def _send(port: int, content: bytes) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection, suppress(OSError):
        connection.sendall(content)
        found = b""
        while b"\r\n\r\n" not in found and (piece := connection.recv(65536)):
            found += piece
        return found.decode("latin-1")
    return ""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _running(server: LocalServer, port: int) -> Iterator[None]:
    """Install a program, start it in a folder of its own, wait until it answers, and end it."""
    folder = ENVIRONMENTS / re.sub(r"[^a-z]+", "-", server.name.lower()).strip("-")
    python = environment(folder, server.wanted)
    with tempfile.TemporaryDirectory() as name:
        Path(name, "page.py").write_text("import streamlit\nstreamlit.write('a page')\n")
        words = [str(python), *(word.format(port=port) for word in server.words)]
        process = subprocess.Popen(
            words, cwd=name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            _wait_for(process, port, server.page)
            yield
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for(process: "subprocess.Popen[bytes]", port: int, page: str) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and process.poll() is None:
        with suppress(OSError):
            if _send(port, f"GET {page} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()):
                return
        time.sleep(0.5)
    raise TimeoutError("it did not start")


if __name__ == "__main__":
    main(sys.argv[1:])
