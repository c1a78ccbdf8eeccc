"""What a release is good for, on one scale: from values drawn evenly (0) to the real table itself (1).

Three measures: MRE>10 and 3-TVD of 3-way counts against the real table, and models that learn from the release and are
tested on people outside. Each is placed between the two ends, and `kept` is the mean of the places. A coarse release is
read again before its counts are compared (`coarsening`), several times, so that the draws matter little; models learn
from it as it is. All releases are measured on the same subsets, models and people.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from seethrough.auditing.levers.coarsening import CoarseColumns, Gone
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.results.levers.what_if import UtilityFigures
from seethrough.seeds import stream
from seethrough.utility.three_way import three_way
from seethrough.utility.trained_models import even_success, model_success

READINGS = 10
"""How often a coarse release is read again."""
MOST_TARGETS = 3
"""Columns that models predict, where none is named."""
SMALLEST_SPAN = 0.05
"""What the two ends of a measure have to be apart: models that tell a coin no better than chance measure nothing."""
MOST_READ = 200_000
"""Rows that all readings of a release have together at most, but for one reading."""


@dataclass(frozen=True, eq=False)
class Yardstick:
    """The real table, the people outside, and the columns that models predict."""

    real: Table
    outside: Table
    targets: tuple[str, ...]
    seed: int
    budget: Budget

    def measure(self, release: Table, coarsening: CoarseColumns | None = None) -> UtilityFigures:
        """Measure a release, given before it is made coarser."""
        mre, tvd = self._counts(release, coarsening)
        found = UtilityFigures(mre, tvd, self._models(release, coarsening), 0.0)
        best, worst = self._ends
        places = [
            _place(getattr(found, name), getattr(best, name), getattr(worst, name)) for name in ("mre", "tvd", "models")
        ]
        known = [place for place in places if place is not None]
        return replace(found, kept=float(np.mean(known)) if known else 0.0)

    @cached_property
    def _ends(self) -> tuple[UtilityFigures, UtilityFigures]:
        """Measure the real table, and a table of which nothing is left."""
        everything = CoarseColumns({column.name: Gone() for column in self.real.schema.used})
        best = UtilityFigures(*self._counts(self.real, None), self._models(self.real, None), 1.0)
        worst = UtilityFigures(*self._counts(self.real, everything), even_success(self.outside, self.targets), 0.0)
        return best, worst

    def _counts(self, release: Table, coarsening: CoarseColumns | None) -> tuple[float | None, float | None]:
        read = release if coarsening is None else self._read(release, coarsening)
        try:
            return three_way(self.real, read, stream(self.seed, "subsets of columns"))
        except NotApplicable:  # fewer than three columns
            return None, None

    def _read(self, release: Table, coarsening: CoarseColumns) -> Table:
        times = max(1, min(READINGS, MOST_READ // max(len(release), 1)))
        rng = stream(self.seed, "coarse values read again")
        return stack_tables([coarsening.read(release, rng) for _ in range(times)])

    def _models(self, release: Table, coarsening: CoarseColumns | None) -> float | None:
        if coarsening is None:
            return model_success((release, release), (self.outside, self.outside), self.targets, self.seed, self.budget)
        if all(isinstance(coarsening.columns.get(column.name), Gone) for column in release.schema.used):
            return even_success(self.outside, self.targets)
        read = coarsening.read(release, stream(self.seed, "targets read again"))
        examples, asked = (coarsening(release), read), (coarsening(self.outside), self.outside)
        return model_success(examples, asked, self.targets, self.seed, self.budget)


def predicted_columns(table: Table, seed: int) -> tuple[str, ...]:
    """Choose the columns that models predict: the secrets; where none is named, some drawn from all."""
    if table.schema.secrets:
        return table.schema.secrets[:MOST_TARGETS]
    names = [column.name for column in table.schema.used]
    drawn = stream(seed, "columns predicted").permutation(len(names))[:MOST_TARGETS]
    return tuple(names[place] for place in sorted(drawn))


def _place(value: float | None, best: float | None, worst: float | None) -> float | None:
    """Place a measure between its ends, kept between 0 and 1; None where it or they cannot be told apart."""
    if value is None or best is None or worst is None or abs(best - worst) < SMALLEST_SPAN:
        return None
    return min(1.0, max(0.0, (value - worst) / (best - worst)))
