"""The server from its first to its last moment: socket, link, browser, signals, idleness, end.

Nothing here computes: tables and numbers live in workers. The server answers before the first of them is ready.
"""

import asyncio
import os
import re
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

from seethrough.system.private_folders import private_folder, write_private
from seethrough.system.signals import STOPPING
from seethrough.web.app import App, Routing
from seethrough.web.guard.guard import Guard
from seethrough.web.guard.requests import DOOR
from seethrough.web.listening.addresses import ListeningPlace
from seethrough.web.listening.connections import make_server, open_socket
from seethrough.web.listening.door import Door
from seethrough.web.listening.start_files import StartFile, has_browser, open_browser
from seethrough.web.request_log import RequestLog
from seethrough.web.rooms import Rooms, Wishes
from seethrough.web.visits import Tool

IDLE = 8 * 3600.0
"""Seconds without a request and without a run after which the server ends."""
_TICK = 1.0
_FAREWELL = 0.5
"""Seconds in which the page that says goodbye loads what it shows."""
_SITE = re.compile(r"[0-9a-f]{16}")
_SITE_FILE = "site"
_OTHERS_SEE_NOTHING = 0o077
Say = Callable[[str], None]
MakeRooms = Callable[[Wishes], Rooms]


@dataclass(frozen=True)
class Manner:
    """How the server behaves towards the terminal: what it says there and logs, and whether it opens a browser."""

    say: Say
    log: Say
    opens_browser: bool = True
    idle: float = IDLE


@dataclass
class ServerEnding:
    """Why the server ended: a signal of this number, or what `reason` says."""

    number: int = 0
    reason: str = "ended from the browser"


def serve(make_rooms: MakeRooms, wishes: Wishes, place: ListeningPlace, manner: Manner) -> ServerEnding:
    """Serve until the user ends it, a signal comes, or nobody asked for long; then clean up."""
    os.umask(_OTHERS_SEE_NOTHING)
    with open_socket(place) as listening, private_folder("start") as folder:
        wishes = replace(wishes, warning=place.warning)
        rooms = make_rooms(wishes)
        serving = Serving(rooms, wishes, place.at_port(listening.getsockname()[1]), manner, StartFile(folder))
        with _take_signals(serving.stop):
            asyncio.run(serving.run(listening))
    return serving.ending


class Serving:
    """One server: its audits, its place, its way in."""

    def __init__(
        self, rooms: Rooms, wishes: Wishes, place: ListeningPlace, manner: Manner, start_file: StartFile
    ) -> None:
        self._rooms, self._place, self._manner, self._start_file = rooms, place, manner, start_file
        self.ending = ServerEnding()
        self._door, self._log, names = Door(), RequestLog(manner.log), place.make_names()
        site = site_name(rooms.folder)
        tool = Tool(rooms, self._door, names, site, wishes, self._end_soon)
        routing = Routing(site, wishes.limit)
        guard = Guard(App(tool, routing), names, routing.rules, self._log, lambda: self._server.is_full())
        self._server = make_server(guard, self._log)

    async def run(self, listening: Any) -> None:
        """Answer on a socket until the end."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._note_error)
        self._offer_link(opens_browser=self._manner.opens_browser)
        _on_enter(lambda: loop.call_soon_threadsafe(self._offer_link))
        tasks = [loop.create_task(self._rooms.start()), loop.create_task(self._watch())]
        try:
            await self._server.serve(sockets=[listening])
        finally:
            self._start_file.remove()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._rooms.close()

    def stop(self, number: int) -> None:
        """End because a signal came."""
        self.ending = ServerEnding(number, "stopped")
        self._server.should_exit = True

    def _end_soon(self) -> None:
        asyncio.get_running_loop().call_later(_FAREWELL, setattr, self._server, "should_exit", True)

    def _offer_link(self, *, opens_browser: bool = False) -> None:
        """Say a new link; the one before opens nothing any more."""
        link = f"{self._place.origin()}{DOOR}?token={self._door.issue_token()}"
        self._start_file.remove()
        self._manner.say(f"Seethrough is at {link}")
        if opens_browser and has_browser():
            self._manner.say("The link opens once, and your browser is opening it now.")
            open_browser(self._start_file.write(link), lambda: self._manner.say("No browser could be opened."))
        self._manner.say("Press Enter for a new link, Ctrl-C to end.")

    async def _watch(self) -> None:
        """Remove the start file once it is used, and end the server once nobody uses it."""
        while True:
            await asyncio.sleep(_TICK)
            if not self._door.is_waiting():
                self._start_file.remove()
            if self._rooms.is_busy():
                self._log.latest = time.monotonic()
            elif time.monotonic() - self._log.latest > self._manner.idle:
                self.ending = ServerEnding(reason=f"nobody asked for {self._manner.idle / 3600:g} hours")
                self._server.should_exit = True

    def _note_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(error := context.get("exception"), Exception):
            self._log.note_error(error)


def site_name(folder: Path) -> str:
    """Give the random name under which all pages live, the same at every start; others cannot guess it.

    Cookies are not separated by port, only by path: the name keeps them from whatever else listens on this machine.
    """
    place = folder / _SITE_FILE
    with suppress(OSError, UnicodeDecodeError):
        if _SITE.fullmatch(name := place.read_text(encoding="ascii")):
            return name
    name = secrets.token_hex(8)
    made = place.with_name(f"{_SITE_FILE}-{name}")
    write_private(made, name.encode("ascii"))
    made.replace(place)
    return name


@contextmanager
def _take_signals(stop: Callable[[int], None]) -> Iterator[None]:
    """Have signals that would end the process end the server in order; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  as handlers are called
        stop(number)

    taken = [number for number in STOPPING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in taken}
    if hasattr(signal, "SIGTTIN"):  # a server in the background that reads the terminal would be halted
        before[signal.SIGTTIN] = signal.signal(signal.SIGTTIN, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _on_enter(do: Callable[[], object]) -> None:
    """Call when a line is typed in the terminal, as long as there is one."""

    def read() -> None:
        with suppress(OSError, RuntimeError):  # no terminal, or the server has ended
            while os.read(0, 4096):
                do()

    threading.Thread(target=read, daemon=True).start()
