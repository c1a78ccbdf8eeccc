"""A report for the terminal, with or without colour, from 80 columns up: every block as lines.

Everything is printed as `Text`, never as markup, so square brackets in a name stay brackets.
"""

from collections.abc import Iterable
from dataclasses import dataclass
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
    VerdictBanner,
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


@dataclass(frozen=True)
class _Screen:
    """A console, and which of the two terminal forms it shows."""

    console: Console
    medium: Medium


def render(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print the report, all scores only if `verbose`; a file or a pipe gets plain lines without trailing blanks."""
    medium = Medium.TERMINAL if verbose else Medium.SUMMARY
    show(lambda on: _print(report, _Screen(on, medium)), console)


def _print(report: Report, screen: _Screen) -> None:
    whole = document.build(report)
    screen.console.print(text(screen.console, whole.kicker, "bold"))
    _blocks(whole.opening, screen)
    for section in shown_in(whole.sections, screen.medium):
        _section(section, screen, level=0)


def _section(section: Section, screen: _Screen, level: int) -> None:
    console = screen.console
    if not _has_something(section, screen):
        return
    console.print()
    console.print(text(console, section.title if level else section.title.upper(), "bold"))
    _blocks(section.blocks, screen)
    for part in shown_in(section.parts, screen.medium):
        _section(part, screen, level + 1)


def _has_something(section: Section, screen: _Screen) -> bool:
    """Tell whether a section shows anything here; a heading over what others see alone would be a riddle."""
    parts = shown_in(section.parts, screen.medium)
    is_blank = not section.blocks and not section.parts
    return (
        is_blank or bool(shown_in(section.blocks, screen.medium)) or any(_has_something(part, screen) for part in parts)
    )


def _blocks(blocks: Iterable[Block], screen: _Screen) -> None:
    for block in shown_in(blocks, screen.medium):
        print_block(block, screen)


@singledispatch
def print_block(block: Block, _screen: _Screen) -> None:
    """Print a block."""
    raise TypeError(f"no terminal form for {type(block).__name__}")


@print_block.register
def _(block: Paragraph, screen: _Screen) -> None:
    console = screen.console
    if block.tone == "small" and screen.medium is Medium.TERMINAL:
        console.print()
    console.print(text(console, plain(block.words), "" if block.tone == "plain" else "dim"))


@print_block.register
def _(block: Bullets, screen: _Screen) -> None:
    console = screen.console
    if block.title:
        console.print()
        console.print(text(console, block.title, "bold"))
    for item in block.items:
        line = Table.grid(padding=(0, 1, 0, 0))
        line.add_row(Text("-"), text(console, plain(item), "yellow" if block.tone == "warning" else ""))
        console.print(line)


@print_block.register
def _(block: Facts, screen: _Screen) -> None:
    console = screen.console
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(max_width=_NAME_WIDTH, no_wrap=True, overflow="crop")
    for fact in block.facts:
        grid.add_row(text(console, fact.label, "dim"), text(console, plain(fact.words)))
    console.print(grid)


@print_block.register
def _(block: TableBlock, screen: _Screen) -> None:
    console = screen.console
    width = BAR_WIDTH * 2 if console.width >= WIDE_FROM else BAR_WIDTH
    if any(isinstance(cell.figure, RiskStrip) for row in block.rows for cell in row.cells):
        console.print(Text(bar.legend(_glyphs(console)), "dim"))
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    for column in shown_in(block.columns, screen.medium):
        _add_column(grid, column, console, width)
    for row in block.rows:
        style = "bold" if row.tone == "strong" else ""
        cells = cells_shown(block, row, screen.medium)
        grid.add_row(*(_cell(column, cell, console, style, width) for column, cell in cells))
    console.print(grid)


@print_block.register
def _(block: Picture, screen: _Screen) -> None:
    console = screen.console
    console.print(text(console, block.figure.description))


@print_block.register
def _(block: Gallery, screen: _Screen) -> None:
    _blocks(block.pictures, screen)


@print_block.register
def _(block: VerdictBanner, screen: _Screen) -> None:
    console = screen.console
    name = Text.assemble(text(console, block.name, "bold"), ": ") if block.name else ""
    console.print(Text.assemble(name, (block.grade.upper(), f"bold {_STYLES.get(block.severity, '')}".strip())))
    if block.sentence:
        console.print(text(console, block.sentence))


@print_block.register
def _(block: GradedHeadlines, screen: _Screen) -> None:
    console = screen.console
    if screen.medium is Medium.TERMINAL:
        console.print()
    for headline in block.headlines:
        graded = (headline.grade, _STYLES.get(headline.severity, "dim"))
        asked = f" ({headline.question}): " if headline.question else ": "
        console.print(Text.assemble((headline.subject, "bold"), asked, graded))
        is_verbose = screen.medium is Medium.TERMINAL
        said = headline.sentence if is_verbose else f"{headline.sentence} {headline.brief}".strip()
        console.print(Padding(text(console, said), (0, 0, 0, 2)))
        if headline.small_print and is_verbose:
            console.print(Padding(text(console, headline.small_print, "dim"), (0, 0, 0, 2)))


@print_block.register
def _(block: ScoreHead, screen: _Screen) -> None:
    console = screen.console
    console.print(text(console, f"{block.name} {block.score} ({block.interval})"))


@print_block.register(Fold)
@print_block.register(OptionSwitch)
def _(block: Fold | OptionSwitch, screen: _Screen) -> None:
    _blocks(block.blocks, screen)


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
    shown = cell.brief if cell.brief and (cell.severity or console.width < WIDE_FROM) else cell.text
    if cell.severity:
        return text(console, shown, _STYLES.get(cell.severity, "dim"))
    if column.kind == "word":
        shown = untrusted.visible(shown, max(_NAME_WIDTH, len(column.title)))
    return text(console, shown, "yellow" if cell.tone == "warning" else style)


def _glyphs(console: Console) -> bar.Glyphs:
    return bar.ASCII if console.options.ascii_only else bar.UNICODE
