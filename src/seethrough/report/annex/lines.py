"""The 0.09 line: the success of attacks beside the threshold that EMA and Health Canada have named."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import Block, Paragraph, TableBlock, TableColumn, TableRow, text_row
from seethrough.results.evidence import Finding, Grade, LeakFamily
from seethrough.results.evidence_words import IN_PAIRS, people
from seethrough.results.report import Report

LINE = 0.09
TITLE = "The 0.09 line"
ABOUT = (
    "EMA and Health Canada have named 0.09, 9 people in 100, as the highest probability of re-identification for "
    "clinical data that is made public. It stands here as a line to compare with. It decides nothing in this report, "
    "and a share below it does not rule out that single people are exposed."
)
_HEADS = ("Release", "Attack on identity", "Members in 100", "People outside in 100", "Beside 9 in 100")


def blocks(report: Report) -> Iterator[Block]:
    """Show how many people attacks on identity get right, beside the line."""
    yield Paragraph(ABOUT)
    columns = tuple(TableColumn(head, "text" if place < 2 else "word") for place, head in enumerate(_HEADS))
    yield TableBlock(TITLE, columns, tuple(_rows(report)))


def _rows(report: Report) -> Iterator[TableRow]:
    for table in report.tables:
        if table.evidence:
            finding = table.evidence[LeakFamily.IDENTITY]
            yield text_row(untrusted.name(table.synthetic.name), *_cells(finding))


def _cells(finding: Finding) -> tuple[str, str, str, str]:
    attack = finding.attack or "-"
    if finding.members is None or finding.outsiders is None:
        return attack, "-", "-", _without_shares(finding)
    if finding.measure == IN_PAIRS:
        return attack, "-", "-", "graded by ranks, which is no share of people"
    shares = people(finding.members), people(finding.outsiders)
    return attack, *shares, _beside(finding.members, finding.outsiders)


def _beside(members: float, outsiders: float) -> str:
    if members <= LINE:
        return "not above"
    return "above, for people outside too" if outsiders > LINE else "above"


def _without_shares(finding: Finding) -> str:
    """Say what follows from the grade and the lower end alone, where shares are not there or not for others."""
    if finding.grade is Grade.CANNOT_TELL:
        return "cannot tell"
    if finding.lower is not None and finding.lower > LINE:
        return "above"
    return "not stated"
