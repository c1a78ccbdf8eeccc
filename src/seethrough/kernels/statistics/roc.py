"""ROC curve and the area under it."""

import numpy as np
import numpy.typing as npt


def area_under_roc(positive: npt.NDArray[np.bool_], scores: npt.NDArray[np.floating]) -> float:
    """Give the chance that a positive has a higher score than a negative, a tie counting half.

    It is the rank sum of the positives, with mid-ranks where scores tie (Mann and Whitney 1947,
    doi:10.1214/aoms/1177730491). Mid-ranks are multiples of one half, so their sum is exact.
    """
    positives = int(np.count_nonzero(positive))
    negatives = len(positive) - positives
    if not positives or not negatives:
        raise ValueError("a curve needs at least one positive and one negative")
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    rank_sum = float(middle[ranks[positive]].sum())
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def placements(members: npt.NDArray[np.number], others: npt.NDArray[np.number]) -> npt.NDArray[np.float64]:
    """Give for each member the share of the others that score lower, a tie counting half; the mean is the area."""
    ordered = np.sort(others)
    below, up_to = (np.searchsorted(ordered, members, side=side) for side in ("left", "right"))
    return np.asarray((below + up_to) / (2 * len(others)))


def roc_curve(
    positive: npt.NDArray[np.bool_], scores: npt.NDArray[np.floating]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Give false and true positive rates from (0, 0) to (1, 1), a point for each threshold that moves them."""
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    true, false = np.cumsum(positive[order])[last], np.cumsum(~positive[order])[last]
    rates = np.append(0.0, false / max(1, false[-1])), np.append(0.0, true / max(1, true[-1]))
    return rates[0], rates[1]
