"""The rows of each table that are nearest to a person, by what is known of it."""

from collections.abc import Sequence

import numpy as np

from seethrough.bench.person.example import differing_columns, distances_between, nearest_first
from seethrough.data.encoding import points
from seethrough.data.table import Table
from seethrough.exploring.answers.persons import NearRow, NearRows, Person
from seethrough.exploring.values import ValueTexts
from seethrough.kernels.arrays import Floats


def distances_from(person: Person, table: Table, columns: Sequence[str]) -> Floats:
    """Measure a person against all rows in the distance space of some columns."""
    return distances_between(points(person.values.project(columns)), points(table.project(columns)))


def near_rows(texts: ValueTexts, person: Person, released: Table, count: int) -> NearRows:
    """Find the nearest rows of all three tables, nearest first, of equal ones the first row first."""
    release = texts.release
    outside = release.holdout.table if release.holdout else None
    return NearRows(
        released=_nearest(texts, person, released, count),
        real=_nearest(texts, person, release.train.table, count, without=person.row),
        outside=None if outside is None else _nearest(texts, person, outside, count),
        columns=person.known,
    )


def _nearest(
    texts: ValueTexts, person: Person, table: Table, count: int, without: int | None = None
) -> tuple[NearRow, ...]:
    distances = distances_from(person, table, person.known)
    if without is not None:
        distances[without] = np.inf
    rows = [int(row) for row in nearest_first(distances, count)]
    differs = differing_columns(person.values.project(person.known), table.project(person.known), rows)
    return tuple(
        NearRow(row, float(distances[row]), names, texts.cells(table, row))
        for row, names in zip(rows, differs, strict=True)
    )
