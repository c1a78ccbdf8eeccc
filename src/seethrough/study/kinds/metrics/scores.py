"""Metrics summed up: means over runs, their standard errors, order, growth with epsilon, correlation and clusters."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import polars as pl

from seethrough.kernels.arrays import Floats
from seethrough.kernels.ranks.scale import mid_ranks
from seethrough.plugins import catalog
from seethrough.results.card import Card, Verdict
from seethrough.seeds import stream
from seethrough.study.cells.results import Results
from seethrough.study.kinds.label_settings import families
from seethrough.study.kinds.metrics.cells import CHECK

REAL, RANDOM = "real", "random"
ORDER = ("reconstruction", "re-identification", "tracing")
CLOSE = 1e-9
RESAMPLES = 1000


@dataclass(frozen=True, eq=False)
class MetricScores:
    """Metrics (rows) on generators (columns) for one table and size: mean and standard error over runs.

    Metrics stand in the order of their categories; one that lacks a generator is named in `lacking`.
    """

    data: str
    size: int
    metrics: tuple[str, ...]
    synthesizers: tuple[str, ...]
    means: Floats
    errors: Floats
    runs: int
    lacking: tuple[str, ...]

    def category(self, metric: str) -> str:
        """Name the attack that a metric speaks about."""
        return card_of(metric).category.value

    @property
    def ranks(self) -> Floats:
        """Rank the generators for each metric, 1 the lowest score, ties shared."""
        return np.vstack([mid_ranks(np.round(row, 9)) for row in self.means])

    @property
    def rules(self) -> tuple[int, ...]:
        """The rows at which another category begins."""
        kinds = [self.category(metric) for metric in self.metrics]
        return tuple(place for place in range(1, len(kinds)) if kinds[place] != kinds[place - 1])


def card_of(metric: str) -> Card:
    """Find the card of a metric by its label."""
    return catalog.find(metric.partition(":")[0]).card


def metric_scores(results: Results) -> tuple[MetricScores, ...]:
    """Sum up the metrics on each table and size."""
    cells = results.cells.filter(pl.col("kind") == "metrics", pl.col("what") == CHECK)
    kinds = cells.select("data", "size").unique(maintain_order=True).iter_rows()
    found = (_summed(cells.filter(pl.col("data") == data, pl.col("size") == size), data, size) for data, size in kinds)
    return tuple(each for each in found if each.metrics)


def _summed(cells: pl.DataFrame, data: str, size: int) -> MetricScores:
    done = cells.filter(pl.col("status") == "done")
    synthesizers = tuple(done["synthesizer"].unique(maintain_order=True))
    values = {
        (str(name), str(label)): some["value"].to_numpy()
        for (name, label), some in done.group_by("name", "synthesizer", maintain_order=True)
    }
    names = list(cells["name"].unique(maintain_order=True))
    whole = [name for name in names if all((name, label) in values for label in synthesizers)]
    whole.sort(key=lambda name: ORDER.index(card_of(name).category.value))
    shape = len(whole), len(synthesizers)
    means = np.array([[values[name, label].mean() for label in synthesizers] for name in whole]).reshape(shape)
    errors = np.array([[standard_error(values[name, label]) for label in synthesizers] for name in whole]).reshape(
        shape
    )
    runs = max((len(each) for each in values.values()), default=0)
    lacking = tuple(name for name in names if name not in whole)
    return MetricScores(data, size, tuple(whole), synthesizers, means, errors, runs, lacking)


def standard_error(values: Floats) -> float:
    """Give the standard error of a mean; 0 for a single value."""
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0


def order_verdict(scores: MetricScores, metric: str) -> Verdict | None:
    """Judge whether random data is strictly lowest and the real table strictly highest.

    Works: both. Sometimes: where one fails, it is by a tie or by less than the standard errors together. Inadequate:
    else. None: one of the two generators is not there.
    """
    if not {REAL, RANDOM} <= set(scores.synthesizers) or len(scores.synthesizers) < 3:
        return None
    place = scores.metrics.index(metric)
    mean, error = scores.means[place], scores.errors[place]
    worst = 1.0
    for name, sign in ((RANDOM, 1.0), (REAL, -1.0)):
        own = scores.synthesizers.index(name)
        for other in range(len(mean)):
            if other != own:
                gap = sign * (mean[other] - mean[own])
                allowed = error[other] + error[own]
                worst = min(worst, 1.0 if gap > CLOSE else 0.0 if gap >= -allowed - CLOSE else -1.0)
    return {1.0: Verdict.WORKS, 0.0: Verdict.SOMETIMES, -1.0: Verdict.INADEQUATE}[worst]


def growth_verdict(scores: MetricScores, metric: str, family: str) -> Verdict | None:
    """Judge whether a metric grows with epsilon.

    Works: no step falls by more than the standard errors of its ends together, and the whole way rises by more than
    that. Sometimes: no step falls so, but the rise is not measurable. Inadequate: a step falls. None: fewer than two
    values of epsilon.
    """
    members = families(scores.synthesizers, "epsilon").get(family, [])
    if len(members) < 2:
        return None
    place = scores.metrics.index(metric)
    columns = [scores.synthesizers.index(label) for _, label in members]
    mean, error = scores.means[place][columns], scores.errors[place][columns]
    if (np.diff(mean) < -(error[1:] + error[:-1]) - CLOSE).any():
        return Verdict.INADEQUATE
    return Verdict.WORKS if mean[-1] - mean[0] > error[-1] + error[0] + CLOSE else Verdict.SOMETIMES


def spearman(rows: Floats) -> Floats:
    """Correlate the ranks of rows, ties shared; NaN where a row is constant."""
    ranks = np.vstack([mid_ranks(np.round(row, 9)) for row in rows])
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    norms = np.sqrt(np.square(centred).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (centred @ centred.T) / np.outer(norms, norms)
    return np.clip(found, -1, 1)


def spearman_intervals(rows: Floats, seed: int) -> tuple[Floats, Floats]:
    """Give 95 % percentile intervals of all correlations, over generators drawn with replacement."""
    rng = stream(seed, "spearman")
    count = rows.shape[1]
    drawn = np.array([spearman(rows[:, rng.integers(0, count, count)]) for _ in range(RESAMPLES)])
    low, high = np.full(drawn.shape[1:], np.nan), np.full(drawn.shape[1:], np.nan)
    for i, j in np.argwhere(np.isfinite(drawn).any(axis=0)):
        some = drawn[np.isfinite(drawn[:, i, j]), i, j]
        low[i, j], high[i, j] = np.percentile(some, [2.5, 97.5])
    return low, high


def clusters(rows: Floats) -> tuple[int, ...]:
    """Cluster rows by OPTICS with at least two members; -1 is an outlier."""
    from sklearn.cluster import OPTICS  # type: ignore[import-untyped]

    if len(rows) < 3:
        return tuple(-1 for _ in rows)
    with np.errstate(all="ignore"):
        return tuple(int(label) for label in OPTICS(min_samples=2).fit(rows).labels_)
