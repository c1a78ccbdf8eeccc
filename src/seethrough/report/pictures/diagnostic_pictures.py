"""What the pictures of a report show, apart from how they are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from seethrough.report import untrusted
from seethrough.report.words import artefact_text, wording
from seethrough.results.diagnostics import ColumnExposure, Diagnostics, Distances, LeakGroup, Rate
from seethrough.results.estimate import Estimate
from seethrough.results.evidence_words import people
from seethrough.results.report import Report

SHORT_NAME = 24


@dataclass(frozen=True)
class Overlay:
    """Two distributions over common bins, as shares of their rows; what is exactly 0 stands apart from the bins."""

    title: str
    description: str
    end: float
    unit: str
    released: tuple[float, ...]
    independent: tuple[float, ...]
    released_zero: float
    independent_zero: float


@dataclass(frozen=True)
class Mark:
    """A row of marks on the axis from 0 to 1: a value with its interval, one to compare it with, and a base rate."""

    label: str
    rate: Rate
    other: Rate | None = None
    base_rate: float | None = None
    note: str = ""


@dataclass(frozen=True)
class LeakMark:
    """A leak with its interval on an axis from `-end` to `end`, against 0."""

    leak: Estimate
    end: float


@dataclass(frozen=True)
class PictureGrid:
    """A number for each pair of columns; None where it was not counted."""

    title: str
    description: str
    names: tuple[str, ...]
    cells: tuple[tuple[int, int, float], ...]


@dataclass(frozen=True)
class Bar:
    """How far a column of the release is from the real table, and people outside; `end` is the end of the axis."""

    label: str
    value: float
    other: float | None
    end: float = 1.0


@dataclass(frozen=True)
class Spot:
    """A release, by its number, between utility (across) and the lower end of its leak (up)."""

    number: int
    label: str
    utility: float
    leak: float


@dataclass(frozen=True)
class Spots:
    """Releases between utility and leak."""

    title: str
    description: str
    spots: tuple[Spot, ...]


def distances(found: Distances) -> Overlay:
    """Show how near released rows come to real ones, against independent rows."""
    rows = [max(sum(counts), 1) for counts in (found.released, found.independent)]
    near = [zero / size for zero, size in zip((found.released_zero, found.independent_zero), rows, strict=True)]
    return Overlay(
        title="Distance to the nearest real row",
        description=(
            f"Half of the released rows lie within {wording.compact(found.released_median)} of a real row, half of the "
            f"independent rows within {wording.compact(found.independent_median)}; at distance 0 are "
            f"{artefact_text.share_of(near[0])} and {artefact_text.share_of(near[1])} of them."
        ),
        end=found.edges[-1],
        unit="distance (1: one category differs)",
        released=_beyond_zero(found.released, found.released_zero, rows[0]),
        independent=_beyond_zero(found.independent, found.independent_zero, rows[1]),
        released_zero=near[0],
        independent_zero=near[1],
    )


def _beyond_zero(counts: Sequence[int], zero: int, rows: int) -> tuple[float, ...]:
    """Give the shares of the bins, those at 0 taken out of the first."""
    return tuple((count - (zero if place == 0 else 0)) / rows for place, count in enumerate(counts))


def axis_end(found: Sequence[LeakGroup]) -> float:
    """End the axis at the next five of 100 beyond all intervals."""
    furthest = max(max(-group.leak.low, group.leak.high) for group in found)
    return min(max(ceil(20 * furthest), 1) / 20, 1.0)


def group_label(group: LeakGroup) -> str:
    """Name a group; small levels put together say how many they are."""
    return f"{group.label} ({group.merged} levels)" if group.merged > 1 else group.label


def columns(found: Sequence[ColumnExposure]) -> tuple[Mark, ...]:
    """Put the columns that are guessed best beyond people outside first, or beyond the base rate without these."""
    ordered = sorted(found, key=lambda column: -_lead(column))
    return tuple(
        Mark(column.column, column.real, column.outside, column.base_rate, f"{_lead(column) + 0.0:+.2f}")
        for column in ordered
    )


def _lead(column: ColumnExposure) -> float:
    return column.real.value - (column.outside.value if column.outside else column.base_rate)


def marginals(shown: Diagnostics) -> tuple[Bar, ...]:
    """List the columns, those that differ most from the real table first."""
    found = sorted(shown.marginals, key=lambda column: -column.released)
    end = max((max(column.released, column.outside or 0.0) for column in found), default=0.0)
    return tuple(Bar(column.column, column.released, column.outside, end) for column in found)


def pairs(shown: Diagnostics) -> tuple[PictureGrid, ...]:
    """Arrange the pairs of columns as a triangle, for the release and, if there are any, for people outside."""
    released = {(pair.first, pair.second): pair.released for pair in shown.pairs}
    outside = {(pair.first, pair.second): pair.outside for pair in shown.pairs if pair.outside is not None}
    sides = ("the release", released), ("people outside", outside)
    return tuple(_grid(f"How far pairs of columns of {who} are from the real table", far) for who, far in sides if far)


def _grid(title: str, far: Mapping[tuple[str, str], float]) -> PictureGrid:
    names = tuple(dict.fromkeys([name for pair in far for name in pair]))
    place = {name: number for number, name in enumerate(names)}
    worst, largest = max(far.items(), key=lambda each: each[1])
    between = " and ".join(untrusted.visible(name, SHORT_NAME) for name in worst)
    return PictureGrid(
        title=title,
        description=f"Total variation of joint counts; the largest is {wording.format_fixed(largest)}, {between}.",
        names=names,
        cells=tuple((place[second], place[first], value) for (first, second), value in far.items()),
    )


def tradeoff(report: Report) -> Spots | None:
    """Place every release between utility and the lower end of its leak; None with fewer than two."""
    spots = []
    for each in report.comparison.ranking if report.comparison else ():
        table = report.tables[each.number - 1]
        if table.exhibits.pair_similarity is not None and each.leak is not None:
            spots.append(Spot(each.number, table.synthetic.name, table.exhibits.pair_similarity, each.leak))
    if len(spots) < 2:
        return None
    described = "; ".join(
        f"{spot.number}. {untrusted.visible(spot.label, 40)}: similarity {spot.utility:.3f}, at least "
        f"{people(spot.leak)} of 100 members"
        for spot in spots
    )
    return Spots("Leak against utility", described, tuple(spots))
