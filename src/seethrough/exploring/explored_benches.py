"""The benches of an exploration: those of the run where there was one, asked by one thread at a time.

A bench notes which tables an answer was made from while it is computed, so that two threads must not ask it at once:
the tool prepares answers on one thread while another one shows pages.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock

from seethrough.auditing.controls import Trials
from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.exploring.columns.map_views import TableMap
from seethrough.exploring.people.outside_flags import share_outside
from seethrough.exploring.plan import AuditPlan
from seethrough.results.outcome import Measured, Outcome


class ExploredBenches:
    """Benches by the number of the released table, and what is kept of their answers."""

    def __init__(self, plan: AuditPlan) -> None:
        self._plan = plan
        self._lock = RLock()
        self._benches: dict[int, Bench[Part]] = {}
        self._outside: dict[tuple[str, int], float | None] = {}
        self._maps: dict[int, TableMap] = {}

    def keep_trials(self, trials: Sequence[Trials]) -> None:
        """Take the benches of a run, which is over: their progress is told to nobody."""
        with self._lock:
            self._benches = {number: each.release for number, each in enumerate(trials)}
            for bench in self._benches.values():
                bench.budget = self._plan.budget
            self._outside.clear()
            self._maps.clear()

    @contextmanager
    def asking(self, release: int) -> Iterator[Bench[Part]]:
        """Lend the bench of a released table to one thread."""
        with self._lock:
            if release not in self._benches:
                released, people = self._plan.release.synthetic[release].table, self._plan.people
                bench = Bench(self._plan.release.parts(released), self._plan.budget)
                if people is not None:
                    bench = people.show(people.put_on(bench, self._plan.release), released)
                self._benches[release] = bench
            yield self._benches[release]

    def flagged_outside(self, found: Outcome, release: int) -> float | None:
        """Give how many of 100 people outside a check flags, measured once."""
        if not isinstance(found, Measured) or self._plan.release.holdout is None:
            return None
        which = found.check, release
        with self.asking(release) as bench:
            if which not in self._outside:
                check = self._plan.check_named(found.check)
                self._outside[which] = share_outside(check, bench, found, self._plan.seed)
            return self._outside[which]

    def map_of(self, release: int) -> TableMap:
        """Give the map of a released table, made once."""
        with self.asking(release) as bench:
            if release not in self._maps:
                self._maps[release] = TableMap.of(bench, self._plan.seed)
            return self._maps[release]
