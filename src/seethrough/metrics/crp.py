"""Common rows proportion: the share of real records that stand in the synthetic table, value for value.

CRP = #{i : y_i occurs in Z} / n, on all columns; every copy of a repeated real row counts. Without leakage it is
the chance that an independent sample hits the same combination of values, which is near 0 unless the columns
have few values. Numbers are equal when they are the same number, missing values are equal to each other.

References
----------
Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity); Trudslev et al. 2025 and
Hansen and Staer 2025 (reviews).

Deviations
----------
The reviews write sets and divide distinct common rows by n; a table with repeated rows then scores below 1 against
itself (`unit=unique`; `unit=set` divides by the distinct real rows). Here each record counts, so the score is the
share of people concerned. `unit=synthetic` counts synthetic rows found among the real ones. Numbers may be rounded
to some `decimals` before they are compared.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.equality import RowGroups
from seethrough.bench.passes.common_rows import RowsInCommon
from seethrough.bench.person.equal_rows import most_equal_rows
from seethrough.bench.person.example import Example, list_rows, mean_step, say_number
from seethrough.data.release import Part
from seethrough.errors import ConfigError
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

UNITS = {
    "unique": "different rows found, over all real rows",
    "set": "different rows found, over different real rows",
    "synthetic": "released rows",
}

MOST_DECIMALS = 15
"""As many digits as a number has."""


@dataclass(frozen=True)
class CommonRows:
    """The share of real records that the release repeats."""

    card: ClassVar[Card] = Card(
        name="crp",
        title="Common rows proportion",
        question="How many real records stand in the release, value for value?",
        cannot_tell="Whether a repeated record was copied or met by chance: columns with few values repeat anyway.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records",
        formula="#{i : y_i occurs in Z} / n",
        cites=("arXiv:2301.07573",),
        ordering=Verdict.INADEQUATE,
        monotone=Verdict.INADEQUATE,
        looks_at="The released rows that equal a person in every column.",
        flagged_from=0.5,
        rests_on=RestsOn.EQUALITY,
    )
    unit: Literal["real", "unique", "set", "synthetic"] = "real"
    decimals: int | None = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse decimals that no number has: rounding to them would overflow."""
        if self.decimals is not None and abs(self.decimals) > MOST_DECIMALS:
            raise ConfigError(
                f"parameter crp.decimals is {self.decimals}; {-MOST_DECIMALS} to {MOST_DECIMALS}, or none, is expected"
            )

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Count the rows found in the other table."""
        found = bench.get(RowGroups(Part.TRAIN, Part.SYNTHETIC, self.decimals))
        hits, of = count_common_rows(found, self.unit)
        low, high = wilson(hits, of, self.confidence)
        return Measurement(
            risk=Estimate(hits / of, low, high, self.confidence),
            raw=hits / of,
            n=of,
            per_record=found.first.astype(np.float64),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the released rows that equal this person in every column."""
        near = most_equal_rows(bench, example, self.decimals)
        equal = len(near.rows) if not near.differ_in else 0
        value = float(equal > 0)
        rounded = "" if self.decimals is None else f", numbers rounded to {self.decimals} decimals"
        said = f"Released rows that equal this person in all columns{rounded}: {equal:,}.{near.said_unless_equal}"
        rows = list_rows(bench, example, Part.SYNTHETIC, near.rows)
        looked = Step(said, "", {"equal rows": float(equal), "differ in": float(near.differ_in)}, (rows,))
        written = f"crp(y) = [y occurs in Z] = [{equal:,} > 0] = {value:g}"
        formula = Step("The person counts where there is one:", written, {"crp(y)": value})
        return Worked(self.card.name, (looked, formula, self._table_step(example, value)), value)

    def _table_step(self, example: Example, value: float) -> Step:
        if self.unit == "real":
            return mean_step(example, value)
        risk = example.found.risk.value
        said = f"The table's risk is {say_number(risk)}: with unit = {self.unit} it counts {UNITS[self.unit]}."
        return Step(said, "", {"person": value, "risk": risk})


def count_common_rows(found: RowsInCommon, unit: str) -> tuple[int, int]:
    """Count what is found, and among how many, in a unit."""
    match unit:
        case "real":
            return int(found.first.sum()), len(found.first)
        case "synthetic":
            return found.second, found.rows
    return found.common, len(found.first) if unit == "unique" else len(np.unique(found.different))
