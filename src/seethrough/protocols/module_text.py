"""What a check or an attack says about itself: the text at the head of its module, in sections and paragraphs."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from itertools import pairwise
from textwrap import dedent
from typing import Literal

DEFINITION = "Definition"
"""The title of what stands before the first title of a text."""

_UNDERLINED = re.compile(r"^(\S.*)\n-{3,}(?:\n|\Z)", re.MULTILINE)
_SYMBOLS = re.compile(r"^([-*]) ", re.MULTILINE)
_TERM = re.compile(r"(?![-*] )(\S[^\n]*)\n((?: +\S[^\n]*(?:\n|\Z))+)")
"""A line, and what is said about it in lines that are set in."""


@dataclass(frozen=True)
class ExplainedParagraph:
    """A piece of text: prose may be broken anew, an item is prose in a list, a block keeps its lines."""

    kind: Literal["prose", "item", "block"]
    text: str


@dataclass(frozen=True)
class ExplainedSection:
    """A part of the text that stands at the head of a module."""

    title: str
    paragraphs: tuple[ExplainedParagraph, ...]

    @property
    def text(self) -> str:
        """Give the paragraphs as one text."""
        return "\n\n".join(paragraph.text for paragraph in self.paragraphs)


def sections_of(thing: object) -> tuple[ExplainedSection, ...]:
    """Split the text at the head of the module that defines a thing."""
    return tuple(_sections(cleandoc(getattr(sys.modules.get(type(thing).__module__), "__doc__", None) or "")))


def _sections(text: str) -> Iterator[ExplainedSection]:
    """Split a text at its underlined titles; what stands before the first is the definition."""
    titles = list(_UNDERLINED.finditer(text))
    names = [DEFINITION, *(title[1].strip() for title in titles)]
    begins = [0, *(title.end() for title in titles)]
    ends = [*(title.start() for title in titles), len(text)]
    for name, begin, end in zip(names, begins, ends, strict=True):
        if paragraphs := tuple(_paragraphs(text[begin:end])):
            yield ExplainedSection(name, paragraphs)


def _paragraphs(text: str) -> Iterator[ExplainedParagraph]:
    for piece in re.split(r"\n\s*\n", text.strip("\n")):
        if not piece.strip():
            continue
        if piece.startswith(" "):
            yield ExplainedParagraph("block", dedent(piece))
            continue
        if terms := _terms(piece):
            yield from (ExplainedParagraph("item", term) for term in terms)
            continue
        marks = [0, *(mark.start() for mark in _SYMBOLS.finditer(piece) if mark.start()), len(piece)]
        for begin, end in pairwise(marks):
            words = " ".join(piece[begin:end].split())
            is_item = _SYMBOLS.match(words) is not None
            yield ExplainedParagraph("item", words[2:]) if is_item else ExplainedParagraph("prose", words)


def _terms(piece: str) -> list[str]:
    """Read a list of terms, each explained in lines that are set in; nothing where the text is no such list."""
    found = list(_TERM.finditer(piece))
    is_list = bool(found) and "".join(each[0] for each in found) == piece
    return [f"{each[1].strip()}: {' '.join(each[2].split())}" for each in found] if is_list else []
