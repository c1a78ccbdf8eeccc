"""How alike the columns and pairs of columns of two tables are: total variation of their counts.

Total variation is 0 for equal counts and 1 for tables that share no cell. Numbers are counted by ten bins of the real
range, as in `marginals`.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.marginals import Marginal, Marginals
from seethrough.data.release import Part
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.results.diagnostics import ColumnFidelity, PairFidelity

MOST_COLUMNS = 30
MOST_CELLS = 1 << 22


def marginal_fidelity(release: Bench[Part], outside: Bench[Part] | None) -> tuple[ColumnFidelity, ...]:
    """Compare single columns; `outside` holds people kept out in the place of the release."""
    ask = Marginals(Part.TRAIN, Part.SYNTHETIC)
    mine = release.get(ask)
    others = [float(total_variation(*other.counts)) for other in outside.get(ask)] if outside else [None] * len(mine)
    return tuple(
        ColumnFidelity(column.name, float(total_variation(*column.counts)), other)
        for column, other in zip(mine, others, strict=True)
    )


def pair_fidelity(release: Bench[Part], outside: Bench[Part] | None = None) -> tuple[PairFidelity, ...]:
    """Compare pairs of the first thirty columns; `outside` holds people kept out in the place of the release."""
    others = {} if outside is None else {(name, other): share for name, other, share in _pairs(outside)}
    return tuple(PairFidelity(a, b, share, others.get((a, b))) for a, b, share in _pairs(release))


def _pairs(bench: Bench[Part]) -> Iterator[tuple[str, str, float]]:
    columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC))[:MOST_COLUMNS]
    for a, b in combinations(columns, 2):
        if len(a.counts[0]) * len(b.counts[0]) <= MOST_CELLS:
            yield a.name, b.name, _joint(a, b)


def _joint(a: Marginal, b: Marginal) -> float:
    width, size = len(b.counts[0]), len(a.counts[0]) * len(b.counts[0])
    counts = [
        np.bincount(high.astype(np.int64) * width + low, minlength=size).astype(np.float64)
        for high, low in zip(a.cells, b.cells, strict=True)
    ]
    return float(total_variation(counts[0], counts[1]))
