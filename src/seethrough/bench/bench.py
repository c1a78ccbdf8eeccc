"""Computations that several checks share, each done once for the tables it looks at.

A request is a frozen dataclass with a `compute` method; being hashable it is its own key. While a request is computed
the bench notes which tables it looks at. `with_table` exchanges one table and keeps all answers that did not look at
it: the real table is searched against itself once, for all checks, all synthetic tables and both controls. There is
no module-level cache.

The bench also notes the seconds of each computation, without those of requests inside it, and how often its answer
was asked for. `seethrough audit --timings` shows one line for each kind of computation and the tables it looked at,
so that a search done twice stands out (`computed` above `different`). What is shared belongs to no check: the seconds
of a check are those it spends outside the bench, and all lines add up to the whole.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget

P = TypeVar("P", bound=Enum)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Request(Protocol[P, T_co]):
    """A hashable description of a computation; frozen dataclasses are requests."""

    def compute(self, bench: "Bench[P]") -> T_co:
        """Do the computation."""
        ...

    def __hash__(self) -> int:
        """Identify the request, so that equal requests are computed once."""
        ...


@dataclass(eq=False)
class Work(Generic[P]):
    """One computation: what was asked for, the tables looked at, the seconds of its own, how often it was asked for.

    The seconds of requests that it asked for in turn are theirs.
    """

    request: object
    tables: dict[P, Table | None]
    seconds: float
    asked: int = 1


class _Memory(Generic[P]):
    """Answers so far, what each cost, and what is being looked at now."""

    def __init__(self) -> None:
        self.answers: dict[object, list[tuple[Work[P], object]]] = {}
        self.work: list[Work[P]] = []
        self.watching: list[dict[P, Table | None]] = []
        self.nested = [0.0]  # seconds that requests took: first of all outermost ones, then inside each one under way

    def copy(self) -> "_Memory[P]":
        """Give a memory with the same answers, which learns its own from here on."""
        found: _Memory[P] = _Memory()
        found.answers = {request: list(known) for request, known in self.answers.items()}
        return found

    def saw(self, tables: Mapping[P, Table | None]) -> None:
        if self.watching:
            self.watching[-1].update(tables)

    def begin(self) -> float:
        self.watching.append({})
        self.nested.append(0.0)
        return time.perf_counter()

    def end(self, request: object, begun: float) -> Work[P]:
        """Note what a computation cost; one that failed has seen tables and taken time as well."""
        took = time.perf_counter() - begun
        work = Work(request, self.watching.pop(), took - self.nested.pop())
        self.work.append(work)
        self.nested[-1] += took
        self.saw(work.tables)
        return work


@dataclass(frozen=True, eq=False)
class Shuffle(Generic[P]):
    """Row i of a table is row order[i] of the part `of`."""

    of: P
    order: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DrawnFrom:
    """Row i of a table is row rows[i] of `whole`, the table that it was drawn from."""

    whole: Table
    rows: npt.NDArray[np.int64]


class Bench(Generic[P]):
    """Named tables and what has been computed on them so far.

    A bench lives as long as one audit and is passed by argument, so nothing is shared that the caller did
    not share. `P` names the tables that are on it. The bench notes which tables an answer was made from: a
    bench made by `with_table` shares all answers that do not depend on the table that was exchanged.
    """

    def __init__(
        self,
        tables: Mapping[P, Table],
        budget: Budget,
        memory: _Memory[P] | None = None,
        shuffles: Mapping[P, Shuffle[P]] = MappingProxyType({}),
        draws: Mapping[P, DrawnFrom] = MappingProxyType({}),
        asking: Mapping[P, npt.NDArray[np.int64]] = MappingProxyType({}),
    ) -> None:
        self._tables = dict(tables)
        self.budget = budget
        self._memory = memory if memory is not None else _Memory()
        self._shuffles = shuffles
        self._draws, self._asking = draws, asking

    def with_table(self, part: P, table: Table, *, without: P | None = None) -> "Bench[P]":
        """Give a bench that holds `table` as `part`, without the part named, and shares the answers of this one."""
        tables = {**self._tables, part: table}
        if without is not None:
            tables.pop(without, None)
        shuffles = {each: shuffle for each, shuffle in self._shuffles.items() if part not in {each, shuffle.of}}
        draws = {each: draw for each, draw in self._draws.items() if each is not part}
        asking = {each: rows for each, rows in self._asking.items() if each is not part}
        return Bench(tables, self.budget, self._memory, shuffles, draws, asking)

    def with_drawn(self, part: P, table: Table, draw: DrawnFrom) -> "Bench[P]":
        """Do the same with rows that were drawn from a larger table, in which their own kind is looked for."""
        bench = self.with_table(part, table)
        bench._draws = {**bench._draws, part: draw}
        return bench

    def with_asking(self, part: P, rows: npt.NDArray[np.int64]) -> "Bench[P]":
        """Give a bench on which only some rows of a part ask for their nearest ones."""
        bench = self.with_table(part, self._tables[part])
        bench._asking = {**bench._asking, part: rows}
        return bench

    def branch(self, part: P, table: Table) -> "Bench[P]":
        """Do the same as `with_table` for a while: the answers of this one are known, new ones go with the branch."""
        bench = self.with_table(part, table)
        bench._memory = self._memory.copy()
        return bench

    def with_shuffled(self, part: P, table: Table, shuffle: Shuffle[P], *, without: P | None = None) -> "Bench[P]":
        """Do the same with a table that has the rows of another part in another order."""
        bench = self.with_table(part, table, without=without)
        bench._shuffles = {**bench._shuffles, part: shuffle}
        return bench

    def shuffle(self, part: P) -> Shuffle[P] | None:
        """Tell whether a table has the rows of another part, whose answers then need not be computed again."""
        self._memory.saw({part: self._tables.get(part)})
        return self._shuffles.get(part)

    def drawn_from(self, part: P) -> DrawnFrom | None:
        """Tell what larger table the rows of a part were drawn from, if they were."""
        self._memory.saw({part: self._tables.get(part)})
        return self._draws.get(part)

    def whole(self, part: P) -> Table:
        """Look up the table that a part was drawn from; the part itself where nothing was drawn."""
        drawn = self.drawn_from(part)
        return self.table(part) if drawn is None else drawn.whole

    def asking(self, part: P) -> npt.NDArray[np.int64] | None:
        """Tell which rows of a part ask for their nearest ones; None where all do."""
        self._memory.saw({part: self._tables.get(part)})
        return self._asking.get(part)

    def table(self, part: P) -> Table:
        """Look up one table."""
        table = self._tables.get(part)
        self._memory.saw({part: table})
        if table is None:
            raise NotApplicable(f"no {part.value} table was given")
        return table

    def get(self, request: Request[P, T]) -> T:
        """Answer `request`, computing it on first use."""
        for work, answer in self._memory.answers.get(request, []):
            if self._fits(work):
                self._memory.saw(work.tables)
                work.asked += 1
                return cast("T", answer)
        return self._computed(request)

    def known_answer(self, request: Request[P, T]) -> T | None:
        """Give the answer if it is there already; what is only looked at should not cost a computation."""
        answers = self._memory.answers.get(request, [])
        return next((cast("T", answer) for work, answer in answers if self._fits(work)), None)

    def _fits(self, work: Work[P]) -> bool:
        return all(self._tables.get(part) is table for part, table in work.tables.items())

    @property
    def work(self) -> tuple[Work[P], ...]:
        """What was computed so far, on this bench and on those it shares answers with."""
        return tuple(self._memory.work)

    @property
    def shared_seconds(self) -> float:
        """How long everything computed so far has taken."""
        return self._memory.nested[0]

    def _computed(self, request: Request[P, T]) -> T:
        begun = self._memory.begin()
        try:
            answer = request.compute(self)
        finally:
            work = self._memory.end(request, begun)
        self._memory.answers.setdefault(request, []).append((work, answer))
        return answer
