"""An explanation of a check or an attack for the terminal, from 80 columns up."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seethrough.protocols.module_text import ExplainedParagraph, ExplainedSection
from seethrough.protocols.parameters import Parameter
from seethrough.report.terminal.printing import show, text
from seethrough.report.words import explanation
from seethrough.report.words.attack_explanation import AttackExplanation
from seethrough.report.words.explanation import Explanation

WIDEST = 104
"""Longer lines are hard to read, however wide the terminal is."""

_LONGEST = 20_000
BLOCK_INDENT = 4


def render(explained: Explanation, console: Console) -> None:
    """Print the explanation."""
    show(lambda on: _print(explained, on), console)


def render_attack(explained: AttackExplanation, console: Console) -> None:
    """Print the explanation of an attack."""
    show(lambda on: _print_attack(explained, on), console)


def _print(explained: Explanation, console: Console) -> None:
    card = explained.card
    title = text(console, card.title, "bold")
    title.append(" ").append_text(text(console, f"({card.name})", "not bold"))
    _put(title, console)
    _put(text(console, card.question, "italic"), console)
    console.print()
    _put(_pairs(explained.facts, console, 11), console)
    _heading("Formula", console)
    _put(text(console, card.formula), console, 2)
    _heading(explanation.COMPARISON, console)
    for said, verdict in explained.verdicts:
        _put(text(console, f"{said}: {verdict}"), console, 2)
    _heading("Parameters, set with --param " + card.name + ".NAME=VALUE", console)
    _put(_parameters(explained.parameters, console), console, 2)
    _print_sections(explained.sections, console)


def _print_attack(explained: AttackExplanation, console: Console) -> None:
    card = explained.card
    title = text(console, card.title, "bold")
    title.append(" ").append_text(text(console, f"({card.name}, an attack)", "not bold"))
    _put(title, console)
    console.print()
    _put(_pairs(explained.facts, console, 11), console)
    if explained.parameters:
        _heading(f"Parameters, set with {explained.parameter_option}", console)
        _put(_parameters(explained.parameters, console), console, 2)
    _print_sections(card.sections, console)


def _print_sections(sections: Iterable[ExplainedSection], console: Console) -> None:
    for section in sections:
        _heading(section.title, console)
        for number, paragraph in enumerate(section.paragraphs):
            if number and paragraph.kind != "item":
                console.print()
            _paragraph(paragraph, console)


def _heading(title: str, console: Console) -> None:
    console.print()
    _put(text(console, title, "bold"), console)


def _put(drawn: RenderableType, console: Console, indent: int = 0) -> None:
    console.print(Padding(drawn, (0, 0, 0, indent)), width=min(console.width, WIDEST))


def _pairs(pairs: Iterable[tuple[str, str]], console: Console, width: int) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=width, no_wrap=True)
    for label, said in pairs:
        grid.add_row(Text(label, "dim"), text(console, said))
    return grid


def _parameters(parameters: Sequence[Parameter], console: Console) -> RenderableType:
    if not parameters:
        return Text("none")
    grid = Table.grid(padding=(0, 2, 0, 0))
    for parameter in parameters:
        cells = parameter.name, explanation.kind(parameter), f"default {explanation.default(parameter)}"
        grid.add_row(*(text(console, cell, style) for cell, style in zip(cells, ("bold", "", "dim"), strict=True)))
    return grid


def _paragraph(paragraph: ExplainedParagraph, console: Console) -> None:
    match paragraph.kind:
        case "prose":
            _put(text(console, paragraph.text, longest=_LONGEST), console, 2)
        case "item":
            grid = Table.grid(padding=(0, 1, 0, 0))
            grid.add_row(Text("-"), text(console, paragraph.text, longest=_LONGEST))
            _put(grid, console, 2)
        case "block":
            for indent, line in _lines(paragraph.text, min(console.width, WIDEST) - BLOCK_INDENT):
                _put(text(console, line), console, BLOCK_INDENT + indent)


def _lines(block: str, width: int) -> Iterator[tuple[int, str]]:
    """Give the lines of a block with their indents; where they are too wide, remarks at their ends stand below."""
    is_wide, remarks = any(len(line) > width for line in block.splitlines()), width
    for line in block.splitlines():
        indent = len(line) - len(line.lstrip())
        if is_wide and indent >= remarks:
            yield BLOCK_INDENT, line.strip()
        elif is_wide and (gap := re.search(r"\S {3,}(?=[^\s=])", line)):
            remarks = gap.end()
            yield indent, line[: gap.start() + 1].strip()
            yield indent + BLOCK_INDENT, line[gap.end() :].strip()
        else:
            yield indent, line.strip()
