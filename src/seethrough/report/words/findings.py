"""Findings in plain language, shared by all renderers.

Only checks whose evidence is an attack are called attack results. Metrics of similarity and
fidelity describe; their sentences say so, and they never decide a headline.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from seethrough.report import untrusted
from seethrough.report.words import artefact_text, wording
from seethrough.report.words.grades import HALF_WAY, Level, advantage, level
from seethrough.report.words.position import Position, RiskScale, place
from seethrough.results.card import Category, Evidence, Need
from seethrough.results.diagnostics import Artefact
from seethrough.results.outcome import Measured, Outcome, Skipped, Unavailable
from seethrough.results.report import TableAudit

COPIES_TELL = (Category.REIDENTIFICATION, Category.TRACING)
FOR_INFORMATION = "This is for information; it cannot support a verdict."

_WANTED = {
    Need.SECRET: "Name a secret to run",
    Need.KEYS: "Name the keys, the columns an attacker knows, to run",
    Need.HOLDOUT: "Give a holdout to run",
}
_RANK = {Position.ABOVE: 3, Position.ALIKE: 2, Position.UNCOMPARED: 1, Position.BELOW: 0}
_GRADE = {Level.HIGH: 2, Level.RAISED: 1}


@dataclass(frozen=True)
class Headline:
    """The strongest finding about one attack.

    In one sentence, with the level that attack results alone decide, how far the risk goes beyond that of people who
    were not in the data, what all that rests on, and what is missing.
    """

    category: Category
    sentence: str
    level: Level = Level.UNTESTED
    advantage: str = ""
    rests_on: str = ""
    missing: tuple[str, ...] = ()
    asks: str = ""


def of_category(table: TableAudit, category: Category) -> tuple[Outcome, ...]:
    """Pick the outcomes that speak about one attack: attacks first, then similarity, then fidelity."""
    chosen = (outcome for outcome in table if outcome.card.category is category)
    return tuple(sorted(chosen, key=lambda outcome: list(Evidence).index(outcome.card.evidence)))


def is_attack(outcome: Outcome) -> bool:
    """Tell attack results from description."""
    return outcome.card.evidence is Evidence.ATTACK


def evidence_label(outcome: Outcome) -> str:
    """Name the kind of evidence in a word."""
    return outcome.card.evidence.value


def short_reading(outcome: Measured) -> str:
    """Say in a few words where the score stands."""
    found = place(outcome)
    if found.scale.is_blind:
        return f"inconclusive: {'controls coincide' if found.scale is RiskScale.COINCIDE else 'controls reversed'}"
    match found.standing:
        case Position.ABOVE:
            return "above independent" + (f", {_percent(found.share)} to copy" if found.share is not None else "")
        case Position.ALIKE:
            return "like the independent control"
        case Position.BELOW:
            return "below independent"
        case Position.UNCOMPARED:
            return "no independent control"


def brief_reading(outcome: Measured) -> str:
    """Say it in at most eighteen characters, for narrow terminals."""
    found = place(outcome)
    if found.scale.is_blind:
        return "controls coincide" if found.scale is RiskScale.COINCIDE else "controls reversed"
    match found.standing:
        case Position.ABOVE:
            return "above" + (f", {_percent(found.share)} to copy" if found.share is not None else "")
        case Position.ALIKE:
            return "like independent"
        case Position.BELOW:
            return "below independent"
        case Position.UNCOMPARED:
            return "not compared"


def reading(outcome: Measured) -> str:
    """Say in full where the score stands, as one or two sentences."""
    what = "Attack" if is_attack(outcome) else evidence_label(outcome).capitalize()
    sentence = f"{what}: {_describe_position(outcome)}."
    return sentence if is_attack(outcome) else f"{sentence} {FOR_INFORMATION}"


def headlines(table: TableAudit, *, outside: bool = True) -> tuple[Headline, ...]:
    """Give one headline for each attack, in a fixed order; `outside` says that there is a holdout to compare with."""
    return tuple(_of(category, of_category(table, category), table, outside) for category in Category)


def attack_results(outcomes: Sequence[Outcome]) -> list[Measured]:
    """Pick the attacks that gave a number."""
    return [outcome for outcome in outcomes if isinstance(outcome, Measured) and is_attack(outcome)]


def strongest_attack(outcomes: Sequence[Outcome]) -> Measured | None:
    """Find the attack result that decides about one attack, if there is one."""
    attacks = attack_results(outcomes)
    return _strongest(attacks) if attacks else None


def _strongest(attacks: Sequence[Measured]) -> Measured:
    # By grade first: a result that is far from the control but unsure must not hide one that is nearer and sure.
    return max(attacks, key=lambda attack: (_GRADE.get(level(attack, among=len(attacks)), 0), *strength(attack)))


def _of(category: Category, outcomes: Sequence[Outcome], table: TableAudit, outside: bool) -> Headline:
    strongest, among = strongest_attack(outcomes), len(attack_results(outcomes))
    found = level(strongest, outside=outside, among=max(1, among))
    by_chance = found is Level.UNSEEN and strongest is not None and _is_above(strongest)
    copied = copies_level(table) if category in COPIES_TELL else None
    by_copies = copied if not found.is_exposed else None
    decided = Level[table.levels[category]] if table.levels else by_copies or found
    return Headline(
        category,
        _headline(outcomes)
        + (f" One of {among} may score so by chance." if by_chance else "")
        + _describe_copies(copied, table),
        decided,
        _describe_advantage(strongest, outside, among) if strongest else "",
        _rests_on(outcomes) + (" Copies of real rows decide the grade." if by_copies else ""),
        gaps_of(outcomes),
        strongest.card.question if strongest else "",
    )


def copies_level(table: TableAudit) -> Level | None:
    """Grade exact copies of real rows, where they go beyond chance: whoever stands in a release was in the table."""
    copies = _copies(table)
    if copies is None or copies.share is None:
        return None
    chance = copies.chance.value if copies.chance else 0.0
    return Level.HIGH if copies.share - chance >= HALF_WAY * (1 - chance) else Level.RAISED


def _copies(table: TableAudit) -> Artefact | None:
    return next((each for each in artefact_text.showing(table.exhibits.artefacts) if each.name == "exact-copies"), None)


def _describe_copies(copied: Level | None, table: TableAudit) -> str:
    copies = _copies(table)
    if copied is None or copies is None or copies.share is None:
        return ""
    share, chance = artefact_text.share_of(copies.share), artefact_text.chance_clause(copies)
    return f" {share} of real people have their exact row in the release{chance}."


def _describe_advantage(strongest: Measured, outside: bool, among: int) -> str:
    found, name = advantage(strongest, among), untrusted.name(strongest.check)
    if found is None:
        return f"How far {name} goes beyond chance is not known: there is no independent control."
    which = f"The best of {among} attacks ({name})" if among > 1 else f"The attack ({name})"
    scored = f"{which} scores {wording.signed_interval(found)} compared with"
    if outside:
        return f"{scored} a release of people who were not in the data."
    return (
        f"{scored} the real columns, each permuted by itself. Part of that is what columns say about each other in "
        "anyone; no holdout was given to separate it."
    )


def _rests_on(outcomes: Sequence[Outcome]) -> str:
    measured = [outcome for outcome in outcomes if isinstance(outcome, Measured)]
    attacks = attack_results(outcomes)
    names = ", ".join(untrusted.name(outcome.check) for outcome in attacks)
    if attacks:
        records = wording.count_of(max(outcome.measurement.n for outcome in attacks), "record")
        return f"Based on {wording.count_of(len(attacks), 'attack')} ({names}) on up to {records}."
    if measured:
        return (
            f"Based on similarity alone ({wording.count_of(len(measured), 'metric')}), which cannot support a verdict."
        )
    return "No check gave a number."


def gaps_of(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Say what checks of one attack lack for a number."""
    lacking = {
        need: [untrusted.name(outcome.check) for outcome in outcomes if _lacks(outcome, need)] for need in _WANTED
    }
    return tuple(f"{_WANTED[need]} ({', '.join(names)})." for need, names in lacking.items() if names)


def _lacks(outcome: Outcome, need: Need) -> bool:
    return isinstance(outcome, Skipped) and need in outcome.card.needs and is_attack(outcome)


def _headline(outcomes: Sequence[Outcome]) -> str:
    measured = [outcome for outcome in outcomes if isinstance(outcome, Measured)]
    attacks = attack_results(outcomes)
    if attacks:
        return _attack_headline(attacks) + _without_number([outcome for outcome in outcomes if is_attack(outcome)])
    if measured:
        return _similarity_headline(measured) + _without_number(outcomes)
    if outcomes:
        return f"Nothing was measured{_without_number(outcomes)}"
    return "No check of this audit covers this attack."


def _attack_headline(attacks: Sequence[Measured]) -> str:
    strongest = _strongest(attacks)
    name = untrusted.name(strongest.check)
    if len(attacks) == 1:
        return f"The only attack run here, {name}, scored {_describe_position(strongest)}"
    if above := sum(_is_above(attack) for attack in attacks):
        start = f"{above} of {len(attacks)} attacks scored {Position.ABOVE.value}"
        return f"{start}; the strongest, {name}, scored {_describe_risk(strongest)}{_describe_way(strongest)}"
    start = f"None of {len(attacks)} attacks scored {Position.ABOVE.value}"
    return f"{start}; the strongest, {name}, scored {_describe_position(strongest)}"


def _similarity_headline(measured: Sequence[Measured]) -> str:
    # Fidelity says even less: the columns of any good release look like those of the real table.
    near = [outcome for outcome in measured if outcome.card.evidence is Evidence.SIMILARITY] or list(measured)
    strongest = max(near, key=strength)
    which = "" if len(near) == 1 else f", the strongest of {len(near)} metrics,"
    return (
        f"No attack was measured, only {evidence_label(strongest)}, which cannot support a verdict: "
        f"{untrusted.name(strongest.check)}{which} scored {_describe_position(strongest)}"
    )


def _without_number(outcomes: Sequence[Outcome]) -> str:
    """End the sentence, saying how much it does not rest on."""
    number = sum(not isinstance(outcome, Measured) for outcome in outcomes)
    return f"; {number} of {wording.count_of(len(outcomes), 'check')} gave no number." if number else "."


def _describe_position(outcome: Measured) -> str:
    return f"{_describe_risk(outcome)}, {place(outcome).standing.value}{_describe_way(outcome)}"


def _describe_risk(outcome: Measured) -> str:
    cut = outcome.controls.matched
    fewer = f", on as many rows as the holdout has {wording.format_fixed(cut.value)}" if cut else ""
    return f"{wording.with_interval(outcome.risk)}{fewer}"


def _describe_way(outcome: Measured) -> str:
    """Say how far the score is on the way from the independent table to a copy."""
    found, independent, copy = place(outcome), outcome.controls.independent, outcome.controls.copy
    if isinstance(independent, Unavailable):
        return f"; its position is undefined: {found.scale.value}"
    low = wording.format_fixed(independent.value)
    if isinstance(copy, Unavailable) or found.share is None:
        return f" ({low}); its position is undefined: {found.scale.value}"
    high = wording.format_fixed(copy.value)
    if found.standing is Position.BELOW or found.share > 1:
        return f" ({low}); a copy scores {high}"
    return f", {_percent(found.share)} of the way from that control ({low}) to a copy ({high})"


def _percent(share: float) -> str:
    # A score that lies outside its controls by chance is read as lying on them.
    return wording.percent(min(max(share, 0.0), 1.0))


def _is_above(outcome: Measured) -> bool:
    found = place(outcome)
    return found.standing is Position.ABOVE and not found.scale.is_blind


def strength(outcome: Measured) -> tuple[bool, int, float, float]:
    """Order results: those that can see copying first, then by standing, share of the way to a copy, and score."""
    found = place(outcome)
    return not found.scale.is_blind, _RANK[found.standing], found.share or 0.0, outcome.risk.value
