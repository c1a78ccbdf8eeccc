"""The map: all tables in the plane of the projection that the check dcr uses, which is fitted on the real table.

Rows at one place are one dot. Of more than 3,000 places in a window those are drawn that come first in an order of
their own, so that the same window always shows the same ones; in a window small enough every place is drawn.
"""

from dataclasses import dataclass, replace

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import PlacedRows
from seethrough.bench.person.example import nearest_first
from seethrough.bench.projections import FittedProjection, Projected
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.answers.places import MapDots, MapPlace, MapView, MapWindow
from seethrough.exploring.people.near_rows import distances_from
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.neighbours.projection import Projection, variation_kept
from seethrough.seeds import stream

DIMENSIONS = 2
MOST_DOTS = 3_000
NEAREST = 3
"""Released rows to which lines are drawn."""


@dataclass(frozen=True, eq=False)
class DotOrder:
    """The places of one table: the first row at each, its coordinates, how many rows are there, in order of drawing."""

    rows: Ints
    places: Floats
    counts: Ints
    total: int

    @staticmethod
    def of(coordinates: Floats, seed: int, kind: str) -> "DotOrder":
        """Find the different places, and draw an order of them."""
        places, first, counts = np.unique(coordinates, axis=0, return_index=True, return_counts=True)
        order = stream(seed, f"dots of {kind}").permutation(len(places))
        return DotOrder(first[order], places[order], counts[order], len(coordinates))

    def dots_in(self, window: MapWindow, only: Bools | None = None) -> MapDots:
        """Give the dots of a window; `only` says which rows count, and a place where one does is a dot."""
        x, y = self.places.T
        inside = (x >= window.left) & (x <= window.right) & (y >= window.bottom) & (y <= window.top)
        if only is not None:
            inside &= only[self.rows]
        found = np.flatnonzero(inside)
        drawn = found[:MOST_DOTS]
        return MapDots(
            tuple(self.rows[drawn].tolist()),
            tuple(x[drawn].tolist()),
            tuple(y[drawn].tolist()),
            int(self.counts[found].sum()),
            self.total,
            len(found),
        )


@dataclass(frozen=True, eq=False)
class TableMap:
    """All tables of one release on the map; `numbers` are the real rows of the people on it, all or those drawn."""

    projection: Projection
    released: Table
    variation: float
    dots: dict[Part, DotOrder]
    coordinates: dict[Part, Floats]
    numbers: Ints

    @staticmethod
    def of(bench: Bench[Part], seed: int) -> "TableMap":
        """Place all tables; a plane that the real table does not fill is a line."""
        coordinates, dots = {}, {}
        for part in (Part.TRAIN, Part.SYNTHETIC, Part.HOLDOUT):
            try:
                coordinates[part] = _in_plane(bench.get(Projected(part, Part.TRAIN, DIMENSIONS)))
            except NotApplicable:
                if part is not Part.HOLDOUT:
                    raise
                continue
            dots[part] = DotOrder.of(coordinates[part], seed, part.value)
        rows, drawn = bench.get(PlacedRows(Part.TRAIN)), bench.drawn_from(Part.TRAIN)
        numbers = np.arange(len(rows)) if drawn is None else drawn.rows
        dots[Part.TRAIN] = replace(dots[Part.TRAIN], rows=numbers[dots[Part.TRAIN].rows])
        projection = bench.get(FittedProjection(Part.TRAIN, DIMENSIONS))
        kept = variation_kept(projection, rows)
        return TableMap(projection, bench.table(Part.SYNTHETIC), kept, dots, coordinates, numbers)

    @property
    def whole(self) -> MapWindow:
        """Give the window that holds every row."""
        everything = np.concatenate(list(self.coordinates.values()))
        (left, bottom), (right, top) = everything.min(axis=0).tolist(), everything.max(axis=0).tolist()
        return MapWindow(left, right, bottom, top)

    def look(self, window: MapWindow | None, flagged: Bools | None) -> MapView:
        """Show a window."""
        whole = self.whole
        window = window or whole
        everybody = self.dots[Part.TRAIN]
        nobody = np.zeros(int(self.numbers.max(initial=-1)) + 1, bool)
        return MapView(
            window=window,
            whole=whole,
            variation=self.variation,
            real=everybody.dots_in(window),
            released=self.dots[Part.SYNTHETIC].dots_in(window),
            outside=self.dots[Part.HOLDOUT].dots_in(window) if Part.HOLDOUT in self.dots else None,
            flagged=self._flagged(nobody if flagged is None else flagged).dots_in(window),
        )

    def _flagged(self, flagged: Bools) -> DotOrder:
        """Keep the places at which somebody is flagged, each by the first such row."""
        those = np.flatnonzero(flagged[self.numbers])
        rows, mine = self.numbers[those], self.coordinates[Part.TRAIN][those]
        if not len(rows):
            return DotOrder(rows, np.empty((0, DIMENSIONS)), rows, 0)
        places, first, counts = np.unique(mine, axis=0, return_index=True, return_counts=True)
        order = np.argsort(_ranks(rows[first]), kind="stable")
        return DotOrder(rows[first][order], places[order], counts[order], len(rows))

    def row_near(self, x: float, y: float) -> int:
        """Find the real row nearest to a place, of several the first."""
        return int(self.numbers[np.square(self.coordinates[Part.TRAIN] - np.array([x, y])).sum(axis=1).argmin()])

    def place(self, person: Person) -> MapPlace:
        """Place a person, and the released rows that are nearest by distance."""
        among = np.flatnonzero(self.numbers == person.row)
        mine = (
            self.coordinates[Part.TRAIN][among[0]]
            if len(among)
            else _in_plane(self.projection.coordinates(points(person.values)))[0]
        )
        distances = distances_from(person, self.released, person.known)
        nearest = nearest_first(distances, NEAREST)
        there = self.coordinates[Part.SYNTHETIC]
        lines = tuple((int(row), float(there[row, 0]), float(there[row, 1])) for row in nearest)
        return MapPlace(person, float(mine[0]), float(mine[1]), lines)


def _ranks(rows: Ints) -> Ints:
    """Give rows an order that says nothing, always the same."""
    found: Ints = stream(0, "flagged dots").permutation(int(rows.max()) + 1)[rows]
    return found


def _in_plane(coordinates: Floats) -> Floats:
    """Give two coordinates where the table has variation for one alone."""
    missing = DIMENSIONS - coordinates.shape[1]
    return np.pad(coordinates, ((0, 0), (0, missing))) if missing else coordinates
