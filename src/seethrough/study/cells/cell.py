"""Cells: the single results of a study, and the groups of them that share a fitted generator.

The key of a cell is made of everything that decides its result, and of nothing else: two plans that ask for the same
result share it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from seethrough.errors import ConfigError

FORMAT = 1
"""Grows whenever the same key would stand for another result."""


class Status(Enum):
    """What became of a cell."""

    DONE = "done"
    SKIPPED = "skipped"
    """It does not apply; the reason is kept, and it would be the same again."""
    UNAVAILABLE = "unavailable"
    """A part of the program that it needs is not installed; it runs as soon as it is."""
    FAILED = "failed"


@dataclass(frozen=True)
class Cell:
    """One result to compute: `what` is its sort ("attack", "check", ...), `name` the attack or the check."""

    key: str
    synthesizer: str
    size: int | None
    number: int
    what: str
    name: str
    message: Mapping[str, Any] = field(hash=False, compare=False)


@dataclass(frozen=True, eq=False)
class CellGroup:
    """Cells that are computed together: `message` tells a worker what they share, `unit` what their size counts."""

    kind: str
    data: str
    where: str
    message: Mapping[str, Any]
    cells: tuple[Cell, ...]
    extra: str = ""
    unit: str = "rows"

    def task(self, keys: Iterable[str] | None = None) -> dict[str, Any]:
        """Give what is sent to a worker, for all cells or for those named."""
        wanted = None if keys is None else set(keys)
        cells = [
            {"key": cell.key, "size": cell.size, "what": cell.what, "name": cell.name, **cell.message}
            for cell in self.cells
            if wanted is None or cell.key in wanted
        ]
        return {"kind": self.kind, **self.message, "cells": cells}


@dataclass(frozen=True)
class Result:
    """What became of one cell: `value` is its main number, `result` all of it as plain values."""

    key: str
    status: Status
    value: float | None = None
    result: Mapping[str, Any] = field(default_factory=dict, hash=False)
    error: str = ""
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Give plain values."""
        return {**vars(self), "status": self.status.value, "result": dict(self.result)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> "Result":
        """Read plain values."""
        return cls(**{**given, "status": Status(given["status"])})


def keys_of(shared: Mapping[str, Any], own: Iterable[bytes]) -> Iterator[str]:
    """Give the key of each cell of a group from what they share and what is their own, in canonical form."""
    head = hashlib.sha256(canonical({"format": FORMAT, **shared}))
    for each in own:
        parts = head.copy()
        parts.update(each)
        yield parts.hexdigest()[:32]


def canonical(value: Mapping[str, Any]) -> bytes:
    """Write plain values the one way that equal ones are written in."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def refuse_twins(groups: Iterable[CellGroup]) -> None:
    """Refuse a plan that asks for one result twice."""
    seen: dict[str, CellGroup] = {}
    for group in groups:
        for cell in group.cells:
            if cell.key in seen:
                other = seen[cell.key].where
                twice = "twice for one cell" if other == group.where else f"for a cell of {other} again"
                size = f", {cell.size} {group.unit}" if cell.size else ""
                raise ConfigError(
                    f"{group.where} asks {twice}: {group.data}, {cell.synthesizer or 'no release'}"
                    f"{size}, {cell.name}, number {cell.number}"
                )
            seen[cell.key] = group
