"""Who and what is exposed: one section for each synthetic table, with its records, columns, groups and checks."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import DOCUMENTS, Section
from seethrough.report.sections.exposure import checks, groups, guessed_columns, likeness
from seethrough.results.report import Report


def sections(report: Report) -> Iterator[Section]:
    """Show what is known about each synthetic table beyond its findings and scores."""
    several = len(report.tables) > 1
    for number, table in enumerate(report.tables, start=1):
        name = untrusted.name(table.synthetic.name)
        title = f"{name}: who and what is exposed" if several else "Who and what is exposed"
        parts = (
            *guessed_columns.parts(table),
            *groups.parts(table),
            *likeness.parts(table),
            *checks.parts(table, number),
        )
        yield Section(title, (), parts, f"table-{number}", name if several else title, media=DOCUMENTS)
