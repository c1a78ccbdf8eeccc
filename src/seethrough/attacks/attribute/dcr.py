"""Dcr: the target's record is completed with each possible secret, and the one closest to the release is guessed.

Released rows that agree on the known columns are one: their secret is set to the most frequent one among them, a tie
broken at random. For each value v of the secret let d_v be the distance from the record (x, v) to the nearest of those.
The guess is the v of the smallest distance, a tie broken at random. With two values the score of the second is
d_0 / (d_0 + d_1), 1/2 if both are 0; with more, scores are in inverse proportion to the distances.

`distance=mixed` scales numbers by their range, and a category that differs, the secret too, adds 1 to the squared
distance. `distance=codes` is Euclidean on the codes of the categories and on the numbers as they are: it depends on the
order of the levels. The certainty is the score of the guess minus that of the next value.

What it sees
------------
Copies, and rows that are alike but for little: the right secret stands in the nearest row.

What it misses
--------------
What a release says about groups rather than in single rows, where it is far from everybody.

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 4.3.

Deviations
----------
The paper measures on codes; here the mixed distance is the default. Ties of the distances are broken at random.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.passes.different_rows import DifferentRowsPass
from seethrough.data.encoding import places_in_points, points
from seethrough.data.rows import row_numbers
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.scores import inverse_weights, lead
from seethrough.kernels.neighbours.keys.labels_in_turn import LabelTurn, nearest_by_label_in_turn
from seethrough.kernels.neighbours.keys.nearest_by_label import (
    majority_labels,
    nearest_by_label,
    nearest_by_label_within_one,
)
from seethrough.kernels.points import Points
from seethrough.protocols.attack import AttributeView, Guesses
from seethrough.results.outcome import Value

Distance = Literal["mixed", "codes"]


@dataclass(frozen=True)
class Dcr:
    """Guesses the secret that puts the target closest to the release."""

    name: ClassVar[str] = "dcr"
    title: ClassVar[str] = "Closest completion of the record"
    is_quick: ClassVar[bool] = True
    distance: Distance = "mixed"

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Measure from the targets alone; equal rows of the release are measured once."""
        released, often = _different(view)
        known = released.project(column.name for column in view.known.schema.used)
        labels = released.column(view.secret).astype(np.int64)
        rows, secrets = majority_labels(row_numbers(known), labels, rng, often)
        place = points if self.distance == "mixed" else _code_points
        # A secret that differs adds 1, so a row more than 1 beyond the nearest completes no record best.
        nearest = nearest_by_label_within_one if self.distance == "mixed" else nearest_by_label
        present, apart = nearest(place(view.known.take(view.targets)), place(known.take(rows)), secrets, view.budget)
        return self._guesses(view, present, apart, int(often.sum()), len(rows))

    def guess_without(
        self, view: AttributeView, keys: Sequence[str], fresh: Callable[[], np.random.Generator]
    ) -> Iterator[Guesses] | None:
        """Measure once for all keys: a record is as far from a released row as before but for the share of the key."""
        if self.distance != "mixed" or view.in_chunks:
            return None
        released = view.whole_release()
        known = released.project(column.name for column in view.known.schema.used)
        distinct = np.unique(row_numbers(known), return_index=True)[1]
        places, turns, parts = places_in_points(known), [], []
        for key in keys:
            rest = row_numbers(known.project(name for name in places if name != key))
            rows, secrets = majority_labels(rest, released.column(view.secret), fresh())  # type: ignore[arg-type]
            labels = secrets[np.searchsorted(rest[rows], rest[distinct])]
            turns.append(LabelTurn(*places[key], labels))
            parts.append(len(rows))
        asking, placed = points(view.known.take(view.targets)), points(known.take(distinct))
        found = nearest_by_label_in_turn(asking, placed, turns, view.budget)
        return (self._guesses(view, *each, len(released), part) for each, part in zip(found, parts, strict=True))

    def _guesses(self, view: AttributeView, present: Ints, apart: Floats, released: int, parts: int) -> Guesses:
        completed = complete_by_category if self.distance == "mixed" else complete_by_code
        scores = inverse_weights(completed(apart, np.array(view.classes), present))
        details: dict[str, Value] = {
            "distance": self.distance,
            "released rows": released,
            "distinct known parts": parts,
        }
        return Guesses(scores, lead(scores), details)


def _different(view: AttributeView) -> tuple[Table, Ints]:
    """Give the released rows and how often each comes; of a release in chunks the different ones."""
    if not view.in_chunks:
        released = view.whole_release()
        return released, np.ones(len(released), np.int64)
    found = view.fold(DifferentRowsPass())
    if not len(found.rows):
        raise NotApplicable(f"no released row shows {view.secret!r}")
    return found.rows, found.counts


def complete_by_category(apart: Floats, codes: Ints, present: Ints) -> Floats:
    """Distances of the completed records, by secret; `apart` are those on the known columns by released secret.

    A secret that differs adds 1 to the square, so of all those the nearest is the one nearest on the known columns.
    """
    other = np.sqrt(np.square(apart).min(axis=1) + 1)
    found = np.repeat(other[:, None], len(codes), axis=1)
    for column, secret in zip(apart.T, present, strict=True):
        found[:, codes == secret] = np.minimum(np.sqrt(np.square(column)), other)[:, None]
    return found


def complete_by_code(apart: Floats, codes: Ints, present: Ints) -> Floats:
    """Do the same where the secret adds the square of the difference of codes."""
    step = np.abs(codes[:, None] - present).astype(np.float64)
    nearest = [np.sqrt(np.square(apart) + np.square(between)).min(axis=1) for between in step]
    return np.column_stack(nearest)


def _code_points(table: Table) -> Points:
    """Place the rows by codes and numbers as they are; a missing number stands at the median."""
    columns = [
        values.astype(np.float64) if column.kind.has_levels else np.where(np.isnan(values), column.fill or 0.0, values)
        for column, values in zip(table.schema.used, table.columns, strict=True)
    ]
    return Points(np.column_stack(columns), np.empty((0, len(table)), np.uint8), np.empty(0))
