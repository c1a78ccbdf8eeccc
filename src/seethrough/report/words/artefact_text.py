"""Release artefacts in words."""

from collections.abc import Sequence

from seethrough.report import untrusted
from seethrough.report.words import wording
from seethrough.results.diagnostics import Artefact, ArtefactSign

TITLES = {
    "exact-copies": "Exact copies",
    "identifiers": "Identifiers",
    "rows-as-text": "Rows as text",
    "row-order": "Row order",
    "ends": "Ends of ranges",
    "rare-levels": "Rare levels",
}
EXPLAINED = {
    "exact-copies": ("real people", "have their exact row in the release"),
    "identifiers": ("real identifiers of a column that was left out", "occur in the release"),
    "rows-as-text": ("real people", "have their row written out as text in a column of the release"),
    "row-order": ("released rows", "are more similar to the real row at the same position than to those around it"),
    "ends": ("smallest and largest numbers held by one or two real rows", "are also the extremes of the release"),
    "rare-levels": ("levels held by one or two real rows", "occur in the release"),
}
"""What is counted, and what is counted about it."""
_NAMED = 5


def title(artefact: Artefact) -> str:
    """Name an artefact."""
    return TITLES.get(artefact.name, untrusted.name(artefact.name))


def sentence(artefact: Artefact) -> str:
    """Say what was found and what chance would give."""
    if artefact.share is None:
        reason = untrusted.visible(artefact.reason, 300)
        return f"{reason[:1].upper()}{reason[1:]}."
    what, does = EXPLAINED.get(artefact.name, (untrusted.name(artefact.unit), "show the sign"))
    number, share = f"{wording.count(artefact.found)} of {wording.count(artefact.of)}", share_of(artefact.share)
    return f"{number} {what} ({share}) {does}{_chance(artefact)}.{_columns(artefact)}"


def brief(artefact: Artefact) -> str:
    """Say it on one line."""
    assert artefact.share is not None
    of = f"{wording.count(artefact.found)} of {wording.count(artefact.of)}"
    return f"{of} {artefact.unit}, {share_of(artefact.share)}{chance_clause(artefact)}"


def share_of(share: float) -> str:
    """Write a share as a percentage with one digit; a small one is not written as none."""
    if 0 < share < 0.001:
        return "under 0.1%"
    return f"{100 * share:.1f}%"


def chance_clause(artefact: Artefact) -> str:
    """Say what chance would give, as the end of a sentence; nothing where that is not known."""
    return "" if artefact.chance is None else f"; chance would give {share_of(artefact.chance.value)}"


def _chance(artefact: Artefact) -> str:
    clause = chance_clause(artefact)
    return clause and f"{clause}, estimated from {artefact.against}"


def _columns(artefact: Artefact) -> str:
    if not artefact.columns or artefact.sign is not ArtefactSign.SHOWS:
        return ""
    named = ", ".join(untrusted.visible(name, 40) for name in artefact.columns[:_NAMED])
    more = len(artefact.columns) - _NAMED
    return f" In {named}{f' and {more} more' if more > 0 else ''}."


def showing(artefacts: Sequence[Artefact]) -> tuple[Artefact, ...]:
    """Pick those that show through."""
    return tuple(each for each in artefacts if each.sign is ArtefactSign.SHOWS)


def summary(artefacts: Sequence[Artefact]) -> str:
    """Say in a sentence what looking for artefacts came to."""
    if not artefacts:
        return "Release artefacts were not searched for."
    looked = sum(each.sign is not ArtefactSign.UNTOLD for each in artefacts)
    number = len(showing(artefacts))
    if not number:
        return f"None of {looked} signs of real rows exceeds chance."
    return f"{number} of {looked} signs of real rows {'exceeds' if number == 1 else 'exceed'} chance."
