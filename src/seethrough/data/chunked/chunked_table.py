"""Tables in chunks that stand where a table in memory would.

What needs all rows at once is refused with a reason, so that nothing looks at a part of them by accident.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from seethrough.data.chunked.row_passes import PickedRows, RowSum
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Schema
from seethrough.data.table import Array, Table, drawn_places
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.passes import Chunks, Executor, Pass, ThisProcess, Together, fold_rows

S = TypeVar("S")


class RowStep(Protocol):
    """What is done to the rows of every chunk before they are looked at; a value that can be sent elsewhere."""

    def apply(self, rows: Table) -> Table:
        """Change or choose rows or columns."""
        ...


@dataclass(frozen=True, eq=False)
class Columns:
    """RowStep: some columns, by their places, under another schema."""

    places: tuple[int, ...]
    schema: Schema

    def apply(self, rows: Table) -> Table:
        """Pick the columns."""
        return Table(self.schema, tuple(rows.columns[place] for place in self.places))


@dataclass(frozen=True, eq=False)
class AfterSteps:
    """A pass over the rows that steps make of every chunk."""

    each: Pass[Table, Any]
    steps: tuple[RowStep, ...]

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Any:
        """Take the steps first."""
        return self.each.partial(take_steps(rows, self.steps), before, hint)

    def merge(self, first: Any, second: Any) -> Any:
        """Merge as the pass does."""
        return self.each.merge(first, second)

    def hint(self, state: Any) -> Floats | None:
        """Tell what the pass tells."""
        return self.each.hint(state)


def take_steps(rows: Table, steps: Iterable[RowStep]) -> Table:
    """Take one step after the other."""
    for step in steps:
        rows = step.apply(rows)
    return rows


@dataclass(frozen=True, eq=False)
class ChunkedRows:
    """Rows in chunks, who goes through them, and the steps that are taken with each chunk."""

    chunks: Chunks[Table]
    executor: Executor = ThisProcess()  # noqa: RUF009  a frozen value
    steps: tuple[RowStep, ...] = ()

    def __iter__(self) -> Iterator[Table]:
        """Read the rows here, one part after the other."""
        for rows, _ in self.chunks.read_all():
            yield take_steps(rows, self.steps)

    def through(self, step: RowStep) -> "ChunkedRows":
        """Take a further step with every chunk."""
        return replace(self, steps=(*self.steps, step))

    def fold(self, each: Pass[Table, S]) -> S:
        """Run a pass over the rows."""
        found: S = self.executor.fold(self.chunks, AfterSteps(each, self.steps))
        return found


def fold_tables(tables: Iterable[Table], each: Pass[Table, S]) -> S:
    """Run a pass over rows in chunks, or over tables one after the other, whose rows are not numbered."""
    return tables.fold(each) if isinstance(tables, ChunkedRows) else fold_rows(((rows, 0) for rows in tables), each)


@dataclass(frozen=True, eq=False)
class HeldChunk:
    """Rows in memory."""

    rows: Table
    before: int

    def read(self) -> Table:
        """Give them."""
        return self.rows


@dataclass(frozen=True, eq=False)
class HeldChunks:
    """A table in memory, cut into chunks of so many rows."""

    table: Table
    size: int

    def list_chunks(self) -> Sequence[HeldChunk]:
        """Cut the table."""
        starts = range(0, len(self.table), self.size)
        return [HeldChunk(self.table.take(slice(start, start + self.size)), start) for start in starts]

    def read_all(self) -> Iterator[tuple[Table, int]]:
        """Give chunk after chunk."""
        for chunk in self.list_chunks():
            yield chunk.rows, chunk.before


class SharedTable(Table):
    """A table in memory whose chunks are sent to whoever goes through them."""

    def __init__(self, table: Table, executor: Executor, size: int) -> None:
        """Keep the rows; chunks have `size` rows."""
        super().__init__(table.schema, table.columns)
        object.__setattr__(self, "_executor", executor)
        object.__setattr__(self, "_size", size)

    def project(self, names: Iterable[str]) -> "SharedTable":
        """Keep the named columns, in the order given."""
        return self._shared(super().project(names))

    def under(self, schema: Schema) -> "SharedTable":
        """Give the same rows under another schema, whose columns mean the same."""
        return self._shared(super().under(schema))

    def _shared(self, table: Table) -> "SharedTable":
        return SharedTable(table, self.__dict__["_executor"], self.__dict__["_size"])

    def fold(self, each: Pass[Table, S]) -> S:
        """Run a pass over all rows."""
        chunks = HeldChunks(Table(self.schema, self.columns), self.__dict__["_size"])
        found: S = self.__dict__["_executor"].fold(chunks, each)
        return found


class ChunkedTable(Table):
    """A table whose rows are not in memory: passes go through them, `drawn` are some of them."""

    rows: ChunkedRows
    size: int

    def __init__(self, schema: Schema, rows: ChunkedRows, facts: "TableFacts") -> None:
        """Say where the rows are; `facts` were found in a first reading."""
        for name, value in (("schema", schema), ("rows", rows), ("_facts", facts), ("size", facts.size)):
            object.__setattr__(self, name, value)

    @property
    def columns(self) -> tuple[Array, ...]:
        """Refuse: whoever asks for whole columns would have to hold all rows."""
        raise NotApplicable(
            f"this needs all rows of the release at once, and its {self.size:,} rows are read in chunks"
        )

    def __len__(self) -> int:
        """Count the rows."""
        return self.size

    def project(self, names: Iterable[str]) -> "ChunkedTable":
        """Keep the named columns, in the order given."""
        names = tuple(names)
        places = {column.name: place for place, column in enumerate(self.schema.used)}
        step = Columns(tuple(places[name] for name in names), self.schema.project(names))
        return self._through(step)

    def under(self, schema: Schema) -> "ChunkedTable":
        """Give the same rows under another schema, whose columns mean the same."""
        return self._through(Columns(tuple(range(len(schema.used))), schema))

    def _through(self, step: Columns) -> "ChunkedTable":
        facts: TableFacts = self.__dict__["_facts"]
        return ChunkedTable(step.schema, self.rows.through(step), replace(facts, drawn=step.apply(facts.drawn)))

    def take(self, rows: npt.NDArray[np.integer] | slice) -> Table:
        """Read some rows, by index, in the order given."""
        places = np.arange(*rows.indices(self.size)) if isinstance(rows, slice) else np.asarray(rows, np.int64)
        wanted, back = np.unique(places, return_inverse=True)
        return self.fold(PickedRows(wanted)).table(self.schema).take(back)

    def head(self, rows: int) -> Table:
        """Read the first rows, and no more chunks than these take."""
        parts: list[Table] = []
        for part in self.rows:
            parts.append(part.take(slice(0, rows - sum(map(len, parts)))))
            if sum(map(len, parts)) >= rows:
                break
        return stack_tables(parts)

    def fold(self, each: Pass[Table, S]) -> S:
        """Run a pass over all rows."""
        return self.rows.fold(each)

    @cached_property
    def drawn(self) -> Table:
        """The rows that describe the table or are learnt from."""
        facts: TableFacts = self.__dict__["_facts"]
        return facts.drawn

    @cached_property
    def digest(self) -> str:
        """Identify the content: rows and their order, however they are cut."""
        facts: TableFacts = self.__dict__["_facts"]
        return facts.digest


@dataclass(frozen=True, eq=False)
class TableFacts:
    """What a first reading of a table in chunks found."""

    size: int
    drawn: Table
    digest: str


def chunked_table(schema: Schema, rows: ChunkedRows, size: int) -> ChunkedTable:
    """Read the rows once, to draw some and to tell the table from others."""
    places = drawn_places(size)
    picked, prints = rows.fold(Together((PickedRows(np.arange(size) if places is None else places), RowSum())))
    return ChunkedTable(schema, rows, TableFacts(size, picked.table(schema), f"{prints:016x}"))
