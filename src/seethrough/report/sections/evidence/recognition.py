"""What the attack that leads membership recognises: at which false alarms, and how often it is right."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    VERBOSE,
    Block,
    Paragraph,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.words import evidence_text
from seethrough.results.evidence import (
    FALSE_ALARM_RATES,
    PREVALENCES,
    AttackEvidence,
    Finding,
    LeakFamily,
    ReleaseEvidence,
    TruePositives,
)
from seethrough.results.evidence_words import people, rate_of

_COLUMNS = (
    TableColumn("allowed", "text"),
    TableColumn("members recognised", "number"),
    TableColumn("false alarms", "number"),
    *(TableColumn(f"right, if {people(float(share))} %", "number") for share in PREVALENCES),
)
_SAID = (
    "Allowed are so many false alarms; members and people outside are counted out of 100, with 95 % intervals. The "
    "last columns say how many of 100 people called members are, if 1, 10 or 50 % of those rated are; in brackets, how "
    "many at least."
)


def blocks(evidence: ReleaseEvidence) -> Iterator[Block]:
    """Show the leading attack at all rates; nothing where it was not run or its rates are kept inside."""
    finding = evidence[LeakFamily.MEMBERSHIP]
    attack = next((attack for attack in evidence.attacks if attack.label == finding.headline), None)
    if attack is None or not attack.tpr:
        return
    yield Paragraph(evidence_text.headline_sentence(attack, finding, len(evidence.attacks)), media=DOCUMENTS | VERBOSE)
    rows = tuple(_row(attack, rate) for rate in FALSE_ALARM_RATES)
    yield TableBlock(_label(finding), _COLUMNS, rows, "tight", media=DOCUMENTS | VERBOSE)
    yield Paragraph(_SAID, "small", media=DOCUMENTS | VERBOSE)


def _label(finding: Finding) -> str:
    return f"Members recognised by {untrusted.name(str(finding.headline))}"


def _row(attack: AttackEvidence, rate: str) -> TableRow:
    found = attack.tpr.get(rate)
    allowed = TableCell(rate_of(float(rate)))
    if found is None:
        unresolved = TableCell(f"not resolvable below {rate_of(attack.smallest_rate)}", brief="-")
        return TableRow((allowed, unresolved, *[TableCell("-")] * (1 + len(PREVALENCES))))
    alarmed = found.false_alarms / attack.n_outsiders
    alarms = f"{people(alarmed)} {_ends(found.false_alarm_low, found.false_alarm_high)}"
    return TableRow(
        (
            allowed,
            TableCell(f"{people(found.value)} {_ends(found.low, found.high)}"),
            TableCell(alarms),
            *(_precision(found, share) for share in PREVALENCES),
        )
    )


def _ends(low: float, high: float) -> str:
    return f"({people(low)} to {people(high)})"


def _precision(found: TruePositives, share: str) -> TableCell:
    given = found.precision.get(share)
    return TableCell("-") if given is None else TableCell(f"{people(given.value)} ({people(given.low)})")
