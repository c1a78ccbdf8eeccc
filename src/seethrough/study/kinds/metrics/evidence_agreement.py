"""Metrics beside the evidence: does a score rise where members are told apart from people outside on the same release?

The leak of a release is what the evidence shows at least: the lower end of the finding that decides the verdict, 0
where no leak was found. Two generators are told apart where their mean leaks differ by more than the standard errors
of both together.
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from seethrough.kernels.arrays import Bools, Floats
from seethrough.results.card import Verdict
from seethrough.results.evidence import Grade
from seethrough.study.cells.results import Results
from seethrough.study.kinds.metrics.cells import EVIDENCE
from seethrough.study.kinds.metrics.scores import (
    CLOSE,
    MetricScores,
    clusters,
    metric_scores,
    spearman,
    spearman_intervals,
    standard_error,
)

MOST = 0.5
"""Share of pairs that a metric has to order rightly, for its ties to be excused."""
_LEAKS = [grade.value for grade in Grade if grade.is_leak]


@dataclass(frozen=True, eq=False)
class ShownLeaks:
    """What the evidence shows of each generator: mean leak and standard error over so many runs.

    `found` counts the runs in which a leak was found, `untested` names generators without evidence.
    """

    means: Floats
    errors: Floats
    found: tuple[int, ...]
    runs: tuple[int, ...]
    untested: tuple[str, ...] = ()

    def of(self, place: int) -> tuple[float, float, int, int]:
        """Give mean, standard error, runs with a leak and runs of one generator."""
        return float(self.means[place]), float(self.errors[place]), self.found[place], self.runs[place]

    @property
    def told_apart(self) -> Bools:
        """Say for each pair of generators whether the second is shown to leak more than the first."""
        rises = self.means[None, :] - self.means[:, None]
        above: Bools = rises > self.errors[None, :] + self.errors[:, None] + CLOSE
        return above

    @property
    def leak_free(self) -> Bools:
        """Say which generators are not shown to leak: their mean is within its standard error of 0."""
        free: Bools = self.means <= self.errors + CLOSE
        return free


@dataclass(frozen=True)
class MetricAgreement:
    """How a metric goes with the evidence.

    `concordance` is the share of pairs of generators which the evidence tells apart that the metric puts in the same
    order, ties counted half. `free_spread` is how far the scores of generators that are not shown to leak lie apart, as
    a share of how far all scores do: a metric of leaks alone has little of it. None is not defined.
    """

    metric: str
    correlation: float | None
    low: float | None
    high: float | None
    concordance: float | None
    free_spread: float | None
    verdict: Verdict | None
    cluster: int
    outcome: str


def scores_with_leaks(results: Results) -> tuple[tuple[MetricScores, ShownLeaks], ...]:
    """Pair the metrics on each table and size with the evidence on the same releases.

    Generators of which the evidence cannot tell, or that were not attacked, are left out of both.
    """
    cells = results.done("metrics").filter(pl.col("what") == EVIDENCE)
    found = []
    for scores in metric_scores(results):
        own = cells.filter(pl.col("data") == scores.data, pl.col("size") == scores.size)
        by_label = {str(label): some for (label,), some in own.group_by("synthesizer")}
        if by_label:
            tested = np.array([label in by_label for label in scores.synthesizers])
            kept, left = (tuple(np.array(scores.synthesizers)[mask]) for mask in (tested, ~tested))
            told = replace(scores, synthesizers=kept, means=scores.means[:, tested], errors=scores.errors[:, tested])
            found.append((told, _leaks([by_label[label] for label in kept], left)))
    return tuple(found)


def _leaks(cells: list[pl.DataFrame], untested: tuple[str, ...]) -> ShownLeaks:
    values = [some["value"].to_numpy() for some in cells]
    return ShownLeaks(
        np.array([each.mean() for each in values]),
        np.array([standard_error(each) for each in values]),
        tuple(int(some["grade"].is_in(_LEAKS).sum()) for some in cells),
        tuple(map(len, values)),
        untested,
    )


def agreement_verdict(scores: MetricScores, leaks: ShownLeaks, metric: str) -> Verdict | None:
    """Judge whether a metric puts generators in the order of their leaks, where the evidence tells them apart.

    Works: the one that leaks more scores strictly higher, in every pair. Sometimes: in most of them, and where it does
    not, it is by a tie or by less than the standard errors together. Inadequate: else, also a metric that is the same
    for all. None: the evidence tells no two apart.
    """
    gaps, allowed = _gaps(scores, leaks, metric)
    if not len(gaps):
        return None
    rises = gaps > CLOSE
    if rises.all():
        return Verdict.WORKS
    is_close = bool((gaps >= -allowed - CLOSE).all())
    return Verdict.SOMETIMES if is_close and rises.mean() > MOST else Verdict.INADEQUATE


def concordance(scores: MetricScores, leaks: ShownLeaks, metric: str) -> float | None:
    """Give the share of told-apart pairs that a metric puts in the same order, ties counted half."""
    gaps, _ = _gaps(scores, leaks, metric)
    if not len(gaps):
        return None
    return float((gaps > CLOSE).mean() + (np.abs(gaps) <= CLOSE).mean() / 2)


def free_spread(scores: MetricScores, leaks: ShownLeaks, metric: str) -> float | None:
    """Give the range of scores of generators without a leak as a share of the range of all."""
    mean = scores.means[scores.metrics.index(metric)]
    whole, free = float(np.ptp(mean)), mean[leaks.leak_free]
    return float(np.ptp(free)) / whole if len(free) > 1 and whole > CLOSE else None


def _gaps(scores: MetricScores, leaks: ShownLeaks, metric: str) -> tuple[Floats, Floats]:
    """Give by how much a metric rises from the smaller to the larger leak, and the errors of both ends together."""
    place = scores.metrics.index(metric)
    mean, error = scores.means[place], scores.errors[place]
    first, second = np.nonzero(leaks.told_apart)
    return mean[second] - mean[first], error[second] + error[first]


def agreements(scores: MetricScores, leaks: ShownLeaks, seed: int) -> list[MetricAgreement]:
    """Judge every metric, and select as section 7.5 does, with the evidence in the place of order and growth."""
    rows = np.vstack([scores.means, leaks.means])
    values, (lows, highs) = spearman(rows)[-1], spearman_intervals(rows, seed)
    labels = clusters(scores.means)
    verdicts = [agreement_verdict(scores, leaks, metric) for metric in scores.metrics]
    return [
        MetricAgreement(
            metric,
            _defined(values[place]),
            _defined(lows[-1, place]),
            _defined(highs[-1, place]),
            concordance(scores, leaks, metric),
            free_spread(scores, leaks, metric),
            verdicts[place],
            labels[place],
            _outcome(place, verdicts, labels, scores.metrics),
        )
        for place, metric in enumerate(scores.metrics)
    ]


def _outcome(place: int, verdicts: list[Verdict | None], labels: tuple[int, ...], metrics: tuple[str, ...]) -> str:
    """Leave out what is inadequate, then what works sometimes and shares a cluster with a metric that works."""
    own = verdicts[place]
    if own is None:
        return "not judged"
    if own is Verdict.INADEQUATE:
        return "inadequate"
    twins = [j for j, label in enumerate(labels) if label == labels[place] >= 0 and verdicts[j] is Verdict.WORKS]
    return f"as {metrics[twins[0]]}" if own is Verdict.SOMETIMES and twins else "kept"


def _defined(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
