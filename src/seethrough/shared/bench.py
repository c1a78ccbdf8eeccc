"""Computations that several checks share, each done once for the tables it looks at."""

from collections.abc import Mapping
from enum import Enum
from typing import Generic, Protocol, TypeVar, cast

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


class _Memory(Generic[P]):
    """Answers so far, each with the tables it was made from, and which tables are being looked at now."""

    def __init__(self) -> None:
        self.answers: dict[object, list[tuple[dict[P, Table | None], object]]] = {}
        self.watching: list[dict[P, Table | None]] = []

    def saw(self, tables: Mapping[P, Table | None]) -> None:
        if self.watching:
            self.watching[-1].update(tables)


class Bench(Generic[P]):
    """Named tables and what has been computed on them so far.

    A bench lives as long as one audit and is passed by argument, so nothing is shared that the caller did
    not share. `P` names the tables that are on it. The bench notes which tables an answer was made from: a
    bench made by `with_table` shares all answers that do not depend on the table that was exchanged.
    """

    def __init__(self, tables: Mapping[P, Table], budget: Budget, memory: _Memory[P] | None = None) -> None:
        self._tables = dict(tables)
        self.budget = budget
        self._memory = memory if memory is not None else _Memory()

    def with_table(self, part: P, table: Table, *, without: P | None = None) -> "Bench[P]":
        """Give a bench that holds `table` as `part`, without the part named, and shares the answers of this one."""
        tables = {**self._tables, part: table}
        if without is not None:
            tables.pop(without, None)
        return Bench(tables, self.budget, self._memory)

    def table(self, part: P) -> Table:
        """Look up one table."""
        table = self._tables.get(part)
        self._memory.saw({part: table})
        if table is None:
            raise NotApplicable(f"no {part.value} table was given")
        return table

    def get(self, request: Request[P, T]) -> T:
        """Answer `request`, computing it on first use."""
        for tables, answer in self._memory.answers.get(request, []):
            if all(self._tables.get(part) is table for part, table in tables.items()):
                self._memory.saw(tables)
                return cast("T", answer)
        return self._computed(request)

    def _computed(self, request: Request[P, T]) -> T:
        self._memory.watching.append({})
        try:
            answer = request.compute(self)
        finally:
            seen = self._memory.watching.pop()
        self._memory.answers.setdefault(request, []).append((seen, answer))
        self._memory.saw(seen)
        return answer
