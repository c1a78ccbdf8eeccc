"""What the pictures of single columns show: their distributions in the real table, the release and among others."""

from collections.abc import Iterator
from dataclasses import dataclass

from seethrough.report import untrusted
from seethrough.report.words import wording
from seethrough.results.diagnostics import ColumnDistribution, Diagnostics

BINS = 10
"""Of a number; one more holds missing values."""
LISTED = 12
"""Columns that are drawn, those that differ most first."""


@dataclass(frozen=True)
class ColumnSpread:
    """The shares of a column's cells in three tables, with a name for each end of the axis."""

    title: str
    description: str
    released: tuple[float, ...]
    real: tuple[float, ...]
    outside: tuple[float, ...] | None
    ends: tuple[str, str]
    axis: str


def column_spreads(shown: Diagnostics) -> Iterator[ColumnSpread]:
    """Show the columns whose release differs most from the real table."""
    differs = {column.column: column for column in shown.marginals}
    ordered = sorted(shown.distributions, key=lambda each: -differs[each.column].released)
    for each in ordered[:LISTED]:
        found = differs[each.column]
        said = f"Total variation from the real table: release {wording.format_fixed(found.released)}"
        if found.outside is not None:
            said += f", people outside {wording.format_fixed(found.outside)}"
        axis = "value" if each.is_ordered else "level"
        yield ColumnSpread(
            untrusted.name(each.column), f"{said}.", each.released, each.real, each.outside, _ends(each), axis
        )


def _ends(found: ColumnDistribution) -> tuple[str, str]:
    """Name the first and the last cell."""
    if found.is_ordered:
        return "lowest", "missing" if len(found.real) > BINS else "highest"
    return "most frequent", f"{found.merged} others" if found.merged else "rarest"
