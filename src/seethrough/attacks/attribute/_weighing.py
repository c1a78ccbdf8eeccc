"""What single counts add to what reconstruction by least squares says of one person."""

from dataclasses import dataclass, field

import numpy as np

from seethrough.attacks.attribute._joining import neutral_prior
from seethrough.attacks.attribute._queries import CellShares, Frame
from seethrough.kernels.arrays import Codes, Floats
from seethrough.kernels.counting.cells import Cells
from seethrough.kernels.solvers.least_squares import Noisy, Prior
from seethrough.kernels.solvers.pulls import pulls
from seethrough.protocols.weighing import WeighedCount, WeighedCounts

HEAVIEST, LISTED = 5, 3
"""Counts whose released rows are named, and how many rows of each."""


@dataclass(frozen=True, eq=False)
class LeastSquaresWeighing:
    """Cells of everybody, those of the people inside, the codes of the released rows, and the least variance."""

    frame: Frame
    found: CellShares
    table: Cells
    codes: list[Codes]
    floor: float
    known: dict[int, Floats] = field(default_factory=dict)

    def weigh(self, target: int, label: int) -> WeighedCounts:
        """Look up what the counts about this person add; of two classes the first mirrors the second."""
        classes = self.found.shares.shape[1]
        mirrored = classes == 2 and label == 0
        adds = self._adding(1 if mirrored else label) * (-1 if mirrored else 1)
        cells = self.table.members[self.table.row_of[target]].astype(np.int64)
        cells = cells[cells >= 0]
        ordered = cells[np.argsort(-np.abs(adds[cells]), kind="stable")]
        heaviest = set(ordered[:HEAVIEST].tolist())
        counts = tuple(self._count(cell, label, float(adds[cell]), cell in heaviest) for cell in ordered.tolist())
        return WeighedCounts(1 / classes, counts, len(adds))

    def _adding(self, label: int) -> Floats:
        """Find once for all people what each count adds to a record of its cell."""
        if label not in self.known:
            answers = self.found.answers_about(self.table)
            sizes = self.table.weights.astype(np.float64)
            queries = Noisy(answers.matrix, answers.values[:, label], answers.variances[:, label] + self.floor, sizes)
            mean, variance = neutral_prior(self.found.shares.shape[1])
            prior = Prior(np.full(len(sizes), mean), np.full(len(sizes), variance))
            self.known[label] = variance * pulls(queries, prior)
        return self.known[label]

    def _count(self, cell: int, label: int, adds: float, is_heavy: bool) -> WeighedCount:
        subsets = self.found.cells.subsets
        subset = subsets[int(np.searchsorted([each.first for each in subsets], cell, side="right")) - 1]
        names = tuple(dict.fromkeys(self.frame.names[self.frame.coded[place][0]] for place in subset.columns))
        released = int(self.found.released[cell])
        right = round(float(self.found.shares[cell, label]) * released)
        rows: tuple[int, ...] = ()
        if is_heavy:
            code = subset.codes[cell - subset.first]
            rows = tuple(np.flatnonzero(subset.codes_of(self.codes) == code)[:LISTED].tolist())
        return WeighedCount(names, released, right, int(self.table.sizes[cell]), adds, rows)
