"""Several releases of one real table in words: their order by leak, and which of them differ beyond chance."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

from seethrough.report import untrusted
from seethrough.report.words import wording
from seethrough.results.comparison import RankedRelease, ReleaseComparison, ReleaseDifference
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade
from seethrough.results.evidence_words import IN_PAIRS, people, with_ends
from seethrough.results.report import Report

ORDER = "Least leak first, by the lower end of the largest leak, adjusted for all attacks"
HOW = (
    "The same members and people outside are attacked on both releases. The difference is that of the two leaks; its "
    "interval and p are adjusted for all attacks and all pairs of releases."
)
NOT_COMPARED = "The releases cannot be compared: without people outside (--holdout) there is no leak to compare."
_MOST_SAID = 6
"""Pairs of releases that differ which are told in a sentence each."""


def describe_comparison(report: Report) -> tuple[str, ...]:
    """Say the order, then which pairs of releases differ, in sentences."""
    found = report.comparison
    if found is None:
        return ()
    if report.holdout is None:
        return (NOT_COMPARED,)
    if not found.differences:
        return (_order(found), *found.notes)
    told = [sentence for first, second in _pairs(found) for sentence in _told_apart(found, first, second)]
    more = f"{len(told) - _MOST_SAID} more differences are in the table." if len(told) > _MOST_SAID else ""
    alike = _alike(found)
    return tuple(line for line in (_order(found), *told[:_MOST_SAID], more, alike, *found.notes) if line)


def brief_comparison(report: Report) -> str:
    """Say which neighbours in the order of the matrix differ beyond chance."""
    found = report.comparison
    if found is None or not found.differences:
        return " ".join(describe_comparison(report))
    order = [each.number for each in found.ranking]
    told, alike = [], []
    for less, more in pairwise(order):
        tested = found.between(less, more)
        apart = sum(_seen_from(each, more).difference.value > 0 for each in tested if each.told_apart)
        names = release_name(found, more), release_name(found, less)
        if apart:
            told.append(f"{names[0]} leaks more than {names[1]} (by {apart} of {len(tested)} attacks)")
        elif tested:
            alike.append(" and ".join(names))
    differ = f"Beyond chance: {'; '.join(told)}." if told else ""
    same = f"No attack tells apart beyond chance: {'; '.join(alike)}." if alike else ""
    return " ".join(filter(None, (differ, same)))


def release_name(found: ReleaseComparison, number: int) -> str:
    """Name a release by its number; where two have one name, the number stands beside it."""
    name = found.releases[number - 1]
    shown = untrusted.visible(name, 40) or "(no name)"
    return f"{shown} (number {number})" if found.releases.count(name) > 1 else shown


def leak_found(ranked: RankedRelease) -> str:
    """Say what is known about the leak of a release."""
    if ranked.place is None:
        return "cannot tell"
    if not ranked.grade.is_leak:
        return Grade.NO_LEAK_FOUND.value
    return f"{ranked.grade.value}, at least {people(ranked.leak or 0.0)} of 100"


def in_people(found: ReleaseDifference) -> Estimate:
    """Give a difference as a share of people or, for ratings in pairs, of pairs of a member and a person outside."""
    scale = 0.5 if found.measure == IN_PAIRS else 1.0
    ends = found.difference
    return Estimate(scale * ends.value, scale * ends.low, scale * ends.high, ends.confidence)


def reading(found: ReleaseDifference) -> str:
    """Say in two words what a difference comes to."""
    return "differs" if found.told_apart else "may be chance"


def _order(found: ReleaseComparison) -> str:
    order = "; ".join(
        f"{'-' if each.place is None else each.place}. {release_name(found, each.number)} ({leak_found(each)})"
        for each in found.ranking
    )
    return f"{ORDER}: {order}."


def _pairs(found: ReleaseComparison) -> Iterator[tuple[int, int]]:
    """Walk over the pairs of releases, the release that leaks more first."""
    order = [each.number for each in reversed(found.ranking)]
    return combinations(order, 2)


def _told_apart(found: ReleaseComparison, first: int, second: int) -> Iterator[str]:
    """Say by what one release leaks more than the other, in each direction in which there is something to say."""
    for more, less in ((first, second), (second, first)):
        tested = found.between(more, less)
        told = [_seen_from(each, more) for each in tested if each.told_apart]
        told = [each for each in told if each.difference.value > 0]
        if told:
            yield _leaks_more(found, told, len(tested))


def _seen_from(each: ReleaseDifference, number: int) -> ReleaseDifference:
    if each.first == number:
        return each
    ends = each.difference
    turned = Estimate(-ends.value, -ends.high, -ends.low, ends.confidence)
    return replace(
        each,
        first=each.second,
        second=each.first,
        first_leak=each.second_leak,
        second_leak=each.first_leak,
        difference=turned,
    )


def _leaks_more(found: ReleaseComparison, told: list[ReleaseDifference], attacks: int) -> str:
    most = max(told, key=lambda each: in_people(each).low)
    more, less = (release_name(found, number) for number in (most.first, most.second))
    counted = with_ends(in_people(most))
    if most.measure == IN_PAIRS:
        what = f"in {counted} more of 100 pairs of a member and a person outside the member is rated higher"
    else:
        what = f"{counted} more of 100 members {untrusted.visible(most.measure, 120)}, people outside subtracted"
    by = wording.count_of(attacks, "attack")
    return f"{more} leaks more than {less}, by {len(told)} of {by}; most by {untrusted.name(most.attack)}: {what}."


def _alike(found: ReleaseComparison) -> str:
    pairs = [
        f"{release_name(found, first)} and {release_name(found, second)}"
        for first, second in _pairs(found)
        if (tested := found.between(first, second)) and not any(each.told_apart for each in tested)
    ]
    if not pairs:
        return ""
    more = f"; and {len(pairs) - _MOST_SAID} more pairs" if len(pairs) > _MOST_SAID else ""
    return f"No attack tells apart beyond chance: {'; '.join(pairs[:_MOST_SAID])}{more}."
