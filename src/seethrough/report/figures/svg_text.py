"""Text in a drawing: how wide it gets, where it breaks, and which of it may be shown at all."""

from dataclasses import replace
from html import escape

from seethrough.report.figures.palette import INK
from seethrough.report.untrusted import name, visible
from seethrough.results.figure import Chart, Figure, FigureAxis, Grid, Listing, Panel

LETTER = 6.4
"""About how wide a letter of 11 points is."""
BOLD = 8.0
"""The same in bold, of a title of 12 points."""
CAPTION_LENGTH = 2000


def text_at(  # noqa: PLR0913  what SVG says about a text
    x: float, y: float, said: str, size: float, *, colour: str = INK, anchor: str = "", weight: str = ""
) -> str:
    """Write a line of text that begins, ends or is centred at a point."""
    more = (f" text-anchor='{anchor}'" if anchor else "") + (f" font-weight='{weight}'" if weight else "")
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{colour}'{more}>{escape(said)}</text>"


def wrap_text(text: str, letters: int) -> list[str]:
    """Break a sentence into lines."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def without_hostile_text(figure: Figure) -> Figure:
    """Give a figure whose names and sentences can be shown: nothing that acts, nothing endless."""
    return replace(
        figure,
        title=visible(figure.title),
        caption=visible(figure.caption, CAPTION_LENGTH),
        notes=tuple(visible(note, CAPTION_LENGTH) for note in figure.notes),
        panels=tuple(map(_panel, figure.panels)),
    )


def _panel(panel: Panel) -> Panel:
    match panel:
        case Chart():
            return _chart(panel)
        case Grid():
            return _grid(panel)
        case Listing():
            rows = tuple(tuple(map(visible, row)) for row in panel.rows)
            return replace(panel, title=visible(panel.title), columns=tuple(map(visible, panel.columns)), rows=rows)


def _chart(chart: Chart) -> Chart:
    return replace(
        chart,
        title=visible(chart.title),
        x=_axis(chart.x),
        y=_axis(chart.y),
        series=tuple(
            replace(series, name=name(series.name), remarks=tuple(map(visible, series.remarks)))
            for series in chart.series
        ),
        diagonal=visible(chart.diagonal),
        interval=visible(chart.interval),
        lines=tuple((name(reference), value) for reference, value in chart.lines),
    )


def _grid(grid: Grid) -> Grid:
    return replace(
        grid,
        title=visible(grid.title),
        rows=tuple(map(name, grid.rows)),
        columns=tuple(map(name, grid.columns)),
        texts=tuple(tuple("\n".join(map(visible, text.split("\n"))) for text in row) for row in grid.texts),
    )


def _axis(axis: FigureAxis) -> FigureAxis:
    return replace(axis, label=visible(axis.label), ticks=tuple((place, name(word)) for place, word in axis.ticks))
