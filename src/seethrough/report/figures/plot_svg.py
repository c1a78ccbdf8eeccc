"""Figures of studies as SVG: standalone, without scripts, fonts or anything from outside."""

from html import escape
from math import isfinite

from seethrough.report.figures.palette import FAINT, INK, PAPER, look, shade
from seethrough.report.figures.plot_scales import AxisScale, scales
from seethrough.results.figure import Chart, Figure, Grid, Listing, Panel, Series

CHART = (400, 300)
SMALL = (250, 200)
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 30, 46
CELL, HEAD = (56, 32), 130
LINE, GAP = 18, 22
LETTER = 6.4
"""About how wide a letter of 11 points is."""
SHORT = 6
"""Letters of a word at a tick that never slants, as those of numbers."""
BOLD = 8.0
"""The same in bold, of a title of 12 points."""
APART = 4
"""How far apart points of several series at one place are drawn, so that their intervals can be told apart."""
_FONT = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif'"
_SHAPES = {
    "circle": "<circle r='4'/>",
    "square": "<rect x='-3.6' y='-3.6' width='7.2' height='7.2'/>",
    "diamond": "<path d='M0,-5 L5,0 L0,5 L-5,0 Z'/>",
    "triangle-up": "<path d='M0,-4.8 L4.8,4 L-4.8,4 Z'/>",
    "triangle-down": "<path d='M0,4.8 L4.8,-4 L-4.8,-4 Z'/>",
    "cross": "<path d='M-4.5,-1.4 H-1.4 V-4.5 H1.4 V-1.4 H4.5 V1.4 H1.4 V4.5 H-1.4 V1.4 H-4.5 Z'/>",
    "x": "<path d='M-4,-4 L4,4 M-4,4 L4,-4' stroke-width='2.2'/>",
    "star": "<path d='M0,-5 L1.5,-1.5 L5,-1 L2.3,1.4 L3,5 L0,3 L-3,5 L-2.3,1.4 L-5,-1 L-1.5,-1.5 Z'/>",
}


def render(figure: Figure) -> str:
    """Draw a whole figure."""
    sizes = [_size(panel, figure) for panel in figure.panels]
    across = max(1, figure.across)
    rows = [range(start, min(start + across, len(sizes))) for start in range(0, len(sizes), across)]
    width = max([sum(sizes[place][0] for place in row) for row in rows] + [420])
    parts, y = [_text(12, 24, figure.title, 16, weight="bold")], 38
    for line in wrap_text(figure.caption, round(width / LETTER) - 4):
        parts.append(_text(12, y + 4, line, 11, colour="#555555"))
        y += 15
    legend, y = _legend(figure, width, y + 6)
    parts.append(legend)
    for row in rows:
        x = 0
        for place in row:
            parts.append(f"<g transform='translate({x},{y})'>{_panel(figure.panels[place], figure)}</g>")
            x += sizes[place][0]
        y += max(sizes[place][1] for place in row)
    for note in (line for each in figure.notes for line in wrap_text(each, round(width / LETTER) - 4)):
        parts.append(_text(12, y + 14, note, 10, colour="#555555"))
        y += 15
    return _page(width, y + 10, figure, parts)


def _page(width: int, height: int, figure: Figure, parts: list[str]) -> str:
    head = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'"
    told = f"<title>{escape(figure.title)}</title><desc>{escape(figure.caption)}</desc>"
    paper = f"<rect width='{width}' height='{height}' fill='{PAPER}'/>"
    return f"{head} role='img' {_FONT}>{told}{paper}{''.join(parts)}</svg>"


def wrap_text(text: str, letters: int) -> list[str]:
    """Break a sentence into lines."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _size(panel: Panel, figure: Figure) -> tuple[int, int]:
    match panel:
        case Chart():
            wide, tall = SMALL if figure.across > 3 else CHART
            return wide, tall + _slant(panel, wide)
        case Grid():
            top, right = _room(panel)
            return HEAD + CELL[0] * len(panel.columns) + right, top + CELL[1] * len(panel.rows) + 50
        case Listing():
            wide = max(sum(_widths(panel)), round(BOLD * len(panel.title)))
            return wide + 24, _above(panel) + LINE * (1 + len(panel.rows)) + 8


def _panel(panel: Panel, figure: Figure) -> str:
    match panel:
        case Chart():
            return _chart(panel, figure)
        case Grid():
            return _grid(panel)
        case Listing():
            return _listing(panel)


def _legend(figure: Figure, width: int, y: int) -> tuple[str, int]:
    """Draw the names of all series, and of reference lines, in rows that fit the width."""
    parts, x = [], 14
    lines = dict.fromkeys(name for p in figure.panels if isinstance(p, Chart) for name, _ in p.lines)
    steps = any(isinstance(panel, Chart) and panel.steps for panel in figure.panels)
    for place, name in enumerate([*figure.legend, *lines]):
        wide = 46 + round(LETTER * len(name))
        if x + wide > width and x > 14:
            x, y = 14, y + LINE
        is_line = place >= len(figure.legend)
        key = _reference_key(list(lines).index(name)) if is_line else _key(place, steps)
        parts.append(f"<g transform='translate({x},{y + 6})'>{key}{_text(30, 4, name, 11)}</g>")
        x += wide
    return "".join(parts), y + (LINE + 6 if parts else 0)


def _key(place: int, steps: bool) -> str:
    colour, mark, dash = look(place)
    shape = "" if steps else f"<g transform='translate(12,0)' fill='{colour}' stroke='{colour}'>{_SHAPES[mark]}</g>"
    return f"<path d='M0,0 H24' stroke='{colour}' stroke-width='1.8' stroke-dasharray='{dash}'/>{shape}"


def _reference_key(place: int) -> str:
    return f"<path d='M0,0 H24' stroke='#777777' stroke-width='1.2' stroke-dasharray='{('5 4', '1.5 3')[place % 2]}'/>"


def _chart(chart: Chart, figure: Figure) -> str:
    size = _size(chart, figure)
    wide, tall = size[0] - LEFT - RIGHT, size[1] - TOP - BOTTOM - _slant(chart, size[0])
    x, y = scales(chart)
    parts = [_frame(chart, (x, y), wide, tall)]
    for place, (_, value) in enumerate(chart.lines):
        at = (1 - y.place(value)) * tall
        dash = ("5 4", "1.5 3")[place % 2]
        parts.append(f"<path d='M0,{at:.1f} H{wide}' stroke='#777777' stroke-width='1.2' stroke-dasharray='{dash}'/>")
    if chart.diagonal:
        parts.append(f"<path d='M0,{tall} L{wide},0' stroke='#777777' stroke-width='1' stroke-dasharray='5 4'/>")
    names = figure.legend
    for series, shift in zip(chart.series, _shifts(chart), strict=True):
        drawn = _series(series, names.index(series.name), chart, (x, y), (wide, tall))
        parts.append(f"<g transform='translate({shift:g},0)'>{drawn}</g>" if shift else drawn)
    return f"<g transform='translate({LEFT},{TOP})'>{''.join(parts)}</g>"


def _shifts(chart: Chart) -> list[float]:
    """Say how far each series is drawn beside its places: not at all, but where intervals would cover each other."""
    count = len(chart.series)
    places = [x for series in chart.series for x in set(series.x)]
    meet = len(set(places)) < len(places)
    if not (chart.joined and meet and any(series.low for series in chart.series)):
        return [0.0] * count
    apart = min(APART, 4 * APART / max(1, count - 1))
    return [(number - (count - 1) / 2) * apart for number in range(count)]


def _slant(chart: Chart, wide: int) -> int:
    """Give the room that words at the ticks take below the panel when they slant; 0 where they fit side by side."""
    longest = max((len(word) for _, word in chart.x.ticks), default=0)
    room = (wide - LEFT - RIGHT) / max(1, len(chart.x.ticks))
    return 0 if longest * LETTER < room or longest < SHORT else round(0.64 * 0.9 * LETTER * longest)


def _frame(chart: Chart, both: tuple[AxisScale, AxisScale], wide: int, tall: int) -> str:
    x, y = both
    parts, slant = [_text(0, -10, chart.title, 12, weight="bold")], _slant(chart, wide + LEFT + RIGHT)
    for value, word in x.ticks:
        at = x.place(value) * wide
        parts.append(f"<path d='M{at:.1f},0 V{tall + 4}' stroke='{FAINT}' stroke-width='0.6'/>")
        if slant:
            word_end = f"translate({at + 4:.1f},{tall + 12}) rotate(-40)"
            parts.append(f"<g transform='{word_end}'>{_text(0, 0, word, 10, anchor='end')}</g>")
        else:
            parts.append(_text(at, tall + 16, word, 10, anchor="middle"))
    for value, word in y.ticks:
        at = (1 - y.place(value)) * tall
        parts.append(f"<path d='M-4,{at:.1f} H{wide}' stroke='{FAINT}' stroke-width='0.6'/>")
        parts.append(_text(-7, at + 3.5, word, 10, anchor="end"))
    parts.append(f"<rect width='{wide}' height='{tall}' fill='none' stroke='{INK}' stroke-width='0.8'/>")
    parts.append(_text(wide / 2, tall + 33 + slant, chart.x.label, 11, anchor="middle"))
    turned = f"translate(-44,{tall / 2:.0f}) rotate(-90)"
    label = _text(0, 0, chart.y.label, 11, anchor="middle")
    return "".join(parts) + f"<g transform='{turned}'>{label}</g>"


def _series(series: Series, place: int, chart: Chart, both: tuple[AxisScale, AxisScale], size: tuple[int, int]) -> str:
    colour, mark, dash = look(place)
    there = [number for number, y in enumerate(series.y) if isfinite(y)]
    spots = [(both[0].place(series.x[n]) * size[0], (1 - both[1].place(series.y[n])) * size[1]) for n in there]
    ends = [(series.low[n], series.high[n]) for n in there] if series.low else []
    parts = []
    if chart.joined and len(spots) > 1:
        path = " L".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f"<path d='M{path}' fill='none' stroke-width='1.8' stroke-dasharray='{dash}'/>")
    for (x, _), (low, high) in zip(spots, ends, strict=False):
        if isfinite(low) and isfinite(high):
            top, bottom = ((1 - both[1].place(end)) * size[1] for end in (high, low))
            bar = f"M{x - 3:.1f},{top:.1f} h6 M{x:.1f},{top:.1f} V{bottom:.1f} M{x - 3:.1f},{bottom:.1f} h6"
            parts.append(f"<path d='{bar}' fill='none' stroke-width='1.2'/>")
    if not chart.steps:
        parts += [f"<g transform='translate({x:.1f},{y:.1f})'>{_SHAPES[mark]}</g>" for x, y in spots]
    name = escape(series.name, quote=True)
    return f"<g data-series='{name}' fill='{colour}' stroke='{colour}'>{''.join(parts)}</g>"


def _room(grid: Grid) -> tuple[int, int]:
    """Give the room above and to the right of the cells that slanting names of columns take."""
    return 40 + round(4.9 * max(map(len, grid.columns))), max(20, round(4.4 * len(grid.columns[-1])) - 10)


def _grid(grid: Grid) -> str:
    top = _room(grid)[0]
    parts = [_text(12, 16, grid.title, 12, weight="bold")]
    for j, name in enumerate(grid.columns):
        at = HEAD + CELL[0] * (j + 0.5)
        parts.append(f"<g transform='translate({at + 4:.0f},{top - 6}) rotate(-48)'>{_text(0, 0, name, 10)}</g>")
    for i, name in enumerate(grid.rows):
        parts.append(_text(HEAD - 8, top + CELL[1] * (i + 0.5) + 4, name, 11, anchor="end"))
        for j, value in enumerate(grid.shades[i]):
            parts.append(_cell(HEAD + CELL[0] * j, top + CELL[1] * i, value, grid.texts[i][j]))
    wide, tall = CELL[0] * len(grid.columns), CELL[1] * len(grid.rows)
    for rule in grid.row_rules:
        parts.append(_rule(HEAD - 4, top + CELL[1] * rule, f"h{wide + 4}"))
    for rule in grid.column_rules:
        parts.append(_rule(HEAD + CELL[0] * rule, top - 4, f"v{tall + 4}"))
    return "".join(parts) + _scale(grid, top + tall + 16)


def _rule(x: float, y: float, way: str) -> str:
    return f"<path d='M{x},{y} {way}' stroke='{INK}' stroke-width='2' fill='none'/>"


def _cell(x: float, y: float, value: float | None, text: str) -> str:
    colour, ink = (PAPER, INK) if value is None else shade(value)
    box = f"<rect x='{x}' y='{y}' width='{CELL[0]}' height='{CELL[1]}' fill='{colour}' stroke='{PAPER}'/>"
    first, _, second = text.partition("\n")
    middle = x + CELL[0] / 2
    if not second:
        return box + _text(middle, y + CELL[1] / 2 + 4, first, 11, colour=ink, anchor="middle")
    upper = _text(middle, y + CELL[1] / 2 - 1, first, 11, colour=ink, anchor="middle")
    return box + upper + _text(middle, y + CELL[1] / 2 + 11, second, 8.5, colour=ink, anchor="middle")


def _scale(grid: Grid, y: float) -> str:
    shown = [f"<rect x='{HEAD + 9 * n}' y='{y}' width='9' height='12' fill='{shade(n / 20)[0]}'/>" for n in range(21)]
    return (
        "".join(shown) + _text(HEAD - 8, y + 10, grid.low, 10, anchor="end") + _text(HEAD + 196, y + 10, grid.high, 10)
    )


def _widths(listing: Listing) -> list[int]:
    columns = zip(listing.columns, *listing.rows, strict=True)
    return [GAP + round(max(7.4 * len(column[0]), *(6.5 * len(cell) for cell in column))) for column in columns]


def _above(listing: Listing) -> int:
    return 38 if listing.title else 16


def _listing(listing: Listing) -> str:
    parts, widths, top = [_text(12, 16, listing.title, 12, weight="bold")], _widths(listing), _above(listing)
    for number, row in enumerate([listing.columns, *listing.rows]):
        x, y = 12, top + LINE * number
        for wide, text, is_number in zip(widths, row, listing.numbers, strict=True):
            at, anchor = (x + wide - GAP, "end") if is_number else (x, "")
            parts.append(_text(at, y, text, 11, anchor=anchor, weight="" if number else "bold"))
            x += wide
    rule = f"<path d='M12,{top + 5} h{sum(widths) - GAP}' stroke='{FAINT}'/>"
    return "".join(parts) + rule


def _text(  # noqa: PLR0913  what SVG says about a text
    x: float, y: float, said: str, size: float, *, colour: str = INK, anchor: str = "", weight: str = ""
) -> str:
    more = (f" text-anchor='{anchor}'" if anchor else "") + (f" font-weight='{weight}'" if weight else "")
    shown = "".join(character if character.isprintable() else " " for character in said)
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{colour}'{more}>{escape(shown)}</text>"
