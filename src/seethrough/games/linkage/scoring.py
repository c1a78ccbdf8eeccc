"""Shares of records that linkage discloses, narrows or confuses, with their intervals."""

from collections.abc import Mapping, Sequence

import numpy as np

from seethrough.games.linkage.rank_intervals import LinkageAnswer, RankIntervals, combine_answers
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bounded_mean, wilson
from seethrough.results.estimate import Curve, Estimate

DESCRIPTIONS = {
    "any": "records that at least one of the tables discloses exactly",
    "all": "records that each of the tables discloses exactly",
    "right": "records whose interval of ranks has the truth",
    "narrow and right": "records whose interval of ranks is narrow and has the truth",
    "confused": "records whose interval of ranks is narrow and misses the truth",
    "width": "mean width of the interval, as a share of all ranks",
}


def estimate(values: Floats, confidence: float, rng: np.random.Generator) -> Estimate:
    """Average values in [0, 1] over records; where all are 0 or 1 this is a proportion."""
    mean = float(values.mean())
    if np.isin(values, (0.0, 1.0)).all():
        low, high = wilson(float(values.sum()), len(values), confidence)
    else:
        low, high = bounded_mean(values, confidence, rng)
    return Estimate(mean, max(0.0, min(low, mean)), min(1.0, max(high, mean)), confidence)


def quantities(found: RankIntervals) -> dict[str, Floats]:
    """Give what is averaged, a value for each record; several hidden columns count as their mean."""
    parts = found.any_exact, found.all_exact, found.right, found.narrow_right, found.confused, found.width
    return {name: part.astype(np.float64).mean(axis=0) for name, part in zip(DESCRIPTIONS, parts, strict=True)}


def steps(answers: Sequence[LinkageAnswer], narrow: float) -> list[RankIntervals]:
    """Put the answers of the first table, of the first two, and so on, together."""
    return [combine_answers(answers[: number + 1], narrow) for number in range(len(answers))]


def curves(
    found: Mapping[str, Sequence[LinkageAnswer]], narrow: float, confidence: float, rng: np.random.Generator
) -> tuple[Curve, ...]:
    """Follow every quantity over the number of tables, for the release and for what it is held against."""
    values = {source: [quantities(step) for step in steps(answers, narrow)] for source, answers in found.items()}
    return tuple(
        Curve(
            name,
            said,
            {source: tuple(estimate(step[name], confidence, rng) for step in each) for source, each in values.items()},
        )
        for name, said in DESCRIPTIONS.items()
    )
