"""Hitting rate: the share of real records that have a synthetic row within a hand's breadth in every column.

With h_a = range_a / 30 for each number a: HitR = #{i : some z equals y_i in every category and differs by at most
h_a in every number} / n. Without leakage it is the chance that an independent sample falls into that box; it grows
with the number of synthetic rows.

References
----------
Lautrup et al. 2025, doi:10.1007/s10618-024-01081-4 (SynthEval); Trudslev et al. 2025 and
Hansen and Staer 2025 (reviews).

Deviations
----------
Trudslev et al. count pairs and Hansen and Staer synthetic rows, both over n, which can exceed 1; real records are
counted here, as SynthEval does. A number that is constant in the real table has to be equal. A missing number is a
category of its own. `unit=pairs` and `unit=synthetic` are the two papers' countings; where they exceed 1 the raw
value says so and the risk is 1.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import PlacedRows, is_chunked
from seethrough.bench.person.boxes import rows_in_box
from seethrough.bench.person.equal_rows import most_equal_rows
from seethrough.bench.person.example import Example, list_rows, mean_step, say_number, whole_table
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.kernels.neighbours.boxes import count_within_reach, within_reach
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class HittingRate:
    """The share of real records that some synthetic row comes close to in every column."""

    card: ClassVar[Card] = Card(
        name="hitting-rate",
        title="Hitting rate",
        question="How many real records have a synthetic row that is equal, or nearly so, in every column?",
        cannot_tell="Whether a hit was learned from that record or met by chance; it grows with the synthetic rows.",
        category=Category.TRACING,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records",
        formula="#{i : some z equals y_i in every category and |z_a - y_ia| <= range_a / 30 in every number} / n",
        cites=("doi:10.1007/s10618-024-01081-4",),
        ordering=Verdict.WORKS,
        monotone=Verdict.SOMETIMES,
        looks_at="The released rows in a box around a person: equal categories, numbers that are nearly equal.",
        flagged_from=0.5,
    )
    width: float = 1 / 30
    unit: Literal["real", "pairs", "synthetic"] = "real"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse a box without room."""
        if not self.width > 0:
            raise ConfigError(f"parameter hitting-rate.width is {self.width}; a number above 0 is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Look into the box around every record."""
        real = bench.get(PlacedRows(Part.TRAIN))
        looking = RowsInBoxesPass(real, self.width, self.unit, bench.budget.silent)
        if is_chunked(bench, Part.SYNTHETIC):
            hits = bench.table(Part.SYNTHETIC).fold(looking)
        else:
            hits = looking.count(bench.get(PlacedRows(Part.SYNTHETIC)))
        raw = float(hits.sum()) / len(real)
        found = int(min(hits.sum(), len(real)))
        low, high = wilson(found, len(real), self.confidence)
        return Measurement(
            risk=Estimate(found / len(real), low, high, self.confidence),
            raw=raw,
            n=len(real),
            per_record=None if self.unit == "synthetic" else np.minimum(hits, 1).astype(np.float64),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the released rows in the box around this person."""
        rows = rows_in_box(bench, example, self.width)
        found = len(rows)
        said = (
            f"Released rows that equal this person in every category and differ by at most {say_number(self.width)} of "
            f"the range in every number: {found:,}."
        )
        near = most_equal_rows(bench, example)
        shown = list_rows(bench, example, Part.SYNTHETIC, rows if found else near.rows)
        said += "" if found else near.said_unless_equal
        looked = Step(said, "", {"rows in the box": float(found)}, (shown,))
        if self.unit == "synthetic":
            other = Step("With unit = synthetic released rows are counted, not people.", self.card.formula)
            return whole_table(self.card.name, example, looked, other)
        value = float(found > 0)
        written = f"hit(y) = [some z is in the box] = [{found:,} > 0] = {value:g}"
        formula = Step("The person is hit where there is one:", written, {"hit(y)": value})
        return Worked(self.card.name, (looked, formula, self._table_step(example, value, found)), value)

    def _table_step(self, example: Example, value: float, found: int) -> Step:
        if self.unit == "real":
            return mean_step(example, value)
        people = example.found.n
        pairs = round((example.found.raw or 0.0) * people)
        said = f"With unit = pairs each row in a box counts: {found:,} of this person, {pairs:,} of {people:,} people."
        return Step(said, "", {"person": float(found), "pairs": float(pairs), "people": float(people)})


@dataclass(frozen=True, eq=False)
class RowsInBoxesPass:
    """Pass: for every record whether a released row is in its box, or how many are; or how many are in any box."""

    real: Points
    width: float
    unit: Literal["real", "pairs", "synthetic"]
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Ints:
        """Look at a chunk."""
        return self.count(points(rows))

    def count(self, synthetic: Points) -> Ints:
        """Look into the box around every record, or around every released row."""
        groups, places = boxes(self.real, synthetic, self.width)
        if self.unit == "synthetic":
            return np.array([within_reach(groups[::-1], places[::-1], self.budget).sum()], np.int64)
        if self.unit == "pairs":
            return count_within_reach(groups, places, self.budget)
        return within_reach(groups, places, self.budget).astype(np.int64)

    def merge(self, first: Ints, second: Ints) -> Ints:
        """Add up; a record that was hit stays one."""
        return np.maximum(first, second) if self.unit == "real" else first + second

    def hint(self, state: Ints) -> Floats | None:
        """Say nothing."""
        return None


def boxes(real: Points, synthetic: Points, width: float) -> tuple[tuple[Ints, Ints], tuple[Floats, Floats]]:
    """Group rows by what has to be equal, and scale the rest so that the half width of the box is 1."""
    varies = np.ptp(real.numbers, axis=0) > 0
    fixed = [
        dense_codes(np.concatenate([real.numbers[:, j], synthetic.numbers[:, j]])) for j in np.flatnonzero(~varies)
    ]
    codes = [np.concatenate(pair) for pair in zip(real.codes, synthetic.codes, strict=True)]
    groups = np.unique(combine([*codes, *fixed]), return_inverse=True)[1]
    places = real.numbers[:, varies] / width, synthetic.numbers[:, varies] / width
    return (groups[: len(real)], groups[len(real) :]), places
