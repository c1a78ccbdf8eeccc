"""Groups of similar points, and how far apart two groups are at least.

A search that looks at near groups first need not look at most of the others: the columns in which two groups have no
level in common, and the gaps between the ranges of their numbers, bound every distance between them from below.
"""

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Bools, Codes, Floats, Ints
from seethrough.kernels.points import Points

SAFE = 1 - 1e-12
"""Factor that keeps a bound below the totals it bounds in spite of rounding."""
ENOUGH = 1024
"""Points of a group by which its columns are compared."""
TOGETHER = 1 << 20
"""Values of a group that are looked at together: small groups have many columns looked at in few steps."""


def clusters(points: Points, rows: Ints, size: int) -> list[Ints]:
    """Split rows into groups of at most `size`, always in the column that divides a group most."""
    waiting, done = [rows], []
    while waiting:
        group = waiting.pop()
        if len(group) <= size:
            done.append(group)
            continue
        left = _half(points, group)
        # Equal points cannot be told apart, though rounding may give their column a spread.
        divided = left.any() and not left.all()
        waiting += [group[~left], group[left]] if divided else np.array_split(group, -(-len(group) // size))
    return [group for group in done if len(group)]


def _half(points: Points, group: Ints) -> Bools:
    """Mark one part of a group; all or nothing where its points are equal."""
    some = group[:: max(1, len(group) // ENOUGH)]
    spread = np.concatenate([_code_spread(points, some), _number_spread(points, some)])
    if len(some) < len(group) and not spread.any():
        spread = np.concatenate([_code_spread(points, group), _number_spread(points, group)])
    best = int(np.argmax(spread)) if len(spread) else 0
    if not len(spread) or spread[best] <= 0:
        return np.zeros(len(group), bool)
    if best >= len(points.codes):
        values = points.numbers[group, best - len(points.codes)]
        middle = float(np.median(values))
        below: Bools = values < middle
        return below if below.any() else values <= middle
    return _frequent(points.codes[best][group])


def _code_spread(points: Points, group: Ints) -> Floats:
    """Give the weighted chance that two points of a group differ, column by column."""
    many = _columns_at_once(len(group))
    found = [_unequal(points.codes[at : at + many, group]) for at in range(0, len(points.codes), many)]
    return points.weights * np.concatenate(found) if found else np.empty(0)


def _unequal(codes: Codes) -> Floats:
    sizes = codes.max(axis=1).astype(np.int64) + 1
    starts = np.cumsum(sizes) - sizes
    shares = np.bincount((codes + starts[:, None]).ravel(), minlength=int(sizes.sum())) / codes.shape[1]
    found: Floats = 1 - np.add.reduceat(np.square(shares), starts)
    return found


def _number_spread(points: Points, group: Ints) -> Floats:
    """Give about how far two points of a group are apart, column by column."""
    many, width = _columns_at_once(len(group)), points.numbers.shape[1]
    found = []
    for at in range(0, width, many):
        values = points.numbers[group, at : at + many]
        found.append(2 * points.norm.part(values - values.mean(axis=0)).mean(axis=0))
    return np.concatenate(found) if found else np.empty(0)


def _columns_at_once(rows: int) -> int:
    return max(1, TOGETHER // rows)


def _frequent(codes: Codes) -> Bools:
    """Mark the most frequent codes, as many as come nearest to half."""
    counts = np.bincount(codes)
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    reached = np.cumsum(counts[order])[:-1]
    last = int(np.argmin(np.abs(reached - len(codes) / 2)))
    chosen = np.zeros(len(counts), bool)
    chosen[order[: last + 1]] = True
    marked: Bools = chosen[codes]
    return marked


def lower_bounds(a: Points, groups_a: list[Ints], b: Points, groups_b: list[Ints]) -> Floats:
    """Bound the total of every pair from two groups from below, for all pairs of groups."""
    bound = np.zeros((len(groups_a), len(groups_b)))
    for codes_a, codes_b, weight in zip(a.codes, b.codes, a.weights, strict=True):
        size = int(max(codes_a.max(initial=0), codes_b.max(initial=0))) + 1
        with np.errstate(invalid="ignore"):  # some builds of BLAS raise the flag on sums of 0 and 1
            shared = _levels(codes_a, groups_a, size) @ _levels(codes_b, groups_b, size).T
        bound += weight * (shared == 0)
    for column_a, column_b in zip(a.numbers.T, b.numbers.T, strict=True):
        (low_a, high_a), (low_b, high_b) = _ends(column_a, groups_a), _ends(column_b, groups_b)
        gap = np.maximum(low_a[:, None] - high_b, low_b - high_a[:, None])
        bound += a.norm.part(np.maximum(gap, 0.0))
    return bound * SAFE


def _levels(codes: Codes, groups: list[Ints], size: int) -> npt.NDArray[np.float32]:
    found = np.zeros((len(groups), size), np.float32)
    for place, group in enumerate(groups):
        found[place, codes[group]] = 1
    return found


def _ends(values: Floats, groups: list[Ints]) -> tuple[Floats, Floats]:
    return np.array([values[g].min() for g in groups]), np.array([values[g].max() for g in groups])
