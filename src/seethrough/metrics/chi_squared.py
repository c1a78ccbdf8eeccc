"""Chi-squared test: could each column of both tables have been drawn from one population?

For each column, with O_Y and O_Z the counts of a cell, t their sum, E_Y = t n / (n + m) and E_Z = t m / (n + m):
chi2 = sum over cells of (O_Y - E_Y)^2 / E_Y + (O_Z - E_Z)^2 / E_Z, with one degree of freedom less than there are cells
that either table fills; p is the chance of so large a value. The risk is the mean p of the columns; for tables of one
population it is about 1/2, for a copy 1. For any fixed difference p goes to 0 as the tables grow; effect="cramers-v"
scores 1 - V instead, V = sqrt(chi2 / (n + m)), which does not. Cells are those of `bench/marginals.py`.

The interval: what redrawing both tables at their sizes gives (see there). Resampled differences carry the noise twice,
once from the sample, which would push all p to 0; so the differences found are shrunk by sqrt(1 - df / chi2), or to 0,
before the noise of the resample is added, which brings the resampled chi2 back to the size of the one found.

References
----------
Pearson 1900, doi:10.1080/14786440009463897; Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity);
Hansen and Staer 2025 (review), Algorithm 5; shrinkage: James and Stein 1961.

Deviations
----------
The review's pseudocode has a slip of precedence, sums the real table's half only and skips levels new in the
synthetic table; synthcity tests proportions instead of counts and pairs rare categories by rank. Here the standard
test of homogeneity is taken.
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from scipy.special import chdtrc

from seethrough.bench.bench import Bench
from seethrough.bench.marginals import Marginal, Marginals, check_bins, mean_estimate, most_different, redraws
from seethrough.bench.person.example import Example, say_number, whole_table
from seethrough.bench.person.in_column import chosen_column, column_step, columns_step, place_in_column
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.bins import BINS
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

ENOUGH = 5
"""Rows that a cell should be expected to hold; with fewer the statistic does not follow its limit law."""


@dataclass(frozen=True)
class ChiSquared:
    """How well each column of both tables passes as one population."""

    card: ClassVar[Card] = Card(
        name="chi-squared",
        title="Chi-squared test",
        question="Could each column of the release and of the real table have been drawn from one population?",
        cannot_tell="Anything about a record: a table with every column shuffled by itself scores as high as a copy.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.FIDELITY,
        raw_unit="mean p value of the columns, or mean Cramer's V",
        formula="mean over columns of P(chi2_df >= chi2), or of 1 - sqrt(chi2 / (n + m))",
        cites=("doi:10.1080/14786440009463897", "arXiv:2301.07573"),
        ordering=Verdict.INADEQUATE,
        monotone=Verdict.INADEQUATE,
        looks_at="A column of both tables: where a person's value stands in it, and how far the tables are apart.",
    )
    effect: Literal["p", "cramers-v"] = "p"
    bins: int = BINS
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no bins."""
        check_bins(self.bins, self.card.name)

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Test every column."""
        columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC, self.bins))
        rows, others = len(bench.whole(Part.TRAIN)), len(bench.table(Part.SYNTHETIC))
        draws = redraws(columns, rng)
        scores = np.array([self._score(column, chi_squared(*column.counts)) for column in columns])
        redrawn = np.array(
            [self._score(column, draws.apply(column, partial(redrawn_chi_squared, column))) for column in columns]
        )
        values = scores if self.effect == "p" else 1 - scores
        return Measurement(
            risk=mean_estimate(scores, redrawn, min(rows, others), self.confidence),
            raw=float(values.mean()),
            n=rows,
            details=most_different(columns, scores, values, "p" if self.effect == "p" else "Cramer's V"),
            warnings=_warnings(columns),
        )

    def _score(self, column: Marginal, statistic: Floats) -> Floats:
        freedom = len(column.counts[0]) - 1
        if self.effect == "cramers-v":
            rows = column.counts[0].sum() + column.counts[1].sum()
            return np.asarray(1 - np.sqrt(np.minimum(1.0, statistic / rows)))
        return np.ones_like(statistic) if freedom == 0 else np.asarray(chdtrc(freedom, statistic))

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show one column, what this person's cell adds to its statistic, and the test."""
        columns = bench.get(Marginals(Part.TRAIN, Part.SYNTHETIC, self.bins))
        names = [column.name for column in columns]
        scores = np.array([self._score(column, chi_squared(*column.counts)) for column in columns])
        which = chosen_column(example, names, scores)
        place = place_in_column(bench, example, names[which], self.bins)
        statistic, freedom = float(chi_squared(*columns[which].counts)), len(columns[which].counts[0]) - 1
        total, (n, m) = place.real + place.released, place.rows
        expected = total * n / (n + m), total * m / (n + m)
        pairs = zip((place.real, place.released), expected, strict=True)
        here = sum((seen - hoped) ** 2 / hoped for seen, hoped in pairs if hoped)
        said = (
            f"One population would put {say_number(expected[0])} real and {say_number(expected[1])} released rows into "
            "this cell. What it adds to chi2, and the test:"
        )
        score = float(scores[which])
        written = f"{say_number(here)} of chi2 = {say_number(statistic)}; df = {freedom}; score = {say_number(score)}"
        numbers = {"here": here, "chi2": statistic, "df": float(freedom), "score": score}
        last = columns_step(names, scores, "p" if self.effect == "p" else "1 - V")
        return whole_table(self.card.name, example, column_step(example, place), Step(said, written, numbers), last)


def chi_squared(first: Floats, second: Floats) -> Floats:
    """Test statistic of homogeneity; no cell may be empty in both."""
    n, m = first.sum(), second.sum()
    # The whole numbers a m - b n cancel exactly where the shares are equal.
    return np.asarray(((first * m - second * n) ** 2 / (first + second)).sum() / (n * m))


def redrawn_chi_squared(column: Marginal, first: Floats, second: Floats) -> Floats:
    """Statistic of resampled counts whose noise comes in once."""
    counts = column.counts
    n, m = counts[0].sum(), counts[1].sum()
    statistic, freedom = float(chi_squared(*counts)), len(counts[0]) - 1
    kept = np.sqrt(max(0.0, 1 - freedom / statistic)) if statistic > 0 else 0.0
    found = counts[0] / n - counts[1] / m
    redrawn = first / first.sum(axis=-1, keepdims=True) - second / second.sum(axis=-1, keepdims=True)
    return np.asarray(((redrawn - (1 - kept) * found) ** 2 / (counts[0] + counts[1])).sum(axis=-1) * (n * m))


def _warnings(columns: tuple[Marginal, ...]) -> tuple[str, ...]:
    sparse = sum(_fewest_expected(column) < ENOUGH for column in columns)
    if not sparse:
        return ()
    return (
        f"{sparse} of {len(columns)} columns have cells with fewer than {ENOUGH} rows expected; chi2 is rough there",
    )


def _fewest_expected(column: Marginal) -> float:
    first, second = column.counts
    sizes = first.sum(), second.sum()
    return float((first + second).min() * min(sizes) / sum(sizes))
