"""What the attacks on secrets found, beside the leak: by rarity, whole rows, the surest, anonymity loss, key sets."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    VERBOSE,
    Block,
    Bullets,
    Paragraph,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.sections.releases import release_sections
from seethrough.report.words import evidence_text
from seethrough.results.attribute.figures import (
    AttributeFigures,
    KeySetTable,
    OtherPeopleComparison,
    SecretGuesses,
    SurestPart,
)
from seethrough.results.evidence_words import people, with_ends
from seethrough.results.report import Report, TableAudit

TITLE = "What the attacks on secrets found"
_SAID = (
    "People out of 100 whose secret is guessed right, members / people outside. By rarity every value counts alike. "
    "The surest tenth is success among those of whom the attack is surest. ALC is the anonymity loss coefficient "
    "against the same attack on people outside: it depends on the number of people, has no lower end, and decides "
    "nothing here."
)
_HEADS = (
    TableColumn("attack", "text", "text"),
    TableColumn("guessed right", "number"),
    TableColumn("by rarity", "number"),
    TableColumn("surest tenth", "number"),
    TableColumn("ALC", "number", "number"),
)
_TENTH = 0.1


def sections(report: Report) -> Iterator[Section]:
    """Show the figures on every synthetic table."""
    yield from release_sections(report, TITLE, "Secrets", _blocks)


def _blocks(table: TableAudit) -> Iterator[Block]:
    figures = table.evidence.secrets if table.evidence else None
    if figures is None:
        return
    if figures.guesses:
        yield Paragraph(_SAID, media=DOCUMENTS)
        rows = tuple(_row(each) for each in figures.guesses)
        yield TableBlock("Guesses of secrets", _HEADS, rows, "tight", media=DOCUMENTS)
    if sentences := tuple(_sentences(figures)):
        yield Bullets(sentences, media=DOCUMENTS | VERBOSE)
    if notes := figures.notes:
        yield Bullets(tuple(f"{note}." for note in notes), media=DOCUMENTS)


def _row(each: SecretGuesses) -> TableRow:
    rare, tenth = each.by_rarity, _tenth(each.surest)
    return TableRow(
        (
            TableCell(untrusted.name(f"{each.attack} ({each.secret})")),
            TableCell(_pair(each.members, each.outsiders)),
            TableCell("-" if rare is None else _pair(rare.members, rare.outsiders)),
            TableCell("-" if tenth is None else _pair(tenth.members, tenth.outsiders)),
            TableCell("-" if each.alc is None else f"{each.alc.value:.2f}"),
        )
    )


def _tenth(parts: tuple[SurestPart, ...]) -> SurestPart | None:
    """Find the surest tenth, or the smallest larger part that is stated."""
    return min((part for part in parts if part.recall >= _TENTH), key=lambda part: part.recall, default=None)


def _pair(members: float, outsiders: float) -> str:
    return f"{people(members)} / {people(outsiders)}"


def _sentences(figures: AttributeFigures) -> Iterator[str]:
    for each in figures.best:
        yield (
            f"{untrusted.name(each.secret)}: the best attack ({each.attack}) guesses {people(each.members)} of 100 "
            f"members right; the best that anybody could guess ({each.outsiders_attack}) is {people(each.outsiders)}."
        )
    for row in figures.whole_rows:
        yield (
            f"{row.attack} has all {len(row.secrets)} secrets of {people(row.row_members)} of 100 members right, of "
            f"people outside {people(row.row_outsiders)}; {with_ends(row.row_leak)} come from the data."
        )
    if figures.key_sets and figures.key_sets.best and (figures.key_sets.best.p_corrected or 1) <= evidence_text.LEVEL:
        yield _given_away(figures.key_sets.best, figures.key_sets.tried)
    for other in figures.against_other_people:
        yield _against(other)


def _given_away(found: KeySetTable, tried: int) -> str:
    keys = ", ".join(map(untrusted.name, found.keys))
    p = evidence_text.p_value(found.p_corrected)
    return (
        f"These keys give people away: {keys}. Of {found.members_alone:,} members who are alone with them "
        f"{found.members_right:,} have their {untrusted.name(found.secret)} given right by released rows, of "
        f"{found.outsiders_alone:,} people outside {found.outsiders_right:,} (p {p}, corrected for {tried:,} key sets)."
    )


def _against(other: OtherPeopleComparison) -> str:
    return (
        f"Against other real people: {other.attack} guesses {untrusted.name(other.secret)} of {people(other.success)} "
        f"of 100 real people right; {other.baseline} {people(other.others)}, a difference of "
        f"{with_ends(other.difference)}. This is not a leak, and a small difference does not say that there is none."
    )
