"""What a report is made of: sections of a few kinds of blocks, which know nothing of the medium that shows them.

A block holds text as it is. Each renderer (terminal, Markdown, HTML) escapes it for its own medium, and knows these
blocks and nothing of any section. A block or section that some media leave out says in `media` which ones show it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeVar

from seethrough.report.pictures.column_pictures import ColumnSpread
from seethrough.report.pictures.diagnostic_pictures import Bar, LeakMark, Mark, Overlay, PictureGrid, Spots
from seethrough.report.pictures.map_pictures import MapPanel
from seethrough.report.pictures.score_pictures import GrowthLines, RiskHistogram, RiskStrip


class Medium(Enum):
    """Where a report is shown: in short or in full (`--verbose`) on a terminal, in a document, on a page."""

    SUMMARY = "summary"
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    HTML = "html"


Media = frozenset[Medium]
EVERYWHERE: Media = frozenset(Medium)
SUMMARY: Media = frozenset({Medium.SUMMARY})
VERBOSE: Media = frozenset({Medium.TERMINAL})
TERMINAL: Media = SUMMARY | VERBOSE
MARKDOWN: Media = frozenset({Medium.MARKDOWN})
PAGE: Media = frozenset({Medium.HTML})
DOCUMENTS: Media = MARKDOWN | PAGE


@dataclass(frozen=True)
class Span:
    """Some words of a sentence that look different."""

    text: str
    style: Literal["code", "strong", "quiet", "command"]


Words = str | tuple[str | Span, ...]

Figure = RiskStrip | RiskHistogram | GrowthLines | Overlay | PictureGrid | Spots | ColumnSpread | MapPanel
"""A picture that has a title and a description."""
RowFigure = RiskStrip | Mark | LeakMark | Bar
"""A picture on one line of a table that says its numbers."""


class Severity(Enum):
    """How a graded headline looks: its colour and its mark."""

    SEVERE = "severe"
    CLEAR = "clear"
    SLIGHT = "slight"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """Something that only some media may show."""

    media: Media = EVERYWHERE


@dataclass(frozen=True)
class Paragraph(_Shown):
    """Text; a label is a short line above what follows, small print is what few read."""

    words: Words
    tone: Literal["plain", "quiet", "label", "small"] = "plain"


@dataclass(frozen=True)
class Bullets(_Shown):
    """A list of sentences, under a title of its own where it has one."""

    items: tuple[Words, ...]
    title: str = ""
    tone: Literal["plain", "warning"] = "plain"


@dataclass(frozen=True)
class Fact:
    """A label and what it stands for; `mark` is the mark of a picture that is explained."""

    label: str
    words: Words
    mark: str = ""


@dataclass(frozen=True)
class Facts(_Shown):
    """A list of labels and values."""

    facts: tuple[Fact, ...]
    layout: Literal["rows", "grid", "columns", "record", "legend"] = "rows"


@dataclass(frozen=True)
class TableColumn(_Shown):
    """A column of a table.

    `option` names the choice that shows the column; `scale_start` and `scale` are what the ends of a column of pictures
    stand for.
    """

    title: str
    kind: Literal["word", "text", "number", "picture"] = "word"
    sort: Literal["", "text", "number"] = ""
    option: str = ""
    scale: str = ""
    scale_start: str = "0"


@dataclass(frozen=True)
class TableCell:
    """A cell of a table.

    `key` is the number to sort by, `brief` the text for narrow terminals, `note` a second, quieter line, `link` the
    anchor that the text leads to; `severity` colours a grade.
    """

    text: str = ""
    key: str = ""
    brief: str = ""
    note: str = ""
    link: str = ""
    tone: Literal["plain", "warning", "differs"] = "plain"
    figure: RowFigure | None = None
    severity: Severity | None = None


@dataclass(frozen=True)
class TableRow:
    """A row of a table, a cell for each column; the first cell names it."""

    cells: tuple[TableCell, ...]
    tone: Literal["plain", "strong", "quiet", "struck"] = "plain"


def text_row(*texts: str, tone: Literal["plain", "strong", "quiet", "struck"] = "plain") -> TableRow:
    """Make a row whose cells are plain text."""
    return TableRow(tuple(map(TableCell, texts)), tone)


@dataclass(frozen=True)
class TableBlock(_Shown):
    """A table; `label` says what it lists to who does not see what stands around it."""

    label: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    layout: Literal["", "compact", "stacked", "listed", "tight", "graded"] = ""


@dataclass(frozen=True)
class Picture(_Shown):
    """A picture: drawn on a page, a sentence elsewhere; `explained` shows its description beside it on the page too."""

    figure: Figure
    caption: Words = ""
    explained: bool = False


@dataclass(frozen=True)
class Gallery(_Shown):
    """Pictures beside each other, each with its caption."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class VerdictBanner(_Shown):
    """A verdict: its grade and the sentence that decides it; `name` says whose it is among several."""

    name: str
    grade: str
    severity: Severity
    sentence: str


@dataclass(frozen=True)
class GradedHeadline:
    """A finding with its grade: what it is about, the question, the fact, and small print.

    `bars` are drawn on a page, each with what it says; the sentence says the same. `brief` ends the sentence in a
    summary, which has no small print.
    """

    subject: str
    grade: str
    severity: Severity
    sentence: str
    question: str = ""
    small_print: str = ""
    brief: str = ""
    bars: tuple[tuple[Bar, str], ...] = ()


@dataclass(frozen=True)
class GradedHeadlines(_Shown):
    """Graded findings beside each other."""

    headlines: tuple[GradedHeadline, ...]


@dataclass(frozen=True)
class ScoreHead(_Shown):
    """The head of a card: the name of a check, what kind of evidence it is, its question and its score."""

    name: str
    tag: str
    question: str
    score: str
    interval: str
    is_attack: bool = False


@dataclass(frozen=True)
class Fold(_Shown):
    """Detail that a page folds away; a card is one of many, with a heading and an anchor of its own."""

    summary: str
    blocks: tuple["Block", ...]
    note: str = ""
    is_open: bool = False
    anchor: str = ""

    @property
    def is_card(self) -> bool:
        """Tell a card from other details."""
        return bool(self.anchor)


@dataclass(frozen=True)
class OptionSwitch(_Shown):
    """Blocks whose tables have columns for several options, of which a page shows the chosen one."""

    question: str
    options: tuple[tuple[str, str], ...]
    blocks: tuple["Block", ...]


Block = (
    Paragraph
    | Bullets
    | Facts
    | TableBlock
    | Picture
    | Gallery
    | VerdictBanner
    | GradedHeadlines
    | ScoreHead
    | Fold
    | OptionSwitch
)


@dataclass(frozen=True)
class Section(_Shown):
    """A section: title, blocks and parts, which are sections one level below; `link` is its name in the navigation.

    A page folds a section away unless it is open; `gist` is what stands beside the title then.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    parts: tuple["Section", ...] = ()
    anchor: str = ""
    link: str = ""
    gist: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report: its name, a line above the title, the title, what opens it, and its sections."""

    name: str
    kicker: str
    title: tuple[str, str, str]
    opening: tuple[Block, ...]
    sections: tuple[Section, ...] = field(default_factory=tuple)


Shown = TypeVar("Shown", bound=_Shown)


def spans(words: Words) -> tuple[Span | str, ...]:
    """Give words as a sequence of plain and marked ones."""
    return (words,) if isinstance(words, str) else words


def plain(words: Words) -> str:
    """Give words without their marks."""
    return "".join(span if isinstance(span, str) else span.text for span in spans(words))


def shown_in(items: Iterable[Shown], medium: Medium) -> tuple[Shown, ...]:
    """Pick what a medium shows."""
    return tuple(item for item in items if medium in item.media)


def cells_shown(table: TableBlock, row: TableRow, medium: Medium) -> tuple[tuple[TableColumn, TableCell], ...]:
    """Pair the columns that a medium shows with their cells in a row."""
    pairs = zip(table.columns, row.cells, strict=True)
    return tuple((column, cell) for column, cell in pairs if medium in column.media)
