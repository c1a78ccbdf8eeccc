"""Evidence in words: people out of 100, the deciding fact first."""

from dataclasses import replace

import pytest

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Finding, Grade, LeakFamily
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS, fact, people, people_at_most, rate_of, verdict_sentence

LEAK = Finding(
    LeakFamily.ATTRIBUTE,
    Grade.CLEAR,
    attack="dcr (income)",
    measure="have their 'income' guessed right",
    members=0.71,
    outsiders=0.68,
    leak=Estimate(0.03, 0.012, 0.0484),
    lower=0.011,
    detectable=0.0241,
)
NONE = replace(LEAK, grade=Grade.NO_LEAK_FOUND, leak=Estimate(-0.001, -0.021, 0.019), lower=-0.03)
UNTESTED = Finding(LeakFamily.IDENTITY, Grade.CANNOT_TELL, cannot_tell=("the holdout has 12 people", "no key"))


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.71, "71"), (0.714, "71"), (0.0475, "4.8"), (0.05, "5"), (-0.0004, "0.0"), (-0.02, "-2"), (0.0996, "10")],
)
def test_shares_are_people_out_of_a_hundred(share: float, said: str) -> None:
    assert people(share) == said


def test_shares_that_are_close_have_a_digit() -> None:
    close = replace(LEAK, members=0.8944, outsiders=0.8192, leak=Estimate(0.0752, 0.06, 0.09))
    assert "89.4 of 100 members" in fact(close)
    assert "81.9 of 100 people outside: 7.5 (6 to 9) more" in fact(close)


@pytest.mark.parametrize(("share", "said"), [(0.0241, "2.5"), (0.024, "2.4"), (0.3701, "37"), (0.05, "5")])
def test_what_would_have_been_found_is_never_understated(share: float, said: str) -> None:
    assert people_at_most(share) == said


@pytest.mark.parametrize(
    ("rate", "said"), [(0.1, "10 in 100"), (0.01, "1 in 100"), (1 / 3751, "1 in 3,751"), (0.0, "fewer than 1 in 100")]
)
def test_rates_of_false_alarms_are_people(rate: float, said: str) -> None:
    assert rate_of(rate) == said


def test_a_success_is_told_as_people() -> None:
    said = "71 of 100 members have their 'income' guessed right, against 68 of 100 people outside: 3 (1.2 to 4.8) more"
    assert fact(LEAK) == said


def test_a_rating_is_told_in_pairs() -> None:
    pairs = replace(LEAK, measure=IN_PAIRS, members=0.697, outsiders=0.303, leak=Estimate(0.394, 0.37, 0.42))
    assert fact(pairs) == (
        "In 70 of 100 pairs of a member and a person outside the member is rated higher; chance would give 50"
    )


def test_a_rating_at_one_rate_is_told_with_its_false_alarms() -> None:
    tail = replace(LEAK, measure=f"{AT_RATE} 0.01", members=0.142, outsiders=0.01, leak=Estimate(0.132, 0.12, 0.141))
    assert fact(tail) == (
        "14 of 100 members are recognised with false alarms for 1 in 100 people outside: 13 (12 to 14) more"
    )


def test_a_difference_that_may_be_chance_is_not_called_more() -> None:
    assert fact(NONE).endswith("68 of 100 people outside: a difference of -0.1 (-2.1 to 1.9)")


def test_the_verdict_begins_with_what_decides_it() -> None:
    assert verdict_sentence((LEAK, NONE), LEAK) == f"{fact(LEAK)}; attack: dcr (income)."
    assert verdict_sentence((UNTESTED,), UNTESTED) == "The holdout has 12 people; no key."


def test_no_leak_says_what_would_have_been_found_and_what_was_not_tested() -> None:
    assert verdict_sentence((NONE, UNTESTED), NONE) == (
        "No attack distinguishes members from people who were not in the data. A leak of 2.5 in 100 people would have "
        "been found with a chance of 80 %. Could not be tested: which row is whom."
    )
