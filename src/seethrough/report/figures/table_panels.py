"""Heat maps and plain tables as SVG."""

from html import escape

from seethrough.report.figures.palette import INK, shade
from seethrough.report.figures.svg_text import LETTER, text_at
from seethrough.results.figure import Grid, Listing

CELL = (56, 32)
LEAST_HEAD = 100
LINE, GAP = 18, 22
SCALE = 12
"""Height of the scale of colours below a heat map."""


def grid_size(grid: Grid) -> tuple[int, int]:
    """Give width and height of a heat map."""
    above, beside = _names_above(grid)
    width = max(_head(grid) + CELL[0] * len(grid.columns) + beside, _scale_end(grid))
    return width, above + CELL[1] * len(grid.rows) + 50


def draw_grid(grid: Grid) -> str:
    """Draw a heat map without its title: names slanting above, cells, lines between groups, the scale of colours."""
    head, top = _head(grid), _names_above(grid)[0]
    parts = list[str]()
    for j, name in enumerate(grid.columns):
        at = head + CELL[0] * (j + 0.5)
        parts.append(f"<g transform='translate({at + 4:.0f},{top - 6}) rotate(-48)'>{text_at(0, 0, name, 10)}</g>")
    for i, name in enumerate(grid.rows):
        parts.append(text_at(head - 8, top + CELL[1] * (i + 0.5) + 4, name, 11, anchor="end"))
        parts += [
            f"<g transform='translate({head + CELL[0] * j},{top + CELL[1] * i})'>{_cell(grid, i, j)}</g>"
            for j in range(len(grid.columns))
        ]
    wide, tall = CELL[0] * len(grid.columns), CELL[1] * len(grid.rows)
    parts += [_rule(head - 4, top + CELL[1] * rule, f"h{wide + 4}") for rule in grid.row_rules]
    parts += [_rule(head + CELL[0] * rule, top - 4, f"v{tall + 4}") for rule in grid.column_rules]
    return "".join(parts) + _scale(grid, top + tall + 16)


def _head(grid: Grid) -> int:
    """Give the room that the names of rows take, and the word at the low end of the scale."""
    return max(LEAST_HEAD, 16 + round(LETTER * 1.05 * max(map(len, (*grid.rows, grid.low)))))


def _names_above(grid: Grid) -> tuple[int, int]:
    """Give the room above and to the right of the cells that slanting names of columns take."""
    beyond = max(4.4 * len(name) - CELL[0] * after for after, name in enumerate(reversed(grid.columns)))
    return 14 + round(4.9 * max(map(len, grid.columns))), max(20, round(beyond) - 10)


def _cell(grid: Grid, i: int, j: int) -> str:
    value, (first, _, second) = grid.shades[i][j], grid.texts[i][j].partition("\n")
    colour, ink = ("none", INK) if value is None else shade(value)
    box = f"<rect x='0.5' y='0.5' width='{CELL[0] - 1}' height='{CELL[1] - 1}' fill='{colour}'/>"
    hint = f"<title>{escape(f'{grid.rows[i]}, {grid.columns[j]}: {first} {second}'.rstrip())}</title>"
    middle = CELL[0] / 2
    if not second:
        return hint + box + text_at(middle, CELL[1] / 2 + 4, first, 11, colour=ink, anchor="middle")
    upper = text_at(middle, CELL[1] / 2 - 1, first, 11, colour=ink, anchor="middle")
    return hint + box + upper + text_at(middle, CELL[1] / 2 + 11, second, 8.5, colour=ink, anchor="middle")


def _rule(x: float, y: float, way: str) -> str:
    return f"<path d='M{x},{y} {way}' stroke='{INK}' stroke-width='2' fill='none'/>"


def _scale_end(grid: Grid) -> int:
    return _head(grid) + 206 + round(LETTER * len(grid.high))


def _scale(grid: Grid, y: float) -> str:
    left = _head(grid)
    steps = [
        f"<rect x='{left + 9 * n}' y='{y}' width='9' height='{SCALE}' fill='{shade(n / 20)[0]}'/>" for n in range(21)
    ]
    ends = text_at(left - 8, y + 10, grid.low, 10, anchor="end") + text_at(left + 196, y + 10, grid.high, 10)
    return "".join(steps) + ends


def listing_size(listing: Listing) -> tuple[int, int]:
    """Give width and height of a plain table."""
    return sum(_widths(listing)) + 24, LINE * (1 + len(listing.rows)) + 24


def _widths(listing: Listing) -> list[int]:
    columns = zip(listing.columns, *listing.rows, strict=True)
    return [GAP + round(max(7.4 * len(column[0]), *(6.5 * len(cell) for cell in column))) for column in columns]


def draw_listing(listing: Listing) -> str:
    """Draw a plain table without its title; columns of numbers stand at the right."""
    parts, widths = list[str](), _widths(listing)
    for number, row in enumerate([listing.columns, *listing.rows]):
        x, y = 12, 16 + LINE * number
        for wide, text, is_number in zip(widths, row, listing.numbers, strict=True):
            at, anchor = (x + wide - GAP, "end") if is_number else (x, "")
            parts.append(text_at(at, y, text, 11, anchor=anchor, weight="" if number else "bold"))
            x += wide
    return "".join(parts) + f"<path d='M12,21 h{sum(widths) - GAP}' stroke='{INK}' stroke-opacity='0.4'/>"
