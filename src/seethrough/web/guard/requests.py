"""A request as the guard sees it: its head, and its body as it arrives."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

DOOR = "/enter"
"""The one path that needs no cookie."""
STALLED = 60.0
"""Seconds without a byte of a body that was announced."""


class Stalled(Exception):
    """A body that was announced stopped arriving."""


class Head:
    """The head of a request: its method, path and headers."""

    def __init__(self, scope: Scope) -> None:
        self.method: str = scope["method"]
        self.path: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "replace")
        self.query: bytes = scope.get("query_string", b"")
        self._headers: list[tuple[bytes, bytes]] = [(name.lower(), value) for name, value in scope["headers"]]

    def all(self, name: bytes) -> list[bytes]:
        """Give all values of a header."""
        return [value for each, value in self._headers if each == name]

    def first(self, name: bytes) -> bytes | None:
        """Give the first value of a header, None where there is none."""
        return next(iter(self.all(name)), None)

    def size(self) -> int:
        """Count the bytes of all headers, as they stand on their lines."""
        return sum(len(name) + len(value) + 4 for name, value in self._headers)

    def has_body(self) -> bool:
        """Tell whether bytes follow."""
        return self.first(b"content-length") not in (None, b"0") or self.first(b"transfer-encoding") is not None

    def is_door(self) -> bool:
        """Tell whether this asks for the one page that needs no cookie."""
        return self.method == "GET" and self.path == DOOR.encode()


class ArrivingBody:
    """Hands the body on as it arrives; a body that stops arriving is an error."""

    def __init__(self, receive: Receive, patience: float) -> None:
        self._receive, self._patience, self.is_whole = receive, patience, False

    async def __call__(self) -> Event:
        """Give the next event."""
        if self.is_whole:
            return await self._receive()
        try:
            event = await asyncio.wait_for(self._receive(), self._patience)
        except TimeoutError:
            raise Stalled from None
        self.is_whole = not event.get("more_body", False)
        return event
