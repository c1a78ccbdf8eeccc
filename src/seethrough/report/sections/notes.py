"""Notes on how the tables were read."""

from collections.abc import Iterator

from seethrough.report.sections.blocks import DOCUMENTS, SUMMARY, VERBOSE, Block, Bullets, Section
from seethrough.report.words import wording
from seethrough.results.report import Report

_IN_SUMMARY = 3
"""Notes that the summary on a terminal lists."""


def sections(report: Report) -> Iterator[Section]:
    """List the notes, if there are any."""
    if not report.notes:
        return
    gist = wording.count_of(len(report.notes), "note")
    yield Section("Notes", tuple(_blocks(report)), anchor="notes", link="Notes", gist=gist)


def _blocks(report: Report) -> Iterator[Block]:
    yield Bullets(report.notes, media=DOCUMENTS | VERBOSE)
    more = len(report.notes) - _IN_SUMMARY
    left = (f"{wording.count_of(more, 'more note')}: --verbose",) if more > 0 else ()
    yield Bullets((*report.notes[:_IN_SUMMARY], *left), media=SUMMARY)
