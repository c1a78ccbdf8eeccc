"""Jensen-Shannon distance: how far apart the columns of both tables are, each by itself.

For each column, with P and Q the shares of a cell in the two tables and M = (P + Q) / 2,
JS = (KL(P, M) + KL(Q, M)) / 2; the distance is sqrt(JS), and the risk is 1 minus its mean over the columns. With
logarithms to base 2 it runs from 0, when no column shares a cell, to 1 for a copy; any faithful release is near 1.
Cells are those of `bench/marginals.py`; empty cells need no smoothing.

The interval: what redrawing both tables at their sizes gives; see `bench/marginals.py`.

References
----------
Lin 1991, doi:10.1109/18.61115; Endres and Schindelin 2003, doi:10.1109/TIT.2003.813506 (the root is a metric); Qian,
Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity); Hansen and Staer 2025 (review).

Deviations
----------
The review gives no base. Base e, SciPy's default, keeps the distance below 0.8326. synthcity takes base e and adds 1 to
every share before it normalises, so that columns without a common cell still score far above 0; base="e" with
smoothing="synthcity" does that, for the cells that either table fills.
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
from seethrough.results.outcome import Measurement

Base = Literal["2", "e"]
Smoothing = Literal["none", "synthcity"]


@dataclass(frozen=True)
class JensenShannonDistance:
    """One minus the mean distance of the columns."""

    card: ClassVar[Card] = Card(
        name="js-distance",
        title="Jensen-Shannon distance",
        question="How close are the columns of the release to those of the real table, each by itself?",
        cannot_tell="Anything about a record: a table with every column shuffled by itself scores as high as a copy.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.FIDELITY,
        raw_unit="mean distance of the columns",
        formula="1 - mean over columns of sqrt((KL(P, M) + KL(Q, M)) / 2), with M = (P + Q) / 2",
        cites=("doi:10.1109/18.61115", "doi:10.1109/TIT.2003.813506", "arXiv:2301.07573"),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        looks_at="A column of both tables: where a person's value stands in it, and how far the tables are apart.",
    )
    base: Base = "2"
    smoothing: Smoothing = "none"
    bins: int = BINS
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no bins."""
        check_bins(self.bins, self.card.name)

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare the shares of every column."""
        columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC, self.bins))
        rows, others = len(bench.whole(Part.TRAIN)), len(bench.table(Part.SYNTHETIC))
        compare = partial(distance, base=self.base, smoothing=self.smoothing)
        draws = redraws(columns, rng)
        distances = np.array([compare(*column.counts) for column in columns])
        redrawn = 1 - np.array([draws.apply(column, compare) for column in columns])
        return Measurement(
            risk=mean_estimate(1 - distances, redrawn, min(rows, others), self.confidence),
            raw=float(distances.mean()),
            n=rows,
            details=most_different(columns, 1 - distances, distances, "distance"),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show one column, what this person's cell adds to its divergence, and the distance."""
        columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC, self.bins))
        names = [column.name for column in columns]
        found = np.array([distance(*column.counts, base=self.base, smoothing=self.smoothing) for column in columns])
        which = chosen_column(example, names, 1 - found)
        place = place_in_column(bench, example, names[which], self.bins)
        here, far = _half_terms(*place.shares), float(found[which])
        said = "What this cell adds to JS, in bits and without smoothing, and the distance of the column:"
        written = f"(P log2(P / M) + Q log2(Q / M)) / 2 = {say_number(here)}; sqrt(JS) = {say_number(far)}"
        formula = Step(said, written, {"here": here, "distance": far})
        last = columns_step(names, 1 - found, "1 - distance")
        return whole_table(self.card.name, example, column_step(example, place), formula, last)


def distance(first: Floats, second: Floats, base: Base, smoothing: Smoothing) -> Floats:
    """Jensen-Shannon distance of counts, cells along the last axis."""
    n, m = first.sum(axis=-1, keepdims=True), second.sum(axis=-1, keepdims=True)
    # On the common denominator n m equal shares are equal whole numbers, whose ratio is 1 exactly.
    whole, added = n * m, n * m if smoothing == "synthcity" else 0.0
    mine, others = first * m + added, second * n + added
    if smoothing == "synthcity":
        whole = whole * (1 + first.shape[-1])
    middle = mine + others
    bits = _weighted_logs(mine, middle) + _weighted_logs(others, middle)
    divergence = np.clip(bits / (2 * whole[..., 0]), 0.0, 1.0)
    return np.asarray(np.sqrt(divergence if base == "2" else divergence * log(2)))


def _half_terms(p: float, q: float) -> float:
    middle = (p + q) / 2
    return sum(share * log(share / middle, 2) for share in (p, q) if share) / 2


def _weighted_logs(values: Floats, middle: Floats) -> Floats:
    ratios = np.divide(2 * values, middle, out=np.ones_like(values), where=values > 0)
    return np.asarray((values * np.log2(ratios)).sum(axis=-1))
