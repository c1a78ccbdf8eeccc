"""What the routes ask for: audits behind their ids, and nothing of how they are kept or computed."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from seethrough.web.messages import Answer, Asked

Form = Mapping[str, tuple[str, ...]]
"""What was posted; a field may stand there several times."""


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for.

    `offered` are files without a role, chosen in the browser by their number; `audit` is a folder that an audit wrote.
    `limit` and `memory` are bytes, `threads` 0 is one for each core. `keeps` keeps tables, `is_private` no history.
    """

    offered: tuple[Path, ...] = ()
    real: Path | None = None
    synthetic: tuple[Path, ...] = ()
    holdout: Path | None = None
    secrets: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    audit: Path | None = None
    limit: int = 2 << 30
    memory: int = 4 << 30
    threads: int = 0
    keeps: bool = False
    is_private: bool = False
    warning: str = ""


class Rooms(Protocol):
    """The audits of one server. `to` of an answer is relative to `a/ID/`, so `../../` is the start page."""

    @property
    def folder(self) -> Path:
        """Give the state folder, which is this user's alone."""

    def opening(self) -> str:
        """Give the page to begin with, below the start page: `a/ID/` where the command line names what to open."""

    async def start(self) -> None:
        """Make ready: start a spare worker, remove what dead servers left."""

    async def close(self) -> None:
        """End all workers and remove the tables that are not kept."""

    def is_busy(self) -> bool:
        """Tell whether a run goes on, so that the server does not end for being idle."""

    def listing(self) -> tuple[Mapping[str, Any], ...]:
        """Give the rows of the start page."""

    async def create(self, *, sample: bool) -> str:
        """Make a new audit, with the shipped tables in it or without any; give its id."""

    def holds(self, audit: str) -> bool:
        """Tell whether there is an audit with this id."""

    async def ask(self, audit: str, asked: Asked) -> Answer:
        """Have the worker of an audit make a page."""

    async def run(self, audit: str, form: Form) -> Answer:
        """Begin a run."""

    async def cancel(self, audit: str) -> Answer:
        """Stop a run."""

    async def receive(
        self, audit: str, place: tuple[str, str], label: str, length: int, pieces: AsyncIterator[bytes]
    ) -> Answer:
        """Store a file that arrives in pieces; `place` is its role and number, `label` its name there."""

    def follow(self, audit: str, after: int) -> AsyncIterator[bytes] | None:
        """Give events after a number as an event stream; None where too many follow already."""

    async def download(self, audit: str, name: str) -> Path | None:
        """Find a file to be taken away by its name in the address, or make it."""

    async def manage(self, audit: str, what: str, form: Form) -> Answer:
        """Rename, keep, forget the tables of, or delete an audit."""
