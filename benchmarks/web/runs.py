"""A run in the tool: from dropped files to the verdict, Stop, kill -9, and an audit that was stored."""

import io
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from benchmarks.findings import Finding
from benchmarks.panel import mixed_rows
from benchmarks.web.driving import OpenTool, alive, open_tool

ROWS = 11_097
_LOOK_EVERY = 0.02
_FILES = ("real", "synthetic", "holdout")
PAGES = (
    *("files", "columns", "question", "run", "verdict", "scores", "checks/gcap", "checks/recon", "person", "attacker"),
    *("people", "columns/1", "groups", "map", "compare", "whatif", "take"),
)


def report() -> list[Finding]:
    """Drop three files and run with defaults; stop a run; open what was stored; kill the server."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "state"
        with open_tool(state=place) as tool:
            tool.enter()
            _let_worker_get_ready(tool)
            runs = [_drop_and_run(tool) for _ in range(3)]
            audit, verdict, checks, whole = runs[0][0], *(min(each[at] for each in runs) for at in (1, 2, 3))
            first, later = _weigh(tool, audit)
            stopped = _stop(tool)
        stored = min(_open_stored(place, audit) for _ in range(3))
        killed = _kill(place)
    size = f"three files of {ROWS:,} rows x 18, from the first byte; a worker is ready; best of 3"
    return [
        Finding("from the drop to the verdict", verdict, "s", at_most=10, detail=size),
        Finding("from the drop to the last of 24 checks", checks, "s", at_most=20, detail=size),
        Finding("from the drop to the end of the run, its report written", whole, "s", detail=size),
        Finding("the heaviest page with its style and script", first / 1e3, "kB", at_most=300, detail=size),
        Finding("the heaviest page alone", later / 1e3, "kB", at_most=200),
        Finding("from Stop to the end of the process", stopped, "s", at_most=3),
        Finding("a stored audit, from the request to the verdict", stored, "s", at_most=2, detail="best of 3"),
        Finding("from kill -9 of the server to the end of its workers", killed, "s", at_most=3),
    ]


def _tables() -> dict[str, bytes]:
    drawn = mixed_rows(-(-3 * ROWS // 2))  # which gives twice as many
    return {role: _csv(drawn[at * ROWS : (at + 1) * ROWS]) for at, role in enumerate(_FILES)}


def _csv(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_csv(buffer)
    return buffer.getvalue()


def _drop(tool: OpenTool, tables: dict[str, bytes]) -> str:
    audit = tool.post("audits", "with=nothing")
    for role, content in tables.items():
        status, _, page = tool.ask("PUT", f"{audit}files/{role}/0", content, {"Seethrough-Label": f"{role}.csv"})
        assert status == 200, page
    return audit


def _drop_and_run(tool: OpenTool) -> tuple[str, float, float, float]:
    """Give the audit, and the seconds to its verdict, to the outcome of its last check and to its end."""
    tables = _tables()
    begun = time.perf_counter()
    audit = _drop(tool, tables)
    tool.post(f"{audit}run")
    verdict = last = 0.0
    for line, moment in tool.events(f"{audit}events"):
        if line == "event: verdict":
            verdict = moment
        if line == "event: outcome":
            last = moment
        if line == "event: done":
            return audit, verdict - begun, last - begun, moment - begun
    raise AssertionError("the run did not end")


def _weigh(tool: OpenTool, audit: str) -> tuple[int, int]:
    """Give the bytes of the heaviest page of the audit, with what it loads and alone; pages are sent as they are."""
    pages = {page: tool.get(f"{audit}{page}") for page in PAGES}
    heaviest = max(pages.values(), key=len)
    loaded = {name.decode() for name in re.findall(rb"static/([\w-]+)", heaviest)}
    return len(heaviest) + sum(len(tool.get(f"static/{name}")) for name in loaded), len(heaviest)


def _begin(tool: OpenTool) -> str:
    """Begin a run that takes a while, and wait until it computes."""
    audit = _drop(tool, _tables())
    tool.post(f"{audit}run")
    for line, _ in tool.events(f"{audit}events"):
        if line == "event: progress":
            return audit
    raise AssertionError("the run did not begin")


def _stop(tool: OpenTool) -> float:
    audit = _begin(tool)
    workers = [process for process in tool.process_ids() if process != tool.server_id()]
    begun = time.perf_counter()
    tool.post(f"{audit}cancel")
    _wait(lambda: any(not alive(process) for process in workers))
    return time.perf_counter() - begun


def _open_stored(place: Path, audit: str) -> float:
    with open_tool(state=place) as tool:
        tool.enter()
        _let_worker_get_ready(tool)
        begun = time.perf_counter()
        tool.get(f"{audit}verdict")
        return time.perf_counter() - begun


def _let_worker_get_ready(tool: OpenTool) -> None:
    """Open the first page and look at it as long as a user does who picks files; the spare worker loads meanwhile."""
    tool.get("")
    _wait(lambda: len(tool.process_ids()) > 1)
    time.sleep(3)


def _kill(place: Path) -> float:
    with open_tool(state=place) as tool:
        tool.enter()
        _begin(tool)
        server = tool.server_id()
        workers = [process for process in tool.process_ids() if process != server]
        begun = time.perf_counter()
        os.kill(server, signal.SIGKILL)
        _wait(lambda: not any(map(alive, workers)))
        return time.perf_counter() - begun


def _wait(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(_LOOK_EVERY)
