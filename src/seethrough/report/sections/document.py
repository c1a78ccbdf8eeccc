"""The whole report: which sections it has, in which order."""

from collections.abc import Callable, Iterator

from seethrough.report import untrusted
from seethrough.report.sections import (
    artefacts,
    audited,
    columns,
    glossary,
    more,
    next_steps,
    notes,
    record,
    scores,
)
from seethrough.report.sections.blocks import Document, Section
from seethrough.report.sections.evidence import attacks, people, secrets, verdict
from seethrough.report.sections.exposure import section as exposure
from seethrough.report.sections.others import section as others
from seethrough.report.sections.several import comparison, growth, together
from seethrough.results.report import Report

SECTIONS: tuple[Callable[[Report], Iterator[Section]], ...] = (
    verdict.sections,
    comparison.sections,
    next_steps.sections,
    verdict.findings_by_release,
    together.sections,
    attacks.sections,
    secrets.sections,
    people.sections,
    artefacts.sections,
    scores.sections,
    growth.sections,
    exposure.sections,
    audited.sections,
    columns.sections,
    notes.sections,
    glossary.sections,
    record.sections,
    more.sections,
)
"""Each gives the sections that it has for a report, in the order in which they are shown."""
FIRST_SCREEN = verdict.sections, comparison.sections, next_steps.sections, attacks.sections
"""What a notebook shows of a report."""


def build(report: Report) -> Document:
    """Put the sections of a report together."""
    return _put_together(report, SECTIONS)


def first_screen(report: Report) -> Document:
    """Put the sections together that a notebook shows."""
    return _put_together(report, FIRST_SCREEN)


def _put_together(report: Report, chosen: tuple[Callable[[Report], Iterator[Section]], ...]) -> Document:
    names = [untrusted.name(table.synthetic.name) for table in report.tables]
    several = f"{len(names)} synthetic tables" if len(names) > 1 else ""
    # Others have sections of their own, so that a section that is added here stays inside.
    is_external = report.provenance.is_external
    shown = (others.sections,) if is_external else chosen
    audience = ", for others" if is_external else ""
    made = f", {report.provenance.date}" if report.provenance.date else ""
    return Document(
        name=f"Privacy audit: {several or names[0]}",
        kicker=f"Seethrough {untrusted.name(report.version)}: privacy audit{audience}{made}",
        title=("How see-through are" if several else "How see-through is", several or names[0], "?"),
        opening=tuple((others if is_external else audited).opening(report)),
        sections=tuple(section for sections in shown for section in sections(report)),
    )
