"""Every attack on its own: members beside people outside, in people out of 100."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from seethrough.report import untrusted
from seethrough.report.pictures.diagnostic_pictures import Mark
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    MARKDOWN,
    PAGE,
    VERBOSE,
    Block,
    Bullets,
    Fact,
    Facts,
    Paragraph,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.sections.evidence import recognition
from seethrough.report.sections.releases import release_sections
from seethrough.report.words import evidence_text, wording
from seethrough.results.diagnostics import Rate
from seethrough.results.evidence import AttackEvidence
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS, both, people, with_ends
from seethrough.results.report import Report, TableAudit

TITLE = "Attacks"
RATES = {"0.1": "10 %", "0.01": "1 %", "0.001": "0.1 %"}
"""False alarm rates by their names in the evidence."""
_MEMBERS = Fact("Members", "people out of 100, or pairs in which the member is rated higher", "value")
_OUTSIDE = Fact("People outside", "the same for people who were not in the data", "independent")
_UNRESOLVED = "not resolvable"
_SAID = (
    "Success in people out of 100; the leak is what members have beyond people outside, with its 95 % interval. "
    "For a rating, 10 %, 1 % and 0.1 % are the members recognised when false alarms hit so many people outside."
)


def sections(report: Report) -> Iterator[Section]:
    """List the attacks on every synthetic table."""
    yield from release_sections(report, TITLE, TITLE, _blocks, _gist(report))


def _gist(report: Report) -> str:
    listed = [attack for table in report.tables if table.evidence for attack in table.evidence.attacks]
    surest = sum(attack.p_adjusted is not None and attack.p_adjusted <= evidence_text.LEVEL for attack in listed)
    return f"{surest} of {len(listed)} find a leak"


def _blocks(table: TableAudit) -> Iterator[Block]:
    attacks = sorted(table.evidence.attacks if table.evidence else (), key=_order)
    if not attacks:
        return
    yield Paragraph(_SAID, media=DOCUMENTS)
    if table.evidence:
        yield Paragraph(evidence_text.small_print(table.evidence), "small", media=DOCUMENTS | VERBOSE)
    yield Facts((_MEMBERS, _OUTSIDE), "legend", media=PAGE)
    label = f"Attacks on {untrusted.name(table.synthetic.name)}"
    rows = _without_repetition([_row(attack) for attack in attacks])
    yield TableBlock(label, _columns(), rows, "tight", media=DOCUMENTS | VERBOSE)
    said = "10 %, 1 %, 0.1 %: members recognised at that share of false alarms"
    yield Paragraph(said, "quiet", media=VERBOSE)
    if table.evidence:
        yield from recognition.blocks(table.evidence)
    notes = (f"{attack.label}: {note}." for attack in attacks for note in attack.notes)
    if listed := tuple(dict.fromkeys(notes)):
        yield Bullets(listed, media=DOCUMENTS)


def _without_repetition(rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    """Leave out what the shares count where the row above says the same."""
    found, before = [], ""
    for row in rows:
        first, *rest = row.cells
        kept = replace(first, note="" if first.note == before else first.note)
        found.append(replace(row, cells=(kept, *rest)))
        before = first.note
    return tuple(found)


def _order(attack: AttackEvidence) -> tuple[float, float]:
    """Put attacks that are sure first, and of these the ones that show most."""
    return 1.0 if attack.p_adjusted is None else attack.p_adjusted, -attack.lower


def _columns() -> tuple[TableColumn, ...]:
    return (
        TableColumn("attack", "text", "text"),
        TableColumn("of 100", "picture", scale="100", media=PAGE),
        TableColumn("members", "number", "number"),
        TableColumn("outside", "number", "number"),
        TableColumn("leak (interval)", "number", "number"),
        TableColumn("p", "number", "number", media=MARKDOWN),
        TableColumn("adjusted p", "number", "number"),
        *(TableColumn(rate, "number", "number") for rate in RATES.values()),
        TableColumn("time", "number", "number", media=MARKDOWN),
    )


def _row(attack: AttackEvidence) -> TableRow:
    members, outsiders = attack.members, attack.outsiders
    cells = (
        TableCell(untrusted.name(attack.label), note=_measure(attack)),
        TableCell(figure=Mark(attack.label, _rate(members, attack.n_members), _rate(outsiders, attack.n_outsiders))),
        *map(TableCell, both(attack)),
        TableCell(with_ends(attack.leak), key=wording.format_fixed(attack.leak.value)),
        TableCell(evidence_text.p_value(attack.p)),
        TableCell(evidence_text.p_value(attack.p_adjusted)),
        *(_found(attack, rate) for rate in RATES),
        TableCell(wording.duration(attack.seconds), key=wording.format_fixed(attack.seconds)),
    )
    is_sure = attack.p_adjusted is not None and attack.p_adjusted <= evidence_text.LEVEL
    return TableRow(cells, "strong" if is_sure else "plain")


def _measure(attack: AttackEvidence) -> str:
    """Say what the two shares count."""
    if attack.measure == IN_PAIRS:
        return "rated higher, of 100 pairs"
    if attack.measure.startswith(AT_RATE):
        return f"recognised; false alarms {people(attack.outsiders)} in 100"
    return attack.measure.removeprefix("are ").removeprefix("have their ")


def _rate(share: float, people_rated: int) -> Rate:
    return Rate(share, share, share, people_rated)


def _found(attack: AttackEvidence, rate: str) -> TableCell:
    """Give the members recognised at a rate; a success has none, and few people outside resolve no small one."""
    if rate not in attack.tpr:
        return TableCell("-")
    found = attack.tpr[rate]
    return TableCell(_UNRESOLVED, brief="-") if found is None else TableCell(people(found.value))
