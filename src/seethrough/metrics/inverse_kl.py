"""Inverse Kullback-Leibler divergence: how well the columns of the release stand for the real ones.

For each column, with P and Q the shares of a cell in the real and the synthetic table, KL = sum of P ln(P / Q), and the
risk is the mean of 1 / (1 + KL) over the columns: 1 for a copy, and close to 1 for any faithful release. Cells are
those of `bench/marginals.py`.

A cell that real rows fill and synthetic ones do not would make KL infinite. `smoothing` says what it gets instead:
"half-count" half a synthetic row, so that 1 / (1 + ln 2m) bounds the score from below; "epsilon" the share 1e-11;
"strict" nothing, so that the column scores 0. Shares are not normalised afterwards; a KL below 0, which half counts can
give when there are few synthetic rows, is taken as 0.

The interval: what redrawing both tables at their sizes gives; see `bench/marginals.py`.

References
----------
Kullback and Leibler 1951, doi:10.1214/aoms/1177729694; Qian, Cebere, van der Schaar 2023, arXiv:2301.07573
(synthcity); Hansen and Staer 2025 (review), Algorithm 9.

Deviations
----------
The review does not smooth ("strict"). synthcity puts 1e-11 ("epsilon"), adds Q - P to each term, pairs the shares of
short columns by rank, and drops synthetic values outside the real range; here they count in the outer bins.
"""

from dataclasses import dataclass
from functools import partial
from math import log
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.marginals import Marginals, check_bins, mean_estimate, most_different, redraws
from seethrough.bench.person.example import Example, say_number, whole_table
from seethrough.bench.person.in_column import chosen_column, column_step, columns_step, place_in_column
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.bins import BINS
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement, Value

EPSILON = 1e-11

Smoothing = Literal["half-count", "epsilon", "strict"]


@dataclass(frozen=True)
class InverseKullbackLeibler:
    """The mean over columns of the inverse divergence."""

    card: ClassVar[Card] = Card(
        name="inverse-kl",
        title="Inverse KL divergence",
        question="How well do the columns of the release stand for those of the real table, each by itself?",
        cannot_tell="Anything about a record: a table with every column shuffled by itself scores as high as a copy.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.FIDELITY,
        raw_unit="mean of 1 / (1 + KL), KL in nats",
        formula="mean over columns of 1 / (1 + sum over cells of P ln(P / Q))",
        cites=("doi:10.1214/aoms/1177729694", "arXiv:2301.07573"),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.SOMETIMES,
        looks_at="A column of both tables: where a person's value stands in it, and how far the tables are apart.",
    )
    smoothing: Smoothing = "half-count"
    bins: int = BINS
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no bins."""
        check_bins(self.bins, self.card.name)

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare the shares of every column."""
        columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC, self.bins))
        rows, others = len(bench.whole(Part.TRAIN)), len(bench.table(Part.SYNTHETIC))
        compare = partial(divergence, smoothing=self.smoothing)
        draws = redraws(columns, rng)
        divergences = np.array([compare(*column.counts) for column in columns])
        scores = 1 / (1 + divergences)
        redrawn = 1 / (1 + np.array([draws.apply(column, compare) for column in columns]))
        return Measurement(
            risk=mean_estimate(scores, redrawn, min(rows, others), self.confidence),
            raw=float(scores.mean()),
            n=rows,
            details=_mean_divergence(divergences) | most_different(columns, scores, divergences, "KL"),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show one column, what this person's cell adds to its divergence, and the score."""
        columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC, self.bins))
        names = [column.name for column in columns]
        found = np.array([divergence(*column.counts, smoothing=self.smoothing) for column in columns])
        scores = 1 / (1 + found)
        which = chosen_column(example, names, scores)
        place = place_in_column(bench, example, names[which], self.bins)
        (p, q), total, score = place.shares, float(found[which]), float(scores[which])
        numbers = {"KL": total, "score": score}
        said = "One of the tables has nothing in this cell. The score of the column:"
        written = f"KL = {say_number(total)}; 1 / (1 + KL) = {say_number(score)}"
        if p and q:
            numbers["here"] = p * log(p / q)
            said = "What this cell adds to KL, and the score of the column:"
            written = f"P ln(P / Q) = {say_number(numbers['here'])} of {written}"
        last = columns_step(names, scores, "1 / (1 + KL)")
        return whole_table(self.card.name, example, column_step(example, place), Step(said, written, numbers), last)


def divergence(first: Floats, second: Floats, smoothing: Smoothing) -> Floats:
    """KL divergence of the second counts from the first, cells along the last axis; infinite only where strict."""
    n, m = first.sum(axis=-1, keepdims=True), second.sum(axis=-1, keepdims=True)
    stand_in = {"half-count": n / 2, "epsilon": EPSILON * n * m, "strict": 0.0 * n}[smoothing]
    # On the common denominator n m equal shares are equal whole numbers, whose ratio is 1 exactly.
    mine, others = first * m, np.where(second > 0, second * n, stand_in)
    lost = (first > 0) & (others <= 0)
    ratios = np.divide(mine, others, out=np.ones_like(mine), where=(first > 0) & ~lost)
    total = (mine * np.log(ratios)).sum(axis=-1) / (n * m)[..., 0]
    return np.where(lost.any(axis=-1), np.inf, np.maximum(0.0, total))


def _mean_divergence(divergences: Floats) -> dict[str, Value]:
    infinite = int(np.isinf(divergences).sum())
    if infinite:
        return {"columns of infinite KL": infinite}
    return {"mean KL": float(f"{divergences.mean():.4g}")}
