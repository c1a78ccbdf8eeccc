"""Least squares for people outside a table: what it would say of each, had this one person been in it too."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from seethrough.attacks.attribute._queries import Answers, CellShares
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Codes, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.cells import Cells
from seethrough.kernels.counting.pair_factors import pair_factors
from seethrough.kernels.solvers.bordered import ReleasedShares, border_table
from seethrough.kernels.solvers.conjugate_gradients import NoisyColumns, posterior_means, posterior_means_of_tables
from seethrough.kernels.solvers.least_squares import Noisy, Prior
from seethrough.kernels.solvers.normal_matrix import summing

PARTS = 10
"""Parts of the people outside that join a large table one after the other."""
DENSE_GAIN = 20
"""Multiplications of large dense matrices that take the time of one of sparse or small ones."""
RECORDS_AT_ONCE = 1024
AT_ONCE = 12
"""Tables and classes that are solved for together: those inside and ten parts of two classes."""


@dataclass(frozen=True, eq=False)
class Joining:
    """People inside and outside, what the release says about their cells, and the least variance of an answer."""

    found: CellShares
    inside: Bools
    floor: float

    @cached_property
    def table(self) -> Cells:
        """Give the cells of those inside."""
        return self.found.cells.among(self._weights(np.empty(0, np.int64)))

    def _weights(self, people: Ints) -> Ints:
        """Count those inside and some others by record."""
        cells = self.found.cells
        rows = np.concatenate([cells.row_of[self.inside], cells.row_of[people]])
        return np.bincount(rows, minlength=len(cells.weights))

    def one_by_one(self, budget: Budget) -> tuple[Floats, Floats]:
        """Give means and standard deviations for everybody, each person outside joined alone (people x classes)."""
        table, cells, classes = self.table, self.found.cells, self.found.shares.shape[1]
        rows, back = np.unique(cells.row_of[~self.inside], return_inverse=True)
        matrix, sizes = table.matrix(), table.weights.astype(np.float64)
        normal = summing(matrix, len(_asked(classes)))
        means, deviations = (np.empty((len(self.inside), classes)) for _ in range(2))
        for label in _asked(classes):
            shares, variances = self.found.shares[:, label], self.found.variances[:, label]
            solved = border_table(
                ReleasedShares(matrix, sizes, shares, variances, self.floor), neutral_prior(classes), normal
            )
            mine, joined = solved.members(), solved.joined_by(cells.members[rows].astype(np.int64), budget)
            for group, some in ((self.inside, mine.take(table.row_of[self.inside])), (~self.inside, joined.take(back))):
                means[group, label], deviations[group, label] = some.means, np.sqrt(some.variances)
        if classes == 2:
            means[:, 0], deviations[:, 0] = 1 - means[:, 1], deviations[:, 1]
        return means, deviations

    def in_parts(self, known: Table, rng: np.random.Generator, budget: Budget) -> tuple[Floats, int]:
        """Give means for everybody, people outside joined in ten random parts, and the most steps that one took.

        Standard deviations are not found on this way; `least_deviations` bounds them.
        """
        order = by_content(known)
        outside = order[~self.inside[order]]
        parts = [part for part in np.array_split(outside[rng.permutation(len(outside))], PARTS) if len(part)]
        tables = [_Asked(np.flatnonzero(self.inside), self._weights(np.empty(0, np.int64)))]
        tables += [_Asked(part, self._weights(part)) for part in parts]
        classes = self.found.shares.shape[1]
        columns = [(table, label) for table in tables for label in _asked(classes)]
        groups = [columns[start : start + AT_ONCE] for start in range(0, len(columns), AT_ONCE)]
        means, steps = np.empty((len(self.inside), classes)), [0] * len(groups)
        threads = max(1, budget.threads // len(groups))

        def solve(place: int) -> None:
            steps[place] = self._solve_together(groups[place], means, threads)

        budget.run(partial(solve, place) for place in range(len(groups)))
        if classes == 2:
            means[:, 0] = 1 - means[:, 1]
        return means, max(steps)

    def least_deviations(self) -> Floats:
        """Give what the standard deviation of everybody's share would be if all other records were known.

        It takes the entry of the precision that belongs to the record alone, of the members' table with this one person
        in it, whoever else is asked about: a person outside makes cells and equal records one more.
        """
        cells, classes = self.found.cells, self.found.shares.shape[1]
        members = np.bincount(cells.row_of[self.inside], minlength=len(cells.weights))
        found = np.empty((len(self.inside), classes))
        for group, more in ((self.inside, 0), (~self.inside, 1)):
            rows, back = np.unique(cells.row_of[group], return_inverse=True)
            sets, equal = cells.members[rows], members[rows] + more
            for label in _asked(classes):
                weights = 1 / ((self.table.sizes + more) ** 2 * self.found.variances[:, label] + self.floor)
                precision = _sum_over_cells(np.append(weights, 0.0), sets)
                found[group, label] = _alone(precision, equal, neutral_prior(classes)[1])[back]
        if classes == 2:
            found[:, 0] = found[:, 1]
        return found

    def _solve_together(self, group: Sequence[tuple["_Asked", int]], means: Floats, threads: int) -> int:
        """Solve for some tables and classes, and put the means of those asked about where they belong."""
        labels = [label for _, label in group]
        everybody = np.max([table.weights for table, _ in group], axis=0)
        people, kept = self.found.cells.among(everybody), np.flatnonzero(everybody)
        factors = pair_factors(people)
        sizes = np.stack([table.weights[kept] for table, _ in group], axis=1).astype(np.float64)
        counts = sizes
        for factor in reversed(factors):
            counts = factor @ counts  # whole numbers, so that no digit is lost
        variances = self.found.variances[:, labels] * counts**2 + self.floor
        queries = NoisyColumns(factors, self.found.shares[:, labels] * counts, variances, sizes)
        shares, steps = posterior_means_of_tables(queries, *neutral_prior(self.found.shares.shape[1]), threads)
        for place, (table, label) in enumerate(group):
            means[table.people, label] = shares[people.row_of[table.people], place]
        return int(steps.max())


def joining_work(cells: Cells, inside: Bools, classes: int) -> int:
    """Estimate the multiplications of joining everybody outside alone, of all classes that are solved for.

    For each class a factor of the members' records and its inverse, the products that couple cells, half of which are
    made, and for each person a solve in the cells that this one is in. `cells` are those that may be asked about: which
    of them a release answers does not matter, so that a release and its controls are solved alike.
    """
    rows, sets = np.unique(cells.row_of[inside]), int(cells.members.shape[1])
    people, records = len(np.unique(cells.row_of[~inside])), len(rows)
    asked = np.zeros(len(cells) + 1, np.bool_)
    asked[cells.members[rows]] = True
    coupling = records * sets * (records + int(np.count_nonzero(asked[:-1])) // 2)
    return len(_asked(classes)) * (records**3 // DENSE_GAIN + coupling + people * sets**3 // 3)


@dataclass(frozen=True, eq=False)
class _Asked:
    """People who are asked about in one table, and how many of it each different record stands for."""

    people: Ints
    weights: Ints


def _sum_over_cells(weights: Floats, sets: Codes) -> Floats:
    """Sum the weights of the cells that each record is in, -1 being the last."""
    found = np.empty(len(sets))
    for start in range(0, len(sets), RECORDS_AT_ONCE):
        found[start : start + RECORDS_AT_ONCE] = weights[sets[start : start + RECORDS_AT_ONCE]].sum(axis=1)
    return found


def _alone(precision: Floats, equal: Ints, variance: float) -> Floats:
    """Give the standard deviation of one of so many equal records, whose sum the answers are about."""
    deviations: Floats = np.sqrt(1 / (precision + 1 / (equal * variance)) / equal**2 + variance * (1 - 1 / equal))
    return deviations


def means_by_steps(answers: Answers, sizes: Floats, floor: float) -> tuple[Floats, int]:
    """Find the posterior means of all rows by conjugate gradients (rows x classes), and the most steps it took."""
    classes, most = answers.values.shape[1], 0
    mean, variance = neutral_prior(classes)
    prior = Prior(np.full(len(sizes), mean), np.full(len(sizes), variance))
    means = np.empty((len(sizes), classes))
    for label in _asked(classes):
        queries = Noisy(answers.matrix, answers.values[:, label], answers.variances[:, label] + floor, sizes)
        found = posterior_means(queries, prior)
        means[:, label], most = found.shares, max(most, found.steps)
    if classes == 2:
        means[:, 0] = 1 - means[:, 1]
    return means, most


def _asked(classes: int) -> range:
    """List the classes that are solved for: of two, the first mirrors the second."""
    return range(1 if classes == 2 else 0, classes)


def neutral_prior(classes: int) -> tuple[float, float]:
    """Give mean and variance of the share of a class before any answer."""
    return 1 / classes, (1 - 1 / classes) / classes
