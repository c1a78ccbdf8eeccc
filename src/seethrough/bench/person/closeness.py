"""The distance of one person to the nearest released row, brought to [0, 1] as `bench/normalised_distance.py` does."""

from collections.abc import Mapping
from dataclasses import dataclass

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import Extremal, NearestFrom
from seethrough.bench.normalised_distance import Ends, diameter
from seethrough.bench.person.example import Example, say_number
from seethrough.bench.person.nearness import around_step, rows_around
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.results.explained.worked import Step


@dataclass(frozen=True)
class WorkedCloseness:
    """The fraction u of a person, the step that shows the rows, and how u follows."""

    value: float
    looked: Step
    said: str
    written: str
    numbers: Mapping[str, float]


def work_closeness(bench: Bench[Part], example: Example, norm: Ends, space: Space) -> WorkedCloseness:
    """Show the nearest released row and its distance as a fraction of what the norm says."""
    across = rows_around(bench, example, Part.SYNTHETIC, space)
    looked, near = around_step(bench, example, across), across.smallest
    if norm == "absolute":
        most = diameter(space, len(bench.table(Part.TRAIN).columns))
        value = min(1.0, near / most)
        written = f"u = min(1, d_YZ / D) = min(1, {say_number(near)} / {say_number(most)}) = {say_number(value)}"
        said = f"As a fraction of D = {say_number(most)}, the diameter of the box that the real table spans:"
        return WorkedCloseness(value, looked, said, written, {"d_YZ": near, "D": most, "u": value})
    low, high = _ends(bench, norm, space)
    if high == low:
        said = "All distances are equal, so that they cannot be brought to [0, 1]; every record counts as near:"
        return WorkedCloseness(0.0, looked, said, "u = 0", {"d_YZ": near, "u": 0.0})
    value = (near - low) / (high - low)
    ends = f"({say_number(near)} - {say_number(low)}) / ({say_number(high)} - {say_number(low)})"
    said = f"As a fraction of the way from the smallest to the largest distance (norm = {norm}):"
    written = f"u = {ends} = {say_number(value)}"
    return WorkedCloseness(value, looked, said, written, {"d_YZ": near, "least": low, "most": high, "u": value})


def _ends(bench: Bench[Part], norm: Ends, space: Space) -> tuple[float, float]:
    near = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC, space))
    if norm == "pairs":
        return float(near.min()), bench.get(Extremal(Part.TRAIN, Part.SYNTHETIC, space=space)).farthest
    return float(near.min()), float(near.max())
