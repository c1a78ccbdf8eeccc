"""A changed release, attacked again: the same people, the same seeds, what does not depend on the release known.

The pool is mixed once, with all columns. A change of the rows exchanges the release on its bench, so that everything
computed on people and reference alone is there already; a change of columns is made to people and reference in the same
way, because an attacker who sees coarse values coarsens what he knows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from seethrough.auditing.evidence.assess import Arsenal, Assessment, EvidenceRules, assess_pool, untestable
from seethrough.auditing.evidence.comparability import population_p
from seethrough.auditing.evidence.pool import Pool, make_pool, without_members_scale
from seethrough.auditing.evidence.recoding import recoded_columns, untestable_columns
from seethrough.auditing.levers.leaks import StatedLeak, mean_leak, state_leaks
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.release import Release
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import LeakFamily

Coarser = Callable[[Table], Table]
"""Makes the columns of a table coarser; the same for released rows and for people."""


@dataclass(frozen=True, eq=False)
class Trial:
    """The people whom every changed release is tried on, the attacks, and what is known of them without a release."""

    pool: Pool
    arsenal: Arsenal
    rules: EvidenceRules
    real_rows: int

    def assess(self, release: Table, coarser: Coarser | None = None, left_out: Bools | None = None) -> Assessment:
        """Attack a release; `left_out` are people who are not compared."""
        pool = self._shown(release) if coarser is None else _coarse(self.pool, release, coarser)
        if left_out is not None:
            pool = pool.without(left_out)
        people = stack_tables([pool.people, pool.reference])
        recoded = recoded_columns(people, pool.release)
        kept = [column.name for column in pool.people.schema.used if column.name not in recoded]
        if not kept:
            return Assessment(untestable(tuple(recoded.values())))
        pool = pool.project(kept) if recoded else pool
        lacking = untestable_columns(people, recoded)
        return assess_pool(pool, self.arsenal, self.rules, lacking, real_rows=self.real_rows, different=self.blind)

    def leaks(self, release: Table) -> tuple[StatedLeak, ...]:
        """State the leak of every family on a release of the same columns."""
        return state_leaks(self.assess(release), self.rules.limits)

    def _shown(self, release: Table) -> Pool:
        """Put a release on the bench, under the scale that is there if it fits."""
        scaled = Table(self.pool.people.schema, release.columns)
        if _is_within(self.pool.people, scaled):
            return self.pool.with_release(scaled)
        return _rescaled(self.pool, [self.pool.people, scaled, self.pool.reference])

    @cached_property
    def blind(self) -> float:
        """Give the p of the blind control, which sees people with all columns and no release."""
        return population_p(self.pool, self.rules.seed)


def make_trial(release: Release, arsenal: Arsenal, rules: EvidenceRules, budget: Budget) -> Trial:
    """Mix the people of a release, all files of which are read under each other; there has to be a holdout."""
    assert release.holdout is not None
    files = stack_tables([named.table for named in release.synthetic])
    tables = release.train.table, release.holdout.table, files
    pool = make_pool(tables, rules.seed, budget, release.design, rules.most_rated, rules.targets)
    return Trial(pool, arsenal, replace(rules, figures=False), len(release.train.table))


def mean_leaks(draws: Sequence[Sequence[StatedLeak]]) -> tuple[StatedLeak, ...]:
    """Average every family over draws; a family that one of them could not test is left out."""
    if len(draws) == 1:
        return tuple(draws[0])
    found = []
    for family in LeakFamily:
        mine = [leak for leaks in draws for leak in leaks if leak.family is family]
        if len(mine) == len(draws):
            found.append(mean_leak(mine))
    return tuple(found)


def _coarse(pool: Pool, release: Table, coarser: Coarser) -> Pool:
    original = pool.people.schema
    shown = [coarser(table) for table in (pool.people, Table(original, release.columns), pool.reference)]
    return _rescaled(pool, shown)


def _rescaled(pool: Pool, shown: Sequence[Table]) -> Pool:
    tables = dict(zip(Seen, without_members_scale(shown), strict=True))
    return replace(pool, bench=Bench(tables, pool.bench.budget))


def _is_within(people: Table, release: Table) -> bool:
    """Tell whether all numbers lie in the range that the schema states."""
    for column, values in zip(people.schema.used, release.columns, strict=True):
        if column.kind.has_levels:
            continue
        numbers = values.astype(np.float64)
        low, high = -np.inf if column.low is None else column.low, np.inf if column.high is None else column.high
        if ((numbers < low) | (numbers > high)).any():
            return False
    return True
