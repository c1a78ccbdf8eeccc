"""All nearest rows by other criteria on rank differences: the smallest difference, or a function of all of them.

The smallest difference needs no search through pairs: in each column the nearest values stand beside each other in
order. A function that a user supplies is asked block by block for all pairs; nothing is known about it that would
leave pairs out.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.all_nearest import Nearest
from seethrough.kernels.points import TIE
from seethrough.kernels.ranks.linkage import Folded, Pairs, Room, fold_equal_ranks, link_folded

Criterion = Callable[[Floats], Floats]
"""Makes distances (a x b) of absolute differences of ranks (a x b x columns)."""

SIDE = 256
"""Rows and columns of a block at most."""


def nearest_in_one(rows: Ints, columns: Ints, budget: Budget) -> Nearest:
    """Find, for every row of doubled ranks, all rows at the smallest difference in any one column."""
    mine, others = fold_equal_ranks(rows), fold_equal_ranks(columns)
    apart = np.column_stack([_apart(a, b) for a, b in zip(mine.distinct.T, others.distinct.T, strict=True)])
    best = apart.min(axis=1)
    room = Room(budget)
    pairs: list[Pairs] = []
    for a, b, gap in zip(mine.distinct.T, others.distinct.T, apart.T, strict=True):
        attaining = np.flatnonzero(gap == best)
        for sign in (-1, 1):
            # At distance 0 both sides are the same values.
            asked = attaining if sign < 0 else attaining[best[attaining] > 0]
            pairs.append(_equal(asked, a[asked] + sign * best[asked], b, room))
    return link_folded(mine, others, pairs, best.astype(np.float64))


def _apart(wanted: Ints, given: Ints) -> Ints:
    """Give the distance of each number to the nearest of others."""
    ordered = np.sort(given)
    place = np.searchsorted(ordered, wanted)
    below, above = ordered[np.maximum(place - 1, 0)], ordered[np.minimum(place, len(ordered) - 1)]
    found: Ints = np.minimum(np.abs(wanted - below), np.abs(above - wanted))
    return found


def _equal(rows: Ints, wanted: Ints, given: Ints, room: Room) -> Pairs:
    """Pair each row with all places where the number it wants is given."""
    order = np.argsort(given, kind="stable")
    ordered = given[order]
    start, end = np.searchsorted(ordered, wanted), np.searchsorted(ordered, wanted, side="right")
    counts = end - start
    room.take(int(counts.sum()))
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(rows, counts), order[np.repeat(start, counts) + within]


def nearest_by(criterion: Criterion, rows: Ints, columns: Ints, budget: Budget) -> Nearest:
    """Find, for every row of doubled ranks, all rows at the smallest value of a criterion."""
    mine, others = fold_equal_ranks(rows), fold_equal_ranks(columns)
    width = max(1, rows.shape[1])
    side = int(min(SIDE, max(1, (budget.memory / (32 * width)) ** 0.5)))
    room, pairs, best = Room(budget), [], np.empty(len(mine.distinct))
    for start in range(0, len(mine.distinct), side):
        some = slice(start, start + side)
        found, pair = _strip(criterion, mine.distinct[some], others, side, room)
        best[some] = found
        pairs.append((pair[0] + start, pair[1]))
        budget.tick(min(1.0, (start + side) / len(mine.distinct)))
    return link_folded(mine, others, pairs, 2 * best)


def _strip(criterion: Criterion, mine: Ints, others: Folded, side: int, room: Room) -> tuple[Floats, Pairs]:
    """Ask for a few rows against all others, keeping what ties with the smallest value so far."""
    best, kept = np.full(len(mine), np.inf), sparse.coo_array((len(mine), len(others.distinct)))
    for start in range(0, len(others.distinct), side):
        values = _asked(criterion, mine, others.distinct[start : start + side])
        best = np.minimum(best, values.min(axis=1))
        row, column = np.nonzero(values <= _tied(best)[:, None])
        rows, columns = np.concatenate([kept.row, row]), np.concatenate([kept.col, column + start])
        measured = np.concatenate([kept.data, values[row, column]])
        near = measured <= _tied(best)[rows]
        kept = sparse.coo_array((measured[near], (rows[near], columns[near])), shape=kept.shape)
    room.take(len(kept.data))
    return best, (kept.row.astype(np.int64), kept.col.astype(np.int64))


def _tied(best: Floats) -> Floats:
    return best + TIE * np.abs(best)


def _asked(criterion: Criterion, mine: Ints, others: Ints) -> Floats:
    apart = np.abs(mine[:, None, :] - others[None, :, :]) / 2
    values = np.asarray(criterion(apart), np.float64)
    if values.shape != apart.shape[:2] or not np.isfinite(values).all():
        raise ConfigError(
            f"the criterion gave {values.shape} for rank differences of the shape {apart.shape}; "
            f"finite numbers of the shape {apart.shape[:2]} are expected"
        )
    return values
