"""The pictures of one synthetic table, drawn, with the numbers that stand beside them."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from seethrough.report.html import charts, drawing, pictures, svg
from seethrough.report.html.pictures import Mark
from seethrough.report.words import facts
from seethrough.results.card import Evidence
from seethrough.results.diagnostics import ExposedRow
from seethrough.results.outcome import Measured
from seethrough.results.report import ColumnNote, Report, TableAudit

_NUMBERS = "numeric"


@dataclass(frozen=True)
class Row:
    """A row of marks with the numbers beside it."""

    label: str
    drawn: Markup
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Gallery:
    """All pictures of one synthetic table; what is None or empty is not shown."""

    distances: Markup | None
    distances_say: str
    records: Markup | None
    records_say: str
    records_by: str
    exposed: tuple[ExposedRow, ...]
    names: tuple[tuple[str, bool], ...]
    """The columns whose values are shown, and whether those are numbers."""
    groups: tuple[tuple[str, str, tuple[Row, ...]], ...]
    groups_by: str
    columns: tuple[Row, ...]
    has_outside: bool
    marginals: tuple[Row, ...]
    pairs: Markup | None
    pairs_say: str
    pair_similarity: float | None


def gallery(table: TableAudit, anchor: str, columns: Sequence[ColumnNote]) -> Gallery:
    """Draw what there is."""
    shown = table.exhibits
    overlay = pictures.distances(shown.distances) if shown.distances else None
    grid = pictures.pairs(shown)
    by = _by_record(table)
    histogram = charts.histogram(by) if by else None
    marks = pictures.columns(shown.columns)
    return Gallery(
        distances=Markup(drawing.draw_overlay(overlay, f"{anchor}-distances")) if overlay else None,
        distances_say=overlay.description if overlay else "",
        records=Markup(svg.draw_histogram(histogram, f"{anchor}-by-record")) if histogram else None,
        records_say=histogram.description if histogram else "",
        records_by=by.check if by else "",
        exposed=shown.exposed,
        names=_names(columns) if shown.shows_values else (),
        groups=tuple(
            (column.column, f"{column.spread:.2f}", tuple(_row(mark) for mark in column.marks))
            for column in pictures.groups(shown.groups)
        ),
        groups_by=shown.groups_by,
        columns=tuple(_compared(mark) for mark in marks),
        has_outside=any(mark.other is not None for mark in marks),
        marginals=_marginals(table),
        pairs=Markup(drawing.draw_grid(grid, f"{anchor}-pairs")) if grid else None,
        pairs_say=grid.description if grid else "",
        pair_similarity=shown.pair_similarity,
    )


def _names(columns: Sequence[ColumnNote]) -> tuple[tuple[str, bool], ...]:
    return tuple((column.name, column.kind == _NUMBERS) for column in columns if facts.is_used(column))


def tradeoff(report: Report) -> Markup | None:
    """Draw privacy against utility, where several releases can be compared."""
    spots = pictures.tradeoff(report)
    return Markup(drawing.draw_spots(spots, "tradeoff")) if spots else None


def _by_record(table: TableAudit) -> Measured | None:
    """Find the attack by which groups are compared, or the first attack with a risk for each record."""
    found = [
        outcome
        for outcome in table
        if isinstance(outcome, Measured)
        and outcome.measurement.per_record is not None
        and outcome.card.evidence is Evidence.ATTACK
    ]
    return next((each for each in found if each.check == table.exhibits.groups_by), found[0] if found else None)


def _row(mark: Mark) -> Row:
    rate = mark.rate
    numbers = f"{rate.value:.2f}", f"{rate.low:.2f} to {rate.high:.2f}", f"{rate.n:,}"
    return Row(mark.label, Markup(drawing.draw_mark(mark)), numbers)


def _compared(mark: Mark) -> Row:
    rate, other = mark.rate, mark.other
    outside = f"{other.value:.2f}" if other else "-"
    numbers = (
        f"{rate.value:.2f}",
        f"{rate.low:.2f} to {rate.high:.2f}",
        outside,
        f"{mark.base_rate or 0:.2f}",
        mark.note,
    )
    return Row(mark.label, Markup(drawing.draw_mark(mark)), numbers)


def _marginals(table: TableAudit) -> tuple[Row, ...]:
    bars = pictures.marginals(table.exhibits)
    largest = max((max(bar.value, bar.other or 0.0) for bar in bars), default=0.0)
    return tuple(
        Row(
            bar.label,
            Markup(drawing.draw_bar(bar, largest)),
            (f"{bar.value:.3f}", "-" if bar.other is None else f"{bar.other:.3f}"),
        )
        for bar in bars
    )
