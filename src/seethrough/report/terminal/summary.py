"""A report for the terminal, with or without colour, from 80 columns up: every block as lines.

Everything is printed as `Text`, never as markup, so square brackets in a name stay brackets.
"""

from collections.abc import Iterable
from functools import singledispatch

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.pictures.score_pictures import RiskStrip
from seethrough.report.sections import document
from seethrough.report.sections.blocks import (
    Block,
    Bullets,
    Facts,
    Fold,
    Gallery,
    GradedHeadlines,
    Medium,
    OptionSwitch,
    Paragraph,
    Picture,
    ScoreHead,
    Section,
    Severity,
    TableBlock,
    TableCell,
    TableColumn,
    cells_shown,
    plain,
    shown_in,
)
from seethrough.report.terminal import bar
from seethrough.report.terminal.printing import show, text
from seethrough.results.report import Report

BAR_WIDTH = 16
WIDE_FROM = 104
"""From this width on bars are longer and no cell is shortened."""

_STYLES = {Severity.SEVERE: "bold red", Severity.CLEAR: "yellow", Severity.SLIGHT: "yellow", Severity.NONE: "cyan"}
_NAME_WIDTH = 12


def render(report: Report, console: Console) -> None:
    """Print the report; a file or a pipe gets plain lines without trailing blanks."""
    show(lambda on: _print(report, on), console)


def _print(report: Report, console: Console) -> None:
    whole = document.build(report)
    console.print(text(console, whole.kicker, "bold"))
    _blocks(whole.opening, console)
    for section in shown_in(whole.sections, Medium.TERMINAL):
        _section(section, console, level=0)


def _section(section: Section, console: Console, level: int) -> None:
    parts = shown_in(section.parts, Medium.TERMINAL)
    console.print()
    console.print(text(console, section.title if level else section.title.upper(), "bold"))
    _blocks(section.blocks, console)
    for part in parts:
        _section(part, console, level + 1)


def _blocks(blocks: Iterable[Block], console: Console) -> None:
    for block in shown_in(blocks, Medium.TERMINAL):
        print_block(block, console)


@singledispatch
def print_block(block: Block, _console: Console) -> None:
    """Print a block."""
    raise TypeError(f"no terminal form for {type(block).__name__}")


@print_block.register
def _(block: Paragraph, console: Console) -> None:
    console.print(text(console, plain(block.words), "" if block.tone == "plain" else "dim"))


@print_block.register
def _(block: Bullets, console: Console) -> None:
    if block.title:
        console.print()
        console.print(text(console, block.title, "bold"))
    for item in block.items:
        line = Table.grid(padding=(0, 1, 0, 0))
        line.add_row(Text("-"), text(console, plain(item), "yellow" if block.tone == "warning" else ""))
        console.print(line)


@print_block.register
def _(block: Facts, console: Console) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(max_width=_NAME_WIDTH, no_wrap=True, overflow="crop")
    for fact in block.facts:
        grid.add_row(text(console, fact.label, "dim"), text(console, plain(fact.words)))
    console.print(grid)


@print_block.register
def _(block: TableBlock, console: Console) -> None:
    width = BAR_WIDTH * 2 if console.width >= WIDE_FROM else BAR_WIDTH
    if any(isinstance(cell.figure, RiskStrip) for row in block.rows for cell in row.cells):
        console.print(Text(bar.legend(_glyphs(console)), "dim"))
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    for column in shown_in(block.columns, Medium.TERMINAL):
        _add_column(grid, column, console, width)
    for row in block.rows:
        style = "bold" if row.tone == "strong" else ""
        cells = cells_shown(block, row, Medium.TERMINAL)
        grid.add_row(*(_cell(column, cell, console, style, width) for column, cell in cells))
    console.print(grid)


@print_block.register
def _(block: Picture, console: Console) -> None:
    console.print(text(console, block.figure.description))


@print_block.register
def _(block: Gallery, console: Console) -> None:
    _blocks(block.pictures, console)


@print_block.register
def _(block: GradedHeadlines, console: Console) -> None:
    for headline in block.headlines:
        graded = (headline.grade, _STYLES.get(headline.severity, "dim"))
        console.print(Text.assemble((f"{headline.subject}: ", "bold"), graded))
        said = " ".join(filter(None, (headline.sentence, headline.lead)))
        console.print(Padding(text(console, said), (0, 0, 0, 2)))


@print_block.register
def _(block: ScoreHead, console: Console) -> None:
    console.print(text(console, f"{block.name} {block.score} ({block.interval})"))


@print_block.register(Fold)
@print_block.register(OptionSwitch)
def _(block: Fold | OptionSwitch, console: Console) -> None:
    _blocks(block.blocks, console)


def _add_column(grid: Table, column: TableColumn, console: Console, width: int) -> None:
    match column.kind:
        case "picture":
            grid.add_column(Text(column.scale_start + column.scale.rjust(width - len(column.scale_start))), width=width)
        case "number":
            grid.add_column(text(console, column.title), justify="right", no_wrap=True)
        case "word":
            grid.add_column(text(console, column.title), no_wrap=True, overflow="crop")
        case "text":
            grid.add_column(text(console, column.title), overflow="fold")


def _cell(column: TableColumn, cell: TableCell, console: Console, style: str, width: int) -> Text:
    if isinstance(cell.figure, RiskStrip):
        return Text(bar.text_bar(cell.figure, width, _glyphs(console)), "cyan")
    shown = cell.brief if cell.brief and console.width < WIDE_FROM else cell.text
    if column.kind == "word":
        shown = untrusted.visible(shown, max(_NAME_WIDTH, len(column.title)))
    return text(console, shown, "yellow" if cell.tone == "warning" else style)


def _glyphs(console: Console) -> bar.Glyphs:
    return bar.ASCII if console.options.ascii_only else bar.UNICODE
