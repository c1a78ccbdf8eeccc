"""What the released rows nearest to one person on the keys predict for a secret."""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, say_number
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.kernels.arrays import Ints
from seethrough.kernels.neighbours.all_nearest import median_of_known
from seethrough.kernels.points import TIE, totals


@dataclass(frozen=True, eq=False)
class NearOnKeys:
    """The released rows nearest on some columns, ties included, and the distance of the last of them."""

    rows: Ints
    distance: float


def nearest_on_keys(bench: Bench[Part], example: Example, keys: tuple[str, ...], neighbours: int) -> NearOnKeys:
    """Find the nearest rows, or the few nearest with all that tie with the last, nearest first."""
    mine, others = (points(table.project(keys)) for table in (example.person, bench.table(Part.SYNTHETIC)))
    found = totals(mine, np.zeros(len(others), np.int64), others, np.arange(len(others)))
    depth = min(neighbours, len(found))
    reach = float(np.partition(found, depth - 1)[depth - 1])
    rows = np.flatnonzero(found <= reach * (1 + TIE))
    return NearOnKeys(rows[np.argsort(found[rows], kind="stable")], float(mine.norm.distance(np.array([reach]))[0]))


@dataclass(frozen=True)
class PredictedSecret:
    """What is predicted for one secret: the part that is right, in a sentence and in numbers."""

    right: float
    said: str
    written: str


def predict_secret(bench: Bench[Part], example: Example, name: str, rows: Ints, tolerance: float) -> PredictedSecret:
    """Predict a category by the majority of the rows, a number by their median."""
    column, truth = bench.table(Part.TRAIN).schema[name], example.person.column(name)[0]
    shown = bench.table(Part.SYNTHETIC).column(name)[rows]
    if not column.kind.has_levels:
        return _predicted_number(name, median_of_known(shown.astype(np.float64)), float(truth), tolerance)
    counts = np.bincount(shown.astype(np.int64), minlength=int(truth) + 1)
    most = counts == counts.max()
    mine, right = int(counts[int(truth)]), float(most[int(truth)] / most.sum())
    said = f"The most frequent {name} is shown by {int(counts.max()):,} of them, this person's by {mine:,}."
    if most.sum() > 1:
        said += f" {int(most.sum())} values are equally frequent and share the prediction."
    return PredictedSecret(right, said, f"{say_number(right)} ({name})")


def _predicted_number(name: str, guess: float, truth: float, tolerance: float) -> PredictedSecret:
    right = bool(abs(guess - truth) <= tolerance * abs(truth)) or (np.isnan(guess) and np.isnan(truth))
    said = f"The median of {name} is predicted, and right within {say_number(tolerance)} of the true size."
    return PredictedSecret(float(right), said, f"{float(right):g} ({name})")
