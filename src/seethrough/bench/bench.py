"""Computations that several checks share, each done once for the tables it looks at.

A request is a frozen dataclass with a `compute` method; being hashable it is its own key. While a request is computed
the bench notes which tables it looks at. `with_table` exchanges one table and keeps all answers that did not look at
it: the real table is searched against itself once, for all checks, all synthetic tables and both controls. There is
no module-level cache.

Threads may ask one bench side by side. A request that another thread computes on the same tables is waited for; which
tables those are is known only as it looks at them, so one that has looked at none yet is waited for as well, until it
is seen to look at another one. Who waits gives its place among the threads away (`kernels.crew`). What a request looks
at on other threads is noted as well, because jobs carry the context of who began them.

The bench also notes the seconds of each computation, without those of requests inside it, and how often its answer
was asked for. `seethrough audit --timings` shows one line for each kind of computation and the tables it looked at,
so that a search done twice stands out (`computed` above `different`). What is shared belongs to no check: the seconds
of a check are those it spends outside the bench, and all lines add up to the whole.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from threading import Condition
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.crew import check_stopped, wait_away

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


@dataclass(eq=False)
class _Looking(Generic[P]):
    """What is looked at while a request is computed or a step is measured (`request` is None): tables, and seconds.

    `nested` are the seconds of requests inside. `outer` is the watch that it is inside of, on this memory or another.
    """

    memory: "_Memory[P]"
    outer: "_Looking[Any] | None"
    request: object = None
    tables: dict[P, Table | None] = field(default_factory=dict)
    nested: float = 0.0

    def around(self) -> "Iterator[_Looking[Any]]":
        """Give this watch and those that it is inside of."""
        watch: _Looking[Any] | None = self
        while watch is not None:
            yield watch
            watch = watch.outer


_watching: ContextVar["_Looking[Any] | None"] = ContextVar("watching", default=None)
"""The innermost watch; jobs on other threads have that of the thread which began them."""


class _Memory(Generic[P]):
    """Answers so far, what each cost, what is computed now, and who waits for that."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.answers: dict[object, list[tuple[Work[P], object]]] = {}
        self.work: list[Work[P]] = []
        self.under_way: dict[object, list[_Looking[P]]] = {}
        self.waiting: list[tuple[tuple[_Looking[Any], ...], _Looking[P]]] = []
        self.outside: _Looking[P] = _Looking(self, None)

    def copy(self) -> "_Memory[P]":
        """Give a memory with the same answers, which learns its own from here on."""
        found: _Memory[P] = _Memory()
        with self.changed:
            found.answers = {request: list(known) for request, known in self.answers.items()}
        return found

    def watches(self) -> Iterator[_Looking[P]]:
        """Give the watches on this memory that this thread is inside of, the innermost first."""
        innermost = _watching.get()
        return (watch for watch in (innermost.around() if innermost else ()) if watch.memory is self)

    @property
    def innermost(self) -> _Looking[P]:
        """Give the watch that this thread is inside of."""
        return next(self.watches(), self.outside)

    def saw(self, tables: Mapping[P, Table | None]) -> None:
        """Note that tables are looked at; who waits for a computation learns whether it is about the same tables."""
        with self.changed:
            for watch in self.watches():
                watch.tables.update(tables)
            if self.waiting:
                self.changed.notify_all()

    def begin(self, request: object) -> _Looking[P]:
        """Begin to compute; whoever holds the memory has seen that nobody does yet."""
        watch = _Looking(self, _watching.get(), request)
        self.under_way.setdefault(request, []).append(watch)
        return watch

    def end(self, watch: _Looking[P], took: float, answers: Sequence[object]) -> None:
        """Note what a computation cost, and its answer; one that failed has seen tables and taken time as well."""
        with self.changed:
            work = Work(watch.request, watch.tables, max(took - watch.nested, 0.0))
            self.work.append(work)
            self.innermost.nested += took
            self.under_way[watch.request].remove(watch)
            for answer in answers:
                self.answers.setdefault(watch.request, []).append((work, answer))
            self.changed.notify_all()


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
        """Answer `request`, computing it on first use; one that another thread computes is waited for."""
        check_stopped()
        while True:
            with self._memory.changed:
                for work, answer in self._memory.answers.get(request, []):
                    if self._fits(work.tables):
                        self._memory.saw(work.tables)
                        work.asked += 1
                        return cast("T", answer)
                other = self._under_way(request)
                if other is None:
                    watch = self._memory.begin(request)
                    break
                # Before anybody else may look: two that begin to wait for each other must not both miss the other.
                wait = tuple(self._memory.watches()), other
                self._memory.waiting.append(wait)
            self._wait_for(wait)
        return self._computed(request, watch)

    def known_answer(self, request: Request[P, T]) -> T | None:
        """Give the answer if it is there already; what is only looked at should not cost a computation."""
        with self._memory.changed:
            answers = self._memory.answers.get(request, [])
            return next((cast("T", answer) for work, answer in answers if self._fits(work.tables)), None)

    def _fits(self, tables: Mapping[P, Table | None]) -> bool:
        return all(self._tables.get(part) is table for part, table in tables.items())

    @property
    def work(self) -> tuple[Work[P], ...]:
        """What was computed so far, on this bench and on those it shares answers with."""
        with self._memory.changed:
            return tuple(self._memory.work)

    @property
    def shared_seconds(self) -> float:
        """How long requests took of the step that is measured, or of all that is outside of one."""
        return self._memory.innermost.nested

    @contextmanager
    def measured_apart(self) -> Iterator[None]:
        """Count the seconds of requests for a step by itself, whatever runs beside it."""
        inner = _Looking(self._memory, _watching.get())
        before = _watching.set(inner)
        try:
            yield
        finally:
            _watching.reset(before)
            with self._memory.changed:
                self._memory.innermost.nested += inner.nested

    def _under_way(self, request: object) -> _Looking[P] | None:
        """Find who computes the same on tables that are the same as far as was looked at.

        Not a computation that this one is inside of, or that waits for such a one: it would never end.
        """
        mine = {id(watch) for watch in self._memory.watches()}
        for watch in self._memory.under_way.get(request, ()):
            if self._fits(watch.tables) and not self._waits_for(watch, mine):
                return watch
        return None

    def _waits_for(self, watch: _Looking[P], mine: set[int]) -> bool:
        """Tell whether a computation is one of `mine`, or cannot end before one of these does."""
        if id(watch) in mine:
            return True
        waiting = [other for inside, other in self._memory.waiting if watch in inside]
        return any(self._waits_for(other, mine) for other in waiting)

    def _wait_for(self, wait: tuple[tuple[_Looking[Any], ...], _Looking[P]]) -> None:
        """Wait until another thread has computed, or is seen to look at other tables; it is nobody's own time."""
        memory, begun, other = self._memory, time.perf_counter(), wait[1]

        def is_settled() -> bool:
            return other not in memory.under_way.get(other.request, ()) or not self._fits(other.tables)

        try:
            wait_away(memory.changed, is_settled)
        finally:
            with memory.changed:
                memory.waiting.remove(wait)
                memory.innermost.nested += time.perf_counter() - begun

    def _computed(self, request: Request[P, T], watch: _Looking[P]) -> T:
        answers: list[T] = []
        before, begun = _watching.set(watch), time.perf_counter()
        try:
            answers.append(request.compute(self))
        finally:
            _watching.reset(before)
            self._memory.end(watch, time.perf_counter() - begun, answers)
        return answers[0]
