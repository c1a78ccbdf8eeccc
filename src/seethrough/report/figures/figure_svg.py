"""Figures of studies as SVG, the one drawing behind the file, the PNG and the page: no scripts, fonts or network.

Three engines were compared on the 14 figures of the small forms of `aia-size`, `metric-correlation` and
`linkage-copies` (charts with intervals, log axes, ROC curves, a heat map, tables), seen at 1280 and 390 pixels, light
and dark:

=====================  ==================  =========================  ==========================
what                   this module         Plotly 7.1 (pages alone)   Altair 6.3, vl-convert 1.9
=====================  ==================  =========================  ==========================
extra packages, MB     3 (resvg, for PNG)  64                         99
a page, KB             2 to 147            1 to 63, and 4,816 beside  899 to 978
14 figures, seconds    0.1 pages, 0.3 SVG  2 pages                    18 building, 28 SVG
their PNG, seconds     11 to 18            none                       52
strict content policy  yes, no script      yes, with a script file    draws nothing, needs eval
390 pixels             panels stack        panels stack               panels and legend cut off
dark page              yes                 no                         no
meeting intervals      drawn apart         cover each other           cover each other
reference lines        in the legend       words across the curves    not in the legend
tables                 yes                 as HTML                    cells run into each other
=====================  ==================  =========================  ==========================

Altair's column is that of a prototype: its heat map was as good, and its intervals, legend and tables could be placed
by hand, as they are here. Zooming went with Plotly; telling the numbers of a point and hiding a series need no script.
"""

from dataclasses import dataclass
from html import escape

from seethrough.report.figures.chart_panels import (
    LEFT,
    chart_size,
    draw_chart,
    interval_key,
    reference_key,
    series_key,
)
from seethrough.report.figures.palette import BLACK, WHITE
from seethrough.report.figures.svg_text import BOLD, LETTER, text_at, without_hostile_text, wrap_text
from seethrough.report.figures.table_panels import draw_grid, draw_listing, grid_size, listing_size
from seethrough.results.figure import Chart, Figure, Grid, Listing, Panel

LEAST_WIDTH = 420
LINE, TITLE_LINE, BETWEEN, GAP = 18, 15, 8, 8
FONT = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif'"
_GREY = "#555555"


@dataclass(frozen=True)
class LegendEntry:
    """A name of the legend with its sign; `place` counts series, None is no series."""

    name: str
    key: str
    place: int | None

    @property
    def width(self) -> int:
        """Say how wide sign and name are."""
        return 46 + round(LETTER * len(self.name))


def legend_of(figure: Figure) -> tuple[LegendEntry, ...]:
    """List all series, reference lines and kinds of intervals, each once."""
    charts = [panel for panel in figure.panels if isinstance(panel, Chart)]
    marked = not any(chart.steps for chart in charts)
    series = [
        LegendEntry(name, series_key(at, marked=marked, is_quiet=name in figure.quiet), at)
        for at, name in enumerate(figure.legend)
    ]
    # The sign of a line is that of its place in its own chart.
    keys = {name: reference_key(at) for chart in charts for at, (name, _) in enumerate(chart.lines)}
    keys |= {chart.diagonal: reference_key(0) for chart in charts if chart.diagonal}
    keys |= {chart.interval: interval_key() for chart in charts if chart.interval}
    return *series, *(LegendEntry(name, key, None) for name, key in keys.items())


def panel_size(panel: Panel, figure: Figure) -> tuple[int, int]:
    """Give width and height of a panel without its title."""
    match panel:
        case Chart():
            return chart_size(panel, figure)
        case Grid():
            return grid_size(panel)
        case Listing():
            return listing_size(panel)


def draw_panel(panel: Panel, figure: Figure) -> str:
    """Draw a panel without its title."""
    match panel:
        case Chart():
            return draw_chart(panel, figure)
        case Grid():
            return draw_grid(panel)
        case Listing():
            return draw_listing(panel)


def render(figure: Figure) -> str:
    """Draw a whole figure: title, caption, legend, panels row by row, notes."""
    figure = without_hostile_text(figure)
    sizes = [_outer_size(panel, figure) for panel in figure.panels]
    across = max(1, figure.across)
    rows = [range(start, min(start + across, len(sizes))) for start in range(0, len(sizes), across)]
    legend = legend_of(figure)
    width = max(
        [sum(sizes[place][0] for place in row) for row in rows] + [LEAST_WIDTH] + [14 + entry.width for entry in legend]
    )
    parts, y = _sentences([figure.title], width, 24, size=16, weight="bold", letter=10.5, line=20)
    caption, y = _sentences([figure.caption], width, y - 2, size=11, colour=_GREY)
    keys, y = _legend(legend, width, y - 4)
    parts += caption + keys
    for row in rows:
        titles = {place: _title_lines(figure.panels[place], figure) for place in row}
        head = TITLE_LINE * max(map(len, titles.values()))
        x = 0
        for place in row:
            parts.append(
                f"<g transform='translate({x},{y})'>{_panel_under_title(figure, place, titles[place], head)}</g>"
            )
            x += sizes[place][0]
        y += head + max(sizes[place][1] for place in row) + BETWEEN
    notes, y = _sentences(figure.notes, width, y + 14, size=10, colour=_GREY)
    return _page(width, y, figure, parts + notes)


def _sentences(  # noqa: PLR0913  what SVG says about a text
    said: tuple[str, ...] | list[str],
    width: int,
    y: int,
    *,
    size: int,
    colour: str = BLACK,
    weight: str = "",
    letter: float = LETTER,
    line: int = TITLE_LINE,
) -> tuple[list[str], int]:
    """Write sentences below each other, broken to the width; also give where the next line would stand."""
    lines = [part for sentence in said for part in wrap_text(sentence, round(width / letter) - 4)]
    written = [text_at(12, y + line * n, part, size, colour=colour, weight=weight) for n, part in enumerate(lines)]
    return written, y + line * len(lines)


def _outer_size(panel: Panel, figure: Figure) -> tuple[int, int]:
    """Give the size of a panel without the height of its title: tables may be narrower than that, charts wrap it."""
    width, height = panel_size(panel, figure)
    unbroken = max(map(len, panel.title.split()), default=0) if isinstance(panel, Chart) else len(panel.title)
    return max(width, min(round(BOLD * unbroken), LEAST_WIDTH) + _indent(panel) + GAP), height


def _title_lines(panel: Panel, figure: Figure) -> list[str]:
    return wrap_text(panel.title, round((_outer_size(panel, figure)[0] - _indent(panel)) / BOLD))


def _indent(panel: Panel) -> int:
    return LEFT if isinstance(panel, Chart) else 12


def _panel_under_title(figure: Figure, place: int, title: list[str], head: int) -> str:
    panel = figure.panels[place]
    top = head - TITLE_LINE * len(title)
    lines = [
        text_at(_indent(panel), top + 11 + TITLE_LINE * number, line, 12, weight="bold")
        for number, line in enumerate(title)
    ]
    return f"{''.join(lines)}<g transform='translate(0,{head})'>{draw_panel(panel, figure)}</g>"


def _legend(entries: tuple[LegendEntry, ...], width: int, y: int) -> tuple[list[str], int]:
    """Draw the legend in rows that fit the width; also give where the panels begin."""
    parts, x = list[str](), 14
    for entry in entries:
        if x + entry.width > width and x > 14:
            x, y = 14, y + LINE
        parts.append(f"<g transform='translate({x},{y + 6})'>{entry.key}{text_at(30, 4, entry.name, 11)}</g>")
        x += entry.width
    return parts, y + (LINE + 10 if parts else 4)


def _page(width: int, height: int, figure: Figure, parts: list[str]) -> str:
    head = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'"
    told = f"<title>{escape(figure.title)}</title><desc>{escape(figure.caption)}</desc>"
    paper = f"<rect width='{width}' height='{height}' fill='{WHITE}'/>"
    return f"{head} role='img' color='{BLACK}' {FONT}>{told}{paper}{''.join(parts)}</svg>"
