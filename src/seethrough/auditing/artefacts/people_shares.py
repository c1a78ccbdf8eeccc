"""Shares of real people against shares of people outside, by Fisher's exact test."""

from seethrough.kernels.statistics.exact_tests import hypergeometric_tail
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.diagnostics import Artefact, ArtefactSign, Rate

CONFIDENCE = 0.99


def fisher_p(found: int, people: int, found_outside: int, outside: int) -> float:
    """Give the chance of so many finds, or more, among the people if those outside were found as often."""
    return hypergeometric_tail(found, people + outside, found + found_outside, people)


def share_of_people(name: str, unit: str, counts: tuple[int, int, int, int], against: str, level: float) -> Artefact:
    """Hold the share of real people with a sign against that of others; `counts` are found and all, of both."""
    found, people, found_outside, outside = counts
    share = found_outside / outside if outside else 0.0
    chance = Rate(share, *wilson(found_outside, max(outside, 1), CONFIDENCE), outside)
    p = fisher_p(*counts)
    sign = ArtefactSign.SHOWS if p <= level else ArtefactSign.CHANCE if found else ArtefactSign.NONE
    return Artefact(name, sign, unit, found, people, chance, against, p=p)
