"""The trade-off as a figure: leak removed over utility lost, levers that are worth a look by name, the others grey."""

from collections.abc import Sequence

from seethrough.report.what_if import wording
from seethrough.results.figure import Chart, Figure, FigureAxis, FigureTable, Listing, Series
from seethrough.results.levers.what_if import LeverRow, WhatIf

MOST_NAMED = 6
"""Levers that have a colour and a name of their own."""
REST = "dominated or not shown to help"


def trade_off(found: WhatIf) -> Figure:
    """Draw all levers that were measured, and list them."""
    measured = [row for row in found.rows if row.is_measured]
    named = [row for row in measured if not row.is_dominated and row.helps and row.is_remedy][:MOST_NAMED]
    rest = [row for row in measured if row not in named and row.is_remedy]
    series = [_series(row.lever, [row]) for row in named]
    series += [_series(f"{row.lever}: no remedy", [row]) for row in measured if not row.is_remedy]
    series += [_series(REST, rest, is_quiet=True)] if rest else []
    chart = Chart(
        title="",
        x=FigureAxis("utility lost, of 100"),
        y=FigureAxis("leak removed, members of 100"),
        series=tuple(series),
        lines=(("no change", 0.0),),
        interval="95% interval, for all levers at once",
        joined=False,
    )
    listing = Listing("", wording.COLUMNS, tuple(wording.cells(row) for row in found.rows))
    return Figure(
        name="whatif",
        title="What would help, measured",
        caption=wording.headline(found),
        panels=(chart, listing),
        table=_table(found.rows),
        across=1,
        notes=(wording.before(found), wording.ranked_by(found), wording.LEGEND),
    )


def _series(name: str, rows: Sequence[LeverRow], *, is_quiet: bool = False) -> Series:
    points = [
        (-100 * (row.utility_change or 0.0), -100 * row.change.value, -100 * row.change.high, -100 * row.change.low)
        for row in rows
        if row.change
    ]
    x, y, low, high = zip(*points, strict=True)
    return Series(name, x, y, low, high, tuple(row.lever for row in rows), is_quiet)


def _table(rows: Sequence[LeverRow]) -> FigureTable:
    names = ("lever", "leak_removed", "low", "high", "utility_lost", "leak_left", "grade", "dominated", "helps")
    cells = tuple(
        (
            row.lever,
            -row.change.value,
            -row.change.high,
            -row.change.low,
            -(row.utility_change or 0.0),
            row.leak.value if row.leak else None,
            row.grade.value,
            row.is_dominated,
            row.helps,
        )
        for row in rows
        if row.change
    )
    return FigureTable(names, cells)
