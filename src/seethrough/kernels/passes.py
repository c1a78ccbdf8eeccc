"""Passes: what is computed chunk by chunk and merged, and who goes through the chunks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from seethrough.kernels.arrays import Floats

R_co = TypeVar("R_co", covariant=True)
R_contra = TypeVar("R_contra", contravariant=True)
R = TypeVar("R")
S = TypeVar("S")


class Pass(Protocol[R_contra, S]):
    """A computation on rows in chunks: `merge` is exact, associative and commutative.

    `before` counts the rows before a chunk. `hint` is what `hint` made of some states merged so far, or None; it may
    save work and changes no result.
    """

    def partial(self, rows: R_contra, before: int, hint: Floats | None) -> S:
        """Compute the state of one chunk."""
        ...

    def merge(self, first: S, second: S) -> S:
        """Merge the states of two sets of chunks."""
        ...

    def hint(self, state: S) -> Floats | None:
        """Tell the chunks to come what need not be looked at any more."""
        ...


class Chunk(Protocol[R_co]):
    """Some rows of a table, and how many come before them."""

    @property
    def before(self) -> int:
        """Count the rows of the table before these."""
        ...

    def read(self) -> R_co:
        """Read them."""
        ...


class Chunks(Protocol[R_co]):
    """A table in chunks, of which there is at least one."""

    def list_chunks(self) -> Sequence[Chunk[R_co]]:
        """Name the chunks, each of which can be read by itself and elsewhere."""
        ...

    def read_all(self) -> Iterator[tuple[R_co, int]]:
        """Read all rows here, in order, each part with how many rows are before it; the parts may be cut otherwise."""
        ...


class Executor(Protocol):
    """Whoever goes through chunks: this process, or the workers of a cluster."""

    def fold(self, chunks: Chunks[R], each: Pass[R, S]) -> S:
        """Run a pass over chunks."""
        ...


@dataclass(frozen=True)
class ThisProcess:
    """Goes through chunks one after the other; the kernels inside a pass use the threads of their budget."""

    def fold(self, chunks: Chunks[R], each: Pass[R, S]) -> S:
        """Keep one chunk and one state in memory."""
        return fold_rows(chunks.read_all(), each)


def fold_rows(parts: Iterable[tuple[R, int]], each: Pass[R, S]) -> S:
    """Run a pass over rows that come one part after the other, each with how many rows are before it."""
    state: S | None = None
    for rows, before in parts:
        found = each.partial(rows, before, None if state is None else each.hint(state))
        state = found if state is None else each.merge(state, found)
    if state is None:
        raise ValueError("a pass needs at least one chunk")
    return state


@dataclass(frozen=True)
class Together:
    """Several passes in one reading; the state is that of each."""

    passes: tuple[Pass[Any, Any], ...]

    def partial(self, rows: Any, before: int, hint: Floats | None) -> tuple[Any, ...]:
        """Compute the state of each pass."""
        return tuple(each.partial(rows, before, None) for each in self.passes)

    def merge(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """Merge one by one."""
        return tuple(each.merge(a, b) for each, a, b in zip(self.passes, first, second, strict=True))

    def hint(self, state: tuple[Any, ...]) -> Floats | None:
        """Say nothing, since hints are for one pass."""
        return None
