"""Training by sampling: conditions on one category column, and real rows that meet them.

A condition names a column, drawn uniformly, and one of its levels. While training, a level is drawn in proportion to
log(1 + count), so that rare levels are seen often enough; a generator that has learnt the rows given each condition
is then asked with levels in proportion to their counts, and gives rows as frequent as in the table. With log(count), as
the paper has it, a level that occurs once would never be drawn.

Levels of all columns are numbered one after the other; that number is where the condition vector has its 1.

References
----------
Xu, Skoularidou, Cuesta-Infante, Veeramachaneni 2019, Modeling tabular data using conditional GAN, section 4.3.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Conditions:
    """The levels of all category columns: where each column's begin, how often they occur, which rows have them."""

    starts: Ints
    counts: Ints
    first: Ints
    order: Ints
    by_logarithm: Floats
    by_count: Floats

    @property
    def columns(self) -> int:
        """How many columns can be conditioned on."""
        return len(self.starts) - 1

    @property
    def width(self) -> int:
        """How many levels there are in all."""
        return len(self.counts)

    def draw_for_training(self, count: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Draw conditions to train with: columns, and numbers of levels."""
        return self._draw(self.by_logarithm, count, rng)

    def draw_as_observed(self, count: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Draw conditions as frequent as in the table."""
        return self._draw(self.by_count, count, rng)

    def draw_rows(self, columns: Ints, levels: Ints, rng: np.random.Generator) -> Ints:
        """Draw, for each condition, one of the rows that meet it."""
        places = (rng.random(len(levels)) * self.counts[levels]).astype(np.int64)
        found: Ints = self.order[columns, self.first[levels] + places]
        return found

    def _draw(self, shares: Floats, count: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        columns = rng.integers(0, self.columns, count)
        # Shares add up to 1 within a column and continue in the next, so one search serves all columns.
        levels = np.searchsorted(shares, columns + rng.random(count), side="right")
        return columns, np.clip(levels, self.starts[columns], self.starts[columns + 1] - 1)


def conditions_of(picks: npt.NDArray[np.integer], sizes: Ints) -> Conditions:
    """Take the levels of category columns; `picks` has a column for each, with levels from 0, all of which occur."""
    counted = [np.bincount(picks[:, place], minlength=size) for place, size in enumerate(sizes)]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    first = [np.concatenate([[0], np.cumsum(counts)[:-1]]) for counts in counted]
    return Conditions(
        starts,
        np.concatenate([*counted, np.empty(0, np.int64)]).astype(np.int64),
        np.concatenate([*first, np.empty(0, np.int64)]).astype(np.int64),
        np.argsort(picks, axis=0, kind="stable").T,
        _shares([np.log1p(counts) for counts in counted]),
        _shares([counts.astype(float) for counts in counted]),
    )


def _shares(weights: list[Floats]) -> Floats:
    parts = [place + np.cumsum(some) / some.sum() for place, some in enumerate(weights)]
    return np.concatenate([*parts, np.empty(0)])
