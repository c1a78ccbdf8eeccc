"""Events of an audit: a journal on disk, and streams that replay it and follow.

`events.jsonl` has one JSON a line, numbered; a torn last line is dropped. A stream begins after the number that the
browser saw last, sends a comment now and then so that nobody takes it for dead, and ends with the event `done`.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = "events.jsonl"
LAST = "done"
"""The event after which nothing comes."""
FIRST = frozenset({"waiting", "begun"})
"""Events with which a run begins: what stood before is about an earlier one."""
MOST_STREAMS = 4
RETRY = 2000
"""Milliseconds after which a browser asks again."""
COMMENT_EVERY = 15.0
_LOOK_EVERY = 1.0
"""Seconds between looks at a journal that another server writes."""


@dataclass(frozen=True)
class JournalEvent:
    """One event with its number."""

    number: int
    event: str
    data: Mapping[str, Any]

    def line(self) -> bytes:
        """Write it as a line of the journal."""
        told = {"n": self.number, "event": self.event, "data": self.data}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"

    def as_sent(self) -> bytes:
        """Write it as an event of a stream."""
        data = json.dumps(self.data, separators=(",", ":"))
        return f"id: {self.number}\nevent: {self.event}\ndata: {data}\n\n".encode()


@dataclass
class Journal:
    """The events of one audit. A journal that is `is_read_only` is written by another server, and looked at again."""

    path: Path
    is_read_only: bool = False
    events: list[JournalEvent] = field(default_factory=list)
    streams: set[asyncio.Event] = field(default_factory=set)
    _closed: bool = False

    def __post_init__(self) -> None:
        self._load()

    @property
    def last(self) -> int:
        """Give the number of the newest event."""
        return self.events[-1].number if self.events else 0

    @property
    def has_ended(self) -> bool:
        """Tell whether nothing more will come."""
        return self._closed or (bool(self.events) and self.events[-1].event == LAST)

    def append(self, event: str, data: Mapping[str, Any]) -> JournalEvent:
        """Add an event and tell all streams; a new run begins a new journal, whose numbers go on.

        Where the disk is full the event is told and not kept.
        """
        added = JournalEvent(self.last + 1, event, data)
        begins = event in FIRST
        if begins:
            self.events.clear()
        self.events.append(added)
        with suppress(OSError):
            self._write(added, begins=begins)
        for each in self.streams:
            each.set()
        return added

    def after(self, number: int) -> list[JournalEvent]:
        """Give the events after a number."""
        if self.is_read_only:
            self._load()
        return [each for each in self.events if each.number > number]

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        for each in self.streams:
            each.set()

    def follow(self, after: int) -> AsyncIterator[bytes] | None:
        """Replay from a number and follow; None where there are as many streams as may be."""
        if len(self.streams) >= MOST_STREAMS:
            return None
        return self._stream(after)

    async def _stream(self, after: int) -> AsyncIterator[bytes]:
        heard = asyncio.Event()
        self.streams.add(heard)
        try:
            yield f"retry: {RETRY}\n\n".encode()
            if self.has_ended and after >= self.last > 0:
                after = self.last - 1  # the page asks although all is told: it is told so again
            silent = 0.0
            while True:
                heard.clear()
                for each in self.after(after):
                    yield each.as_sent()
                    after, silent = each.number, 0.0
                if self.has_ended:
                    return
                silent += await _wait(heard, _LOOK_EVERY if self.is_read_only else COMMENT_EVERY)
                if silent >= COMMENT_EVERY:
                    yield b": still here\n\n"
                    silent = 0.0
        finally:
            self.streams.discard(heard)

    def _load(self) -> None:
        try:
            content = self.path.read_bytes()
        except OSError:
            return
        whole = content[: content.rfind(b"\n") + 1]
        self.events = list(_read_lines(whole))
        if len(whole) < len(content) and not self.is_read_only:
            with suppress(OSError):
                os.truncate(self.path, len(whole))

    def _write(self, added: JournalEvent, *, begins: bool) -> None:
        how = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if begins else os.O_APPEND)
        descriptor = os.open(self.path, how, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            line = added.line()
            if os.write(descriptor, line) < len(line):
                os.ftruncate(descriptor, size)
        finally:
            os.close(descriptor)


def _read_lines(content: bytes) -> Iterator[JournalEvent]:
    for line in content.splitlines():
        try:
            told = json.loads(line)
            yield JournalEvent(int(told["n"]), str(told["event"]), told["data"])
        except (ValueError, KeyError, TypeError):
            continue


async def _wait(heard: asyncio.Event, seconds: float) -> float:
    """Wait until something is heard; give the seconds that nothing was."""
    try:
        await asyncio.wait_for(heard.wait(), seconds)
    except TimeoutError:
        return seconds
    return 0.0
