"""The findings: a graded headline for each kind of attack, and what would allow a stronger statement."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import Block, Bullets, GradedHeadline, GradedHeadlines, Section, Severity
from seethrough.report.words import findings, missing_inputs
from seethrough.report.words.grades import Level
from seethrough.results.report import Report, TableAudit

_SEVERITIES = {
    Level.HIGH: Severity.SEVERE,
    Level.RAISED: Severity.CLEAR,
    Level.UNDECIDED: Severity.SLIGHT,
    Level.UNSEEN: Severity.NONE,
}


def sections(report: Report) -> Iterator[Section]:
    """Give the findings about every synthetic table."""
    graded = [(untrusted.name(table.synthetic.name), _graded(report, table)) for table in report.tables]
    alone = len(graded) == 1
    parts = () if alone else tuple(Section(name, (headlines,)) for name, headlines in graded)
    closing = tuple(_closing(report))
    if parts:
        parts = (*parts[:-1], Section(parts[-1].title, (*parts[-1].blocks, *closing)))
    opening = (graded[0][1], *closing) if alone else ()
    yield Section("Findings", opening, parts, "findings", "Findings")


def _graded(report: Report, table: TableAudit) -> GradedHeadlines:
    found = findings.headlines(table, outside=report.holdout is not None)
    return GradedHeadlines(
        tuple(
            GradedHeadline(
                subject=headline.category.value.capitalize(),
                grade=headline.level.value,
                severity=_SEVERITIES.get(headline.level, Severity.UNKNOWN),
                sentence=headline.sentence,
                question=headline.asks,
                lead=headline.advantage,
                small_print=" ".join((headline.rests_on, *headline.missing)),
            )
            for headline in found
        )
    )


def _closing(report: Report) -> Iterator[Block]:
    if missing := missing_inputs.missing(report):
        yield Bullets(missing, "What would allow a stronger statement")
    if left_out := report.provenance.left_out:
        yield Bullets(left_out, "Left out of this report for others")
