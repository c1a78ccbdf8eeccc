"""Notes on how the tables were read."""

from collections.abc import Iterator

from seethrough.report.sections.blocks import Bullets, Section
from seethrough.results.report import Report


def sections(report: Report) -> Iterator[Section]:
    """List the notes, if there are any."""
    if report.notes:
        yield Section("Notes", (Bullets(report.notes),), anchor="notes")
