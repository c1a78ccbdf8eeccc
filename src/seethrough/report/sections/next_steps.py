"""What to do next, and what was not tested."""

from collections.abc import Iterator

from seethrough.report.sections.blocks import Block, Bullets, Section
from seethrough.report.words import missing_inputs
from seethrough.results.report import Report

TITLE = "What to do next"
NOT_TESTED = "Not tested"


def sections(report: Report) -> Iterator[Section]:
    """Say what was not tested and, to others, what they are not told."""
    yield Section(NOT_TESTED, tuple(_blocks(report)), (), "next", NOT_TESTED, is_open=True)


def _blocks(report: Report) -> Iterator[Block]:
    yield Bullets(missing_inputs.missing(report))
    if left_out := report.provenance.left_out:
        yield Bullets(left_out, "Left out of this report for others")
