"""One person against whole tables: what a worked example looks at.

Everything is encoded and rounded as in the search of the whole table, so that the number of a person comes out as in
the run, to the last bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import PlacedWhole
from seethrough.data.encoding import Space, points, standardise
from seethrough.data.release import Part
from seethrough.data.table import Array, Table
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.points import Points, totals
from seethrough.results.explained.worked import SHOWN, PartShown, RowsOf, Step, Worked
from seethrough.results.outcome import Measurement

NAMES: dict[Part, PartShown] = {Part.TRAIN: "real", Part.SYNTHETIC: "released", Part.HOLDOUT: "outside"}


@dataclass(frozen=True, eq=False)
class OnePerson:
    """A table of one row, and its place in the real table; None for a person who was typed in."""

    table: Table
    row: int | None = None

    @staticmethod
    def of_row(real: Table, row: int) -> "OnePerson":
        """Pick a person of the real table."""
        return OnePerson(real.take(np.array([row])), row)


@dataclass(frozen=True, eq=False)
class Example:
    """One person and the run that is explained on it.

    `person` is a table of one row. `row` is its place in the real table, None for a person who was typed in. `rng` is
    at the beginning of the stream that the run had. `column` is the one to look at, where a check compares columns.
    """

    person: Table
    row: int | None
    found: Measurement
    rng: np.random.Generator
    column: str | None = None

    @property
    def risk_in_run(self) -> float | None:
        """Give the risk that the run found for this person; None for a person who is not in the table."""
        if self.row is None or self.found.per_record is None:
            return None
        return float(self.found.per_record[self.row])


def same_values(person: Array, values: Array) -> Bools:
    """Tell which values equal that of the person; missing ones are equal to each other."""
    mine = person[0]
    if values.dtype.kind == "f":
        number = float(mine)
        return np.isnan(values.astype(np.float64)) if np.isnan(number) else np.asarray(values == number)
    return np.asarray(values == mine)


def differing_columns(person: Table, table: Table, rows: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Name for each of some rows the columns in which it differs from the person."""
    few = table.take(np.asarray(rows, np.int64))
    names = [column.name for column in person.schema.used]
    same = [same_values(person.column(name), few.column(name)) for name in names]
    return tuple(tuple(name for name, each in zip(names, same, strict=True) if not each[k]) for k in range(len(few)))


def list_rows(
    bench: Bench[Part], example: Example, part: Part, rows: Ints, remark: str = "", distances: Floats | None = None
) -> RowsOf:
    """List the first few rows of a part, with what makes them differ from the person."""
    shown = [int(row) for row in rows[:SHOWN]]
    differs = differing_columns(example.person, bench.whole(part), shown)
    far = () if distances is None else tuple(float(each) for each in distances[:SHOWN])
    return RowsOf(NAMES[part], tuple(shown), differs, remark, len(rows), far)


def distances_to(bench: Bench[Part], example: Example, part: Part, space: Space = "gower") -> Floats:
    """Measure the person against every row of a part; infinite from a row of the real table to itself."""
    return without_oneself(distances_between(*_placed(bench, example, part, space)), example, part)


def without_oneself(distances: Floats, example: Example, part: Part) -> Floats:
    """Put a row of the real table infinitely far from itself: it is no neighbour of its own."""
    if part is Part.TRAIN and example.row is not None:
        distances[example.row] = np.inf
    return distances


def _placed(bench: Bench[Part], example: Example, part: Part, space: Space) -> tuple[Points, Points]:
    if space == "standardised":
        return standardise(bench.table(Part.TRAIN), example.person, bench.whole(part))
    return points(example.person, space), bench.get(PlacedWhole(part, space))


def distances_between(person: Points, others: Points) -> Floats:
    """Measure one point against others, by the operations of the search in their order."""
    return person.norm.distance(totals(person, np.zeros(len(others), np.int64), others, np.arange(len(others))))


def nearest_first(distances: Floats, count: int = SHOWN) -> Ints:
    """Give the places of the smallest distances, nearest first, of equal ones the first row first."""
    known = int(np.isfinite(distances).sum())
    return np.argsort(distances, kind="stable")[: min(count, known)]


def at_smallest(distances: Floats) -> Ints:
    """Give the places of all rows at the smallest distance."""
    return np.flatnonzero(distances == distances.min())


def say_number(value: float) -> str:
    """Write a number of an example: four digits, whole numbers and large ones with commas."""
    if abs(value) < 1e15 and float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.1f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"


def mean_step(example: Example, value: float, base: str = "The base rate is") -> Step:
    """Lead from the person to the table where its score is the mean over people, and say what this person adds.

    `base` begins the sentence about the base rate, where there is one.
    """
    found = example.found
    mean, people = found.risk.value, found.n
    numbers = {"person": value, "mean": mean, "people": float(people)}
    said = f"The table's risk is the mean over {people:,} people: {say_number(mean)}."
    if found.base_rate is not None:
        numbers["base rate"] = found.base_rate
        said += f" {base} {say_number(found.base_rate)}."
    if example.row is None:
        return Step(f"{said} A person who was typed in is not among them.", numbers=numbers)
    numbers["adds"] = (value - mean) / people
    formula = f"({say_number(value)} - {say_number(mean)}) / {people:,} = {say_number(numbers['adds'])}"
    return Step(f"{said} This person adds", formula, numbers)


def whole_table(check: str, example: Example, *steps: Step) -> Worked:
    """End in the number of the table, where a check has no risk for each person."""
    risk = example.found.risk
    said = (
        f"The table's risk is {say_number(risk.value)} ({say_number(risk.low)} to {say_number(risk.high)}). It belongs "
        "to all rows together: this check has no risk for a single person."
    )
    last = Step(said, "", {"risk": risk.value, "low": risk.low, "high": risk.high})
    return Worked(check, (*steps, last), risk.value, "table")
