"""Where the time of an audit goes: to each check by itself, to the computations that checks share, to further steps.

What is shared belongs to no check: whoever asks first would pay for all. So the seconds of a check are those outside of
the bench's computations, and on one thread all numbers together add up to the whole. What stands side by side on
several threads counts for each of them, so that they come to more.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Literal, TypeVar

from seethrough.bench.bench import Bench, Work
from seethrough.data.release import Part
from seethrough.data.table import Table
from seethrough.results.timings import CheckCost, SharedCost, StepCost, Timings

K = TypeVar("K")
Trial = Literal["release", "copy", "independent"]
"""What a check is measured on: the release, or a control in its place."""

Step = Literal["artefacts", "evidence", "exhibits", "groups", "isolation", "comparison", "together", "advice"]
"""What an audit does besides checks: it looks for signs of real rows, and puts together what pictures show."""


class Stopwatch:
    """Measures one audit, from when it is made; it knows the tables by the names that it was told."""

    def __init__(self, bench: Bench[Part]) -> None:
        self._begun, self._busy = time.perf_counter(), time.process_time()
        self._bench = bench
        self._names: dict[Table, str] = {}
        self._laps: dict[tuple[str, str], dict[Trial, float]] = {}
        self._steps: dict[tuple[Step, str], float] = {}
        self._elsewhere: list[Timings] = []
        self._known = 0
        self._lock = Lock()

    def name_table(self, name: str, table: Table) -> Table:
        """Remember what a table is called, and give it back."""
        self._names[table] = name
        return table

    @contextmanager
    def lap(self, check: str, synthetic: str, trial: Trial) -> Iterator[None]:
        """Note the seconds that a check spends on its own."""
        with self._lock:
            laps = self._laps.setdefault((check, synthetic), {"release": 0.0, "copy": 0.0, "independent": 0.0})
        with self._adding_to(laps, trial):
            yield

    @contextmanager
    def step(self, step: Step, synthetic: str) -> Iterator[None]:
        """Note the seconds of something done for a synthetic table; what is done in two parts is one step."""
        with self._lock:
            self._steps.setdefault((step, synthetic), 0.0)
        with self._adding_to(self._steps, (step, synthetic)):
            yield

    @contextmanager
    def _adding_to(self, sums: dict[K, float], name: K) -> Iterator[None]:
        """Add the seconds outside of the bench's computations, whatever runs beside."""
        with self._bench.measured_apart():
            begun = time.perf_counter()
            try:
                yield
            finally:
                own = time.perf_counter() - begun - self._bench.shared_seconds
                with self._lock:
                    sums[name] += max(own, 0.0)

    def add(self, elsewhere: Timings) -> None:
        """Add what a process measured that began as a copy of this one: its own work alone."""
        self._elsewhere.append(elsewhere)

    def begin_apart(self) -> None:
        """Begin to measure the work of a process that is a copy of another one."""
        self._begun, self._busy = time.perf_counter(), time.process_time()
        self._laps.clear()
        self._steps.clear()
        self._known = len(self._bench.work)

    def read(self) -> Timings:
        """Give what was measured so far, slowest first."""
        checks = [CheckCost(check, synthetic, **laps) for (check, synthetic), laps in self._laps.items()]
        checks += [cost for each in self._elsewhere for cost in each.checks]
        shared = [*self._shared(), *(cost for each in self._elsewhere for cost in each.shared)]
        return Timings(
            total=time.perf_counter() - self._begun,
            checks=tuple(sorted(checks, key=lambda cost: -cost.seconds)),
            shared=tuple(sorted(shared, key=lambda cost: -cost.seconds)),
            steps=tuple(sorted(self._all_steps(), key=lambda cost: -cost.seconds)),
            processor=time.process_time() - self._busy + sum(each.processor for each in self._elsewhere),
            threads=self._bench.budget.threads,
        )

    def _all_steps(self) -> list[StepCost]:
        """Give the steps; what was done in parts here and elsewhere is one step."""
        sums: dict[tuple[str, str], float] = dict(self._steps.items())
        for cost in (cost for each in self._elsewhere for cost in each.steps):
            sums[cost.step, cost.synthetic] = sums.get((cost.step, cost.synthetic), 0.0) + cost.seconds
        return [StepCost(*which, seconds) for which, seconds in sums.items()]

    def _shared(self) -> Iterator[SharedCost]:
        alike: dict[tuple[str, tuple[str, ...]], list[Work[Part]]] = {}
        for work in self._bench.work[self._known :]:
            alike.setdefault((type(work.request).__name__, self._tables(work.tables)), []).append(work)
        for (request, tables), group in alike.items():
            yield SharedCost(
                request,
                tables,
                different=len({work.request for work in group}),
                computed=len(group),
                asked=sum(work.asked for work in group),
                seconds=sum(work.seconds for work in group),
            )

    def _tables(self, seen: Mapping[Part, Table | None]) -> tuple[str, ...]:
        """Name the tables in the order of their parts; one that was looked for and is not there has no name."""
        there = ((part, seen.get(part)) for part in Part)
        return tuple(self._names.get(table, part.value) for part, table in there if table is not None)
