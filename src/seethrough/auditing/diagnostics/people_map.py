"""A map of people: the plane of the projection that `dcr` uses, cut into cells in which rows are counted.

No place of a person is kept, only counts by cells and the cells that hold exposed people. The frame holds all but the
outermost rows of the real table in either direction; rows beyond it are counted at its edge.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import PlacedRows
from seethrough.bench.projections import FittedProjection, Projected
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.neighbours.projection import variation_kept
from seethrough.results.diagnostics import PeopleMap

ACROSS, UP = 36, 24
DIMENSIONS = 2
OUTERMOST = 0.005
"""Share of real rows that may lie beyond the frame at each side."""


@dataclass(frozen=True, eq=False)
class PlacedPeople:
    """The map without exposed people, the cell of each real row, and which rows these are where some were drawn."""

    shown: PeopleMap
    cells: Ints
    rows: Ints | None


def place_people(release: Bench[Part], outside: Bench[Part] | None) -> PlacedPeople | None:
    """Draw the map where a check has fitted the projection; `outside` has people kept out in the release's place."""
    fitted = release.known_answer(FittedProjection(Part.TRAIN, DIMENSIONS))
    if fitted is None or fitted.dimensions < DIMENSIONS:
        return None
    real = release.get(Projected(Part.TRAIN, Part.TRAIN, DIMENSIONS))
    ends = np.quantile(real, [OUTERMOST, 1 - OUTERMOST], axis=0)
    spread = real.var(axis=0)
    kept = variation_kept(fitted, release.get(PlacedRows(Part.TRAIN)))
    mine, drawn = cells_of(real, ends), release.drawn_from(Part.TRAIN)
    shown = PeopleMap(
        across=ACROSS,
        up=UP,
        variation=tuple(float(kept * each / spread.sum()) for each in spread),
        real=_count(mine),
        released=_count(cells_of(release.get(Projected(Part.SYNTHETIC, Part.TRAIN, DIMENSIONS)), ends)),
        outside=_outside(outside, ends),
        exposed=(),
    )
    return PlacedPeople(shown, mine, None if drawn is None else drawn.rows)


def mark_exposed(placed: PlacedPeople, exposed: Iterable[int]) -> PeopleMap:
    """Mark the cells that hold exposed people, given as numbers of real rows, from 1 on."""
    people = np.array(sorted(set(exposed)), np.int64) - 1
    people = people if placed.rows is None else np.searchsorted(placed.rows, people)
    return replace(placed.shown, exposed=tuple(int(cell) for cell in np.unique(placed.cells[people])))


def _outside(bench: Bench[Part] | None, ends: Floats) -> tuple[int, ...] | None:
    if bench is None:
        return None
    return _count(cells_of(bench.get(Projected(Part.SYNTHETIC, Part.TRAIN, DIMENSIONS)), ends))


def cells_of(places: Floats, ends: Floats) -> Ints:
    """Give the cell of each place, counted from the lower left, row by row; `ends` are the frame's lower and upper."""
    wide = np.where(ends[1] > ends[0], ends[1] - ends[0], 1.0)
    steps = np.floor((places - ends[0]) / wide * (ACROSS, UP))
    # Clipped before they become whole numbers, which cannot hold a row that lies very far out.
    inside = np.clip(steps, 0, (ACROSS - 1, UP - 1)).astype(np.int64)
    return np.asarray(inside[:, 1] * ACROSS + inside[:, 0])


def _count(cells: Ints) -> tuple[int, ...]:
    return tuple(int(count) for count in np.bincount(cells, minlength=ACROSS * UP))
