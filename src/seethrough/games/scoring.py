"""From answers to scores."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.statistics.intervals import wilson
from seethrough.kernels.statistics.roc import area_under_roc
from seethrough.results.estimate import Estimate
from seethrough.results.game import Play, Score

Cell = tuple[str | None, int | None, str]


def scores_of(plays: Sequence[Play], confidence: float = 0.95) -> tuple[Score, ...]:
    """Sum up the answers of each attack on each kind of release, in the order they came."""
    cells: dict[Cell, list[Play]] = {}
    for play in plays:
        cells.setdefault((play.synthesizer, play.size, play.attack), []).append(play)
    return tuple(_score(cell, mine, confidence) for cell, mine in cells.items())


def _score(cell: Cell, plays: Sequence[Play], confidence: float) -> Score:
    hits = np.array([play.is_hit for play in plays], float)
    error = standard_error(hits, np.array([play.game for play in plays]))
    truth = np.array([play.truth for play in plays])
    return Score(
        *cell,
        accuracy=accuracy(hits, error, confidence),
        standard_error=error,
        auc=class_auc(truth, np.array([play.scores for play in plays])),
        plays=len(plays),
        seconds=float(np.mean([play.seconds for play in plays])),
    )


def standard_error(hits: Floats, games: Ints) -> float:
    """Give the standard error of the share of hits; targets of one game share a release, so games are what varies."""
    _, inverse, counts = np.unique(games, return_inverse=True, return_counts=True)
    sums = np.bincount(inverse, hits - hits.mean())
    if len(counts) == len(hits):
        return float(sqrt(hits.var() / len(hits)))
    return float(sqrt(np.square(sums).sum()) / len(hits) * sqrt(len(counts) / max(1, len(counts) - 1)))


def accuracy(hits: Floats, error: float, confidence: float) -> Estimate:
    """Give the share of hits with its Wilson interval, on as many trials as independent ones would give that error."""
    share, trials = float(hits.mean()), len(hits)
    variance = share * (1 - share)
    if error**2 * trials > variance:
        trials = max(1, round(variance / error**2))
    low, high = wilson(share * trials, trials, confidence)
    return Estimate(share, min(low, share), max(high, share), confidence)


def class_auc(truth: Ints, scores: Floats) -> float | None:
    """Give the area under the ROC curve; with several classes, the mean over each against the rest."""
    classes = range(scores.shape[1]) if scores.shape[1] > 2 else (1,)
    found = [
        area_under_roc(truth == place, scores[:, place])
        for place in classes
        if 0 < np.count_nonzero(truth == place) < len(truth)
    ]
    return float(np.mean(found)) if found else None
