"""What the map of people shows: members with the exposed among them, released rows and people outside, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seethrough.results.diagnostics import PeopleMap

SHADES = (0.0, 0.001, 0.004, 0.016)
"""Shares of the rows of a table beyond which a cell has the next shade."""


@dataclass(frozen=True)
class MapPanel:
    """One table in the plane: a shade for each cell (0: no row), cells that are marked, and what the axes are."""

    title: str
    description: str
    across: int
    up: int
    shades: tuple[int, ...]
    marked: tuple[int, ...]
    axes: tuple[str, str]


def map_panels(found: PeopleMap) -> Iterator[MapPanel]:
    """Give a panel for each table, all in the same frame."""
    tables = [("Real table", found.real, found.exposed), ("Release", found.released, ())]
    if found.outside is not None:
        tables.append(("People outside", found.outside, ()))
    axes = tuple(
        f"{which} direction: {100 * share:.0f} % of the variation"
        for which, share in zip(("first", "second"), found.variation, strict=True)
    )
    for title, counts, marked in tables:
        said = f"{sum(counts):,} rows in {sum(count > 0 for count in counts):,} of {len(counts):,} cells"
        said += f", of which {len(marked):,} hold exposed people." if marked else "."
        yield MapPanel(title, said, found.across, found.up, _shades(counts), marked, (axes[0], axes[1]))


def _shades(counts: Sequence[int]) -> tuple[int, ...]:
    rows = max(sum(counts), 1)
    return tuple(sum(count / rows > least for least in SHADES) for count in counts)
