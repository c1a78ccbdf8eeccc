"""From the command to the first page, a large file on its way in, what the server holds, who gets in uninvited."""

import time
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.findings import Finding
from benchmarks.measuring import ROOT
from benchmarks.web.driving import OpenTool, open_tool, resident

LARGE = 10**9
_PIECE = b"39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical\n" * 4096
_METHODS = ("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE")


def report() -> list[Finding]:
    """Measure how the tool begins and what it takes in."""
    first = min(_first_page() for _ in range(5))
    seconds, idle, peak, together = _upload()
    speed = LARGE / 1e6 / seconds
    return [
        Finding("`seethrough open`, from the command to the first page", first, "s", at_most=0.5, detail="best of 5"),
        Finding("a file of 1 GB on its way in", speed, "MB/s", at_least=100, detail=f"{seconds:.1f} s"),
        Finding("the server's memory meanwhile, at most", peak / 1e6, "MB", at_most=200),
        Finding("the server's memory before, without a request for a worker", idle / 1e6, "MB", at_most=60),
        Finding("the server and a worker that is ready", together / 1e6, "MB", at_most=300),
        Finding("packages that the extra brings", float(len(_brought())), "", at_most=6, detail=", ".join(_brought())),
        Finding("routes that answer without the cookie", float(_open_routes()), "", at_most=0),
    ]


def _first_page() -> float:
    begun = time.perf_counter()
    with open_tool() as tool:
        tool.enter()
        tool.get("")
        return time.perf_counter() - begun


def _upload() -> tuple[float, int, int, int]:
    """Send a large file; give the seconds, the server's memory before and at most, and that of all when ready."""
    with open_tool("--limit", "2GiB") as tool:
        tool.enter()
        idle = resident(tool.server_id())
        audit = tool.post("audits")
        tool.get(f"{audit}files")
        time.sleep(3)  # until the worker has loaded everything
        together = sum(resident(process) for process in tool.process_ids())
        begun = time.perf_counter()
        told = {"Content-Length": str(LARGE)}
        status, _, page = tool.ask("PUT", f"{audit}files/real/0", _pieces(), told)
        taken = time.perf_counter() - begun
        assert status == 200, page
        return taken, idle, resident(tool.server_id(), peak=True), together


def _pieces() -> Iterator[bytes]:
    left = LARGE
    while left > 0:
        yield _PIECE[:left]
        left -= len(_PIECE)


def _brought() -> list[str]:
    """Name the packages that the extra `web` needs and the program without it does not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(_needed(project["optional-dependencies"]["web"]) - _needed(project["dependencies"]))


def _needed(said: list[str]) -> set[str]:
    """Name packages and all that they need, as they are installed here."""
    found, left = set[str](), [Requirement(each) for each in said]
    while left:
        needed = left.pop()
        name = canonicalize_name(needed.name)
        if name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
            found.add(name)
            left += [Requirement(each) for each in requires(name) or ()]
    return found


def _open_routes() -> int:
    """Ask for every route by every method without a cookie; count what is answered with anything but a refusal."""
    from seethrough.web.app import ROUTES

    with open_tool() as tool:
        tool.enter()
        tool.cookie = ""
        paths = {route.path for route in ROUTES} - {"/enter"}
        return sum(_is_open(tool, method, path) for path in paths for method in _METHODS)


def _is_open(tool: OpenTool, method: str, path: str) -> bool:
    for name in ("audit", "name", "role", "n", "number"):
        path = path.replace(f"{{{name}}}", "real" if name == "role" else "0")
    return tool.ask(method, path, b"a=b" if method in ("POST", "PUT") else None)[0] < 400
