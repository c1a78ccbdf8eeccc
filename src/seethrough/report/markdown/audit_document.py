"""A report as a Markdown document: every block as lines."""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch

from seethrough.report.markdown.escaping import escape_markdown
from seethrough.report.sections import document
from seethrough.report.sections.blocks import (
    Block,
    Bullets,
    Document,
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
    Span,
    TableBlock,
    TableCell,
    VerdictBanner,
    Words,
    cells_shown,
    shown_in,
    spans,
)
from seethrough.results.report import Report

_DEEPEST = 6


def render(report: Report) -> str:
    """Give the report as Markdown."""
    return render_document(document.build(report))


def render_document(whole: Document) -> str:
    """Give a document as Markdown."""
    lines = [f"# {escape_markdown(whole.name)}", "", *_blocks(whole.opening, 1)]
    for section in shown_in(whole.sections, Medium.MARKDOWN):
        lines += _section(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield from (_heading(escape_markdown(section.title), level), "")
    yield from _blocks(section.blocks, level)
    for part in shown_in(section.parts, Medium.MARKDOWN):
        yield from _section(part, level + 1)


def _heading(escaped: str, level: int) -> str:
    return f"{'#' * min(level, _DEEPEST)} {escaped}"


def _blocks(blocks: Iterable[Block], level: int) -> Iterator[str]:
    """Give the lines of blocks, with an empty one after each."""
    for block in shown_in(blocks, Medium.MARKDOWN):
        yield from block_lines(block, level)
        yield ""


@singledispatch
def block_lines(block: Block, _level: int) -> Iterable[str]:
    """Give the lines of a block under a heading of that level."""
    raise TypeError(f"no Markdown for {type(block).__name__}")


@block_lines.register
def _(block: Paragraph, _level: int) -> Iterable[str]:
    words = _words(block.words)
    return [f"**{words}**" if block.tone == "label" else words]


@block_lines.register
def _(block: Bullets, level: int) -> Iterable[str]:
    heading = [_heading(escape_markdown(block.title), level + 1), ""] if block.title else []
    start = "- Warning: " if block.tone == "warning" else "- "
    return [*heading, *(f"{start}{_words(item)}" for item in block.items)]


@block_lines.register
def _(block: Facts, _level: int) -> Iterable[str]:
    facts = [(escape_markdown(fact.label), _words(fact.words)) for fact in block.facts]
    if block.layout in {"grid", "record"}:
        return _table(("", "value"), facts)
    return [f"- **{label}**: {said}" for label, said in facts]


@block_lines.register
def _(block: TableBlock, _level: int) -> Iterable[str]:
    shown = [column for column in shown_in(block.columns, Medium.MARKDOWN) if column.kind != "picture"]
    rows = [
        [_cell(cell) for column, cell in cells_shown(block, row, Medium.MARKDOWN) if column in shown]
        for row in block.rows
    ]
    return _table([escape_markdown(column.title) for column in shown], rows)


@block_lines.register
def _(block: Picture, _level: int) -> Iterable[str]:
    caption = f"{_words(block.caption)}: " if block.caption else ""
    return [f"{caption}{escape_markdown(block.figure.description)}"]


@block_lines.register
def _(block: Gallery, level: int) -> Iterable[str]:
    return [f"- {line}" for picture in block.pictures for line in block_lines(picture, level)]


@block_lines.register
def _(block: VerdictBanner, _level: int) -> Iterable[str]:
    name = f"{block.name}: " if block.name else ""
    return [
        f"**{escape_markdown(f'{name}{block.grade[:1].upper()}{block.grade[1:]}')}.** {escape_markdown(block.sentence)}"
    ]


@block_lines.register
def _(block: GradedHeadlines, _level: int) -> Iterator[str]:
    for each in block.headlines:
        asked = f" ({each.question})" if each.question else ""
        said = " ".join(filter(None, (each.sentence, each.small_print)))
        yield f"- **{escape_markdown(f'{each.subject}{asked}: {each.grade}')}**. {escape_markdown(said)}"


@block_lines.register
def _(block: ScoreHead, _level: int) -> Iterable[str]:
    score = f"**{escape_markdown(block.score)}** ({escape_markdown(block.interval)})"
    return [f"*{escape_markdown(block.question)}*", "", score]


@block_lines.register
def _(block: Fold, level: int) -> Iterable[str]:
    named = escape_markdown(f"{block.summary} ({block.note})" if block.note else block.summary)
    heading = _heading(named, level + 1) if block.is_card else f"**{named}**"
    return [heading, "", *_blocks(block.blocks, level + 1)]


@block_lines.register
def _(block: OptionSwitch, level: int) -> Iterable[str]:
    return _blocks(block.blocks, level)


def _words(words: Words) -> str:
    return "".join(map(_span, spans(words)))


def _span(span: Span | str) -> str:
    if isinstance(span, str):
        # The blanks that join a span to the next are not part of what is escaped.
        return _blank(span[:1]) + escape_markdown(span) + _blank(span[1:][-1:])
    shown = escape_markdown(span.text)
    return f"**{shown}**" if span.style == "strong" and shown else shown


def _blank(character: str) -> str:
    return " " if character == " " else ""


def _cell(cell: TableCell) -> str:
    return escape_markdown(", ".join(filter(None, (cell.text, cell.note))))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_table_row(head), _table_row(["---"] * len(head)), *map(_table_row, rows)]


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
