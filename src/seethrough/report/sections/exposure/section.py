"""Beyond the verdict: one section for each synthetic table, with its columns, groups and checks."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import DOCUMENTS, Block, Paragraph, Section
from seethrough.report.sections.exposure import checks, groups, guessed_columns, isolated, likeness, people_map
from seethrough.report.words import facts
from seethrough.results.report import Report


def sections(report: Report) -> Iterator[Section]:
    """Show what is known about each synthetic table beyond its findings and scores."""
    several = len(report.tables) > 1
    for number, table in enumerate(report.tables, start=1):
        name = untrusted.name(table.synthetic.name)
        title = f"{name}: columns, groups and checks" if several else "Columns, groups and checks"
        parts = (
            *guessed_columns.parts(table),
            *groups.parts(table),
            *isolated.parts(table),
            *people_map.parts(table),
            *likeness.parts(table),
            *checks.parts(table, number),
        )
        link = name if several else "Groups and checks"
        yield Section(title, tuple(_drawn(report)), parts, f"table-{number}", link, media=DOCUMENTS)


def _drawn(report: Report) -> Iterator[Block]:
    """Say whom all that follows speaks of, where not everybody was attacked."""
    if drawn := facts.attacked_people(report):
        said = (
            f"{drawn}. Groups, isolated people, the map and the risks of records speak of them; rows keep the numbers"
        )
        yield Paragraph(f"{said} that they have in the real table.", "quiet")
