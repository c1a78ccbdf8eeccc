"""One more person: the posterior that each of many people would have, had they alone joined the table.

The table of `least_squares` has cells of c records; of one class the release says that a share p of each cell has it,
with the variance e for one record, so the answer is r = p c with the variance v(c) = c^2 e + floor, and weighs w = 1 /
v(c). With the members' precision H = A' W A + diag(d / g), their posterior sums x, u = A x and K = A H^-1 A' (cells by
cells), a person who joins makes the cells T that they fall in larger by one record. On T let w+ = 1 / v(c + 1), r+ =
p (c + 1), D = diag(w+ - w), b = w+ r+ - w r; then

    Z    = (I + K D)^-1 [u + K b, K w+]                       one solve of T x T with two right sides
    mean = (w+ . r+ + d mu - w+ . Z_1) / (w+ . 1 + d - w+ . Z_2),       variance = 1 / the denominator

with prior mean mu and precision d. This is the posterior of the table with the person in it (the bordered system, and
Woodbury's formula for the cells that changed), not an approximation. A cell that no member has is one of T with c = 0,
where K and u are 0.

H^-1 is found once and K from it by two sparse products, half of it, since it is symmetric, and so few columns at a time
that a cache holds them: of 10,594 cells, 2,500 records and 2,250 people who join it takes 0.9 s where whole columns by
the hundreds took 1.6. K takes 8 q^2 bytes for q cells that people who join fall in; where that is too much, A H^-1 is
kept (8 n q bytes) and K gathered from it for each person, and where that is too much too, people come in parts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse
from scipy.linalg.lapack import dpotri

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget, one_blas_thread
from seethrough.kernels.solvers.least_squares import Noisy, Posterior, Prior, solve_for_sums

BLOCK = 128
"""People who are solved for together."""
STRIP = 128
"""Columns of K that are found together."""
KEPT = 2
"""K, or A H^-1, may take one in so many of the bytes that there are."""


@dataclass(frozen=True, eq=False)
class ReleasedShares:
    """What a release says about one class in each cell: its share, and the variance of that share for one record.

    `matrix` has the cells of the table (cells x rows), `sizes` the records of each row; cells may be empty.
    """

    matrix: sparse.csr_array
    sizes: Floats
    shares: Floats
    variances: Floats
    floor: float

    def answers(self, records: Floats, cells: Ints | slice) -> tuple[Floats, Floats]:
        """Give counts of the class and their variances in cells with so many records."""
        return self.shares[cells] * records, records**2 * self.variances[cells] + self.floor


@dataclass(frozen=True, eq=False)
class BorderedTable:
    """A table that is solved, so that people may join it one at a time: its parts are those of the module's formula."""

    released: ReleasedShares
    prior: tuple[float, float]
    records: Floats
    inverse: Floats
    sums: Floats

    def members(self) -> Posterior:
        """Give mean and variance of one record of each row."""
        sizes, (_, variance) = self.released.sizes, self.prior
        return Posterior(self.sums / sizes, np.diag(self.inverse) / sizes**2 + variance * (1 - 1 / sizes))

    def joined_by(self, people: Ints, budget: Budget) -> Posterior:
        """Give mean and variance of each person who joins; `people` are their cells, -1 for none (people x sets)."""
        found = Posterior(np.empty(len(people)), np.empty(len(people)))
        with one_blas_thread():
            self._join(people, found, np.arange(len(people)), budget)
        return found

    def _join(self, people: Ints, found: Posterior, places: Ints, budget: Budget) -> None:
        """Solve for the people at these places, all at once or in halves, as the memory allows."""
        some = people[places]
        cells = np.unique(some[some >= 0])
        cells = cells[self.records[cells] > 0]
        room, rows = budget.memory // KEPT // 8, len(self.sums)
        if (len(cells) + 1) ** 2 > room and (len(cells) + 1) * rows > room and len(places) > 1:
            for half in np.array_split(places, 2):
                self._join(people, found, half, budget)
            return
        at = np.full(len(self.records) + 1, len(cells))
        at[cells] = np.arange(len(cells))
        couplings = self._whole(cells, budget) if (len(cells) + 1) ** 2 <= room else self._halves(cells)
        u = self.released.matrix @ self.sums
        block = int(np.clip(budget.memory // (32 * (people.shape[1] + 1) ** 2 * budget.threads), 1, BLOCK))

        def solve(which: Ints) -> None:
            found.means[which], found.variances[which] = self._solve(people[which], couplings(at[people[which]]), u)

        budget.run(partial(solve, places[start : start + block]) for start in range(0, len(places), block))

    def _whole(self, cells: Ints, budget: Budget) -> Callable[[Ints], Floats]:
        """Find K for these cells; what it gives for places among them (the one after the last: none) is K there."""
        rows, size = self.released.matrix[cells], len(cells) + 1
        whole = np.zeros((size, size))

        def fill(start: int) -> None:
            end = min(start + STRIP, len(cells))
            below = rows[start:] @ np.ascontiguousarray((rows[start:end] @ self.inverse).T)
            whole[start:-1, start:end] = below
            whole[start:end, end:-1] = below[end - start :].T

        budget.run(partial(fill, start) for start in range(0, len(cells), STRIP))
        return lambda places: whole.ravel().take(places[:, :, None] * size + places[:, None, :])

    def _halves(self, cells: Ints) -> Callable[[Ints], Floats]:
        """Find A H^-1 for these cells, from which the same is gathered."""
        rows = self.released.matrix[cells]
        none = sparse.csr_array((1, rows.shape[1]))
        half = np.append(rows @ self.inverse, np.zeros((1, len(self.sums))), axis=0)
        return partial(_gathered, sparse.vstack([rows, none], format="csr"), half)

    def _solve(self, people: Ints, coupled: Floats, u: Floats) -> tuple[Floats, Floats]:
        """Solve the small systems of some people; sets in which a person has no cell weigh nothing."""
        (mean, variance), there = self.prior, people >= 0
        cells = np.where(there, people, 0)
        before = self.released.answers(self.records[cells], cells)
        after = self.released.answers(self.records[cells] + 1, cells)
        weights, grown = there / before[1], there / after[1]
        change = grown * after[0] - weights * before[0]
        system = coupled * (grown - weights)[:, None, :]
        system[:, np.arange(people.shape[1]), np.arange(people.shape[1])] += 1
        sides = coupled @ np.stack([change, grown], axis=2)
        sides[:, :, 0] += u[cells] * there
        solved = np.linalg.solve(system, sides)
        pulled = np.einsum("ij,ijk->ik", grown, solved)
        precision = grown.sum(axis=1) + 1 / variance - pulled[:, 1]
        towards = np.einsum("ij,ij->i", grown, after[0]) + mean / variance - pulled[:, 0]
        return towards / precision, 1 / precision


def _gathered(rows: sparse.csr_array, half: Floats, places: Ints) -> Floats:
    return np.stack([rows[some] @ half[some].T for some in places])


def border_table(
    released: ReleasedShares, prior: tuple[float, float], normal: Callable[[Floats], Floats] | None = None
) -> BorderedTable:
    """Solve for the table itself; `prior` is mean and variance of every record, `normal` as in `Noisy`."""
    rows = len(released.sizes)
    records = released.matrix @ released.sizes
    answers, variances = released.answers(records, slice(None))
    queries = Noisy(released.matrix, answers, variances, released.sizes, normal)
    with one_blas_thread():
        factor, sums = solve_for_sums(queries, Prior(np.full(rows, prior[0]), np.full(rows, prior[1])))
        inverse, _ = dpotri(factor, lower=1, overwrite_c=1)
    return BorderedTable(released, prior, records, _mirrored(inverse), sums)


def _mirrored(lower: Floats) -> Floats:
    """Fill what is above the diagonal from below it, in place; what is given back has its rows one after the other."""
    for start in range(0, len(lower), STRIP):
        end = min(start + STRIP, len(lower))
        own = np.tril(lower[start:end, start:end])
        lower[start:end, start:end] = own + np.tril(own, -1).T
        lower[start:end, end:] = lower[end:, start:end].T
    return lower.T  # symmetric, and LAPACK has columns one after the other
