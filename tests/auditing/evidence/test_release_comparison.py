"""Releases compared by the same people: differences by hand, order, alignment, and leak-free pairs."""

from collections import Counter

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.attacks.membership.nearness import Nearness
from seethrough.auditing.evidence import contrasts
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules, assess
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.several.release_comparison import (
    AssessedRelease,
    compare_releases,
    keep_answers,
    rank_releases,
)
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Finding, Grade, LeakFamily, ReleaseEvidence, ReleaseVerdict

ARSENAL = Arsenal((Nearness(), LogRatio(), MatchRare()), (Dcr(),))


def evidence(grade=Grade.NO_LEAK_FOUND, lower=None, family=LeakFamily.MEMBERSHIP):
    leak = None if lower is None else Estimate(lower, lower, lower)
    return ReleaseEvidence(
        ReleaseVerdict(grade, "", ""), (Finding(family, grade, attack="dcr", leak=leak, lower=lower),)
    )


def assessed(real, outside, releases, seed=0, permutations=999):
    rules = EvidenceRules(seed, permutations=permutations, figures=False)
    found = [assess((real, outside, release), ARSENAL, rules, Budget(threads=1)) for release in releases]
    return kept_of(found), rules


def kept_of(found):
    return [keep_answers(f"{number}", each) for number, each in enumerate(found, start=1)]


def compared(real, outside, releases, seed=0):
    kept, rules = assessed(real, outside, releases, seed)
    return compare_releases(kept, rules)


def by_hand(scores, members, is_share=True):
    answer = AttackAnswers(
        "a", (LeakFamily.ATTRIBUTE,), np.array(scores, float), is_share, "are guessed", np.ones(len(scores), bool), 0.0
    )
    return AssessedRelease("x", evidence(), members, (answer,))


FOUR_AND_FOUR = np.arange(8) < 4


def test_a_difference_in_differences_by_hand():
    members = FOUR_AND_FOUR
    # Guessed on the first release: 3 of 4 members, 1 of 4 outside; on the second 1 of 4 and 2 of 4.
    first = by_hand([1, 1, 1, 0, 1, 0, 0, 0], members)
    second = by_hand([1, 0, 0, 0, 1, 1, 0, 0], members)
    [found] = compare_releases([first, second], EvidenceRules(0)).differences
    assert (found.first_leak, found.second_leak) == (0.5, -0.25)
    assert found.difference.value == 0.75
    # d is 0 1 1 0 for members and 0 -1 0 0 outside. Of the 70 ways to pick four people, those whose sum is as far from
    # the mean, 1/2, as the observed 2: sums of 2 (both ones, not the minus one: C(5, 2) = 10) and of -1 (the minus one
    # and no one: C(5, 3) = 10).
    assert found.p == pytest.approx(20 / 70, abs=0.02)
    assert not found.told_apart


def test_ratings_enter_without_their_units():
    members = FOUR_AND_FOUR
    scores = np.array([8, 7, 3, 2, 6, 5, 4, 1.0])
    first, second = by_hand(scores, members, is_share=False), by_hand(np.exp(3 * scores), members, is_share=False)
    [found] = compare_releases([first, second], EvidenceRules(0)).differences
    # Members win 4 + 4 + 1 + 1 of 16 pairs: 2 AUC - 1 = 0.25.
    assert (found.first_leak, found.second_leak) == (pytest.approx(0.25), pytest.approx(0.25))
    assert (found.difference.value, found.p) == (0.0, 1.0)


def test_a_copy_is_told_from_an_independent_sample(sample):
    real, outside = sample(200, 1), sample(200, 2)
    found = compared(real, outside, [sample(200, 3), real, sample(200, 4)])
    assert [(each.number, each.place) for each in found.ranking] == [(1, 1), (3, 1), (2, 3)]
    assert [each.leak for each in found.ranking[:2]] == [0.0, 0.0]
    assert found.ranking[2].grade is Grade.SEVERE
    assert all(each.told_apart for each in found.between(1, 2))
    lookups = {f"{name} (ill)" for name in ("key-lookup", "key-lookup-10", "key-lookup-40")}
    attacks = {"nearness", "log-ratio", "match-rare", "dcr (ill)"}
    assert {each.attack for each in found.between(1, 2)} == attacks | lookups
    assert not any(each.told_apart for each in found.between(1, 3))
    for each in found.between(2, 3):
        assert each.difference.low > 0
        assert each.difference.value == pytest.approx(each.first_leak - each.second_leak)


def test_the_order_of_releases_does_not_matter(sample):
    real, outside = sample(150, 1), sample(150, 2)
    releases = [stack_tables([real.take(np.arange(40)), sample(110, 5)]), sample(150, 3), sample(150, 4)]
    kept, rules = assessed(real, outside, releases)
    one, other = (compare_releases(order, rules) for order in (kept, kept[::-1]))
    number = {1: 3, 2: 2, 3: 1}
    for each in one.differences:
        [same] = [back for back in other.between(number[each.first], number[each.second]) if back.attack == each.attack]
        assert same.p == each.p
        assert same.difference.value == pytest.approx(-each.difference.value)
    places = [{each.number: each.place for each in found.ranking} for found in (one, other)]
    assert places[0] == {number[each]: place for each, place in places[1].items()}


def test_releases_that_lack_a_column_are_still_compared_on_the_same_people(sample):
    real, outside, third = sample(200, 1), sample(200, 2), sample(200, 3)
    recoded = Table(third.schema, ((third.columns[0] + 20).astype(np.uint8), *third.columns[1:]))
    rules = EvidenceRules(0, permutations=999, figures=False)
    both = [assess((real, outside, each), ARSENAL, rules, Budget(threads=1)) for each in (real, recoded)]
    pools = [each.pool for each in both]
    assert np.array_equal(pools[0].rows, pools[1].rows)
    assert np.array_equal(pools[0].members, pools[1].members)
    found = compare_releases(kept_of(both), rules)
    assert (found.members, found.outsiders) == (200, 180)
    assert any(each.told_apart for each in found.differences)
    assert [(each.number, each.place) for each in found.ranking] == [(1, 1), (2, None)]
    assert any(note.startswith("2: column 'job'") for note in found.notes)


def test_nothing_is_compared_where_nothing_could_be_tested(sample):
    real, outside = sample(100, 1), sample(20, 2)
    found = compared(real, outside, [real, sample(100, 3)])
    assert found.differences == ()
    assert [each.place for each in found.ranking] == [None, None]
    assert all("20 people" in note for note in found.notes)


def test_ranks_are_by_grade_then_by_the_lower_end_and_a_negative_leak_is_zero():
    found = rank_releases(
        [
            evidence(Grade.CLEAR, 0.05),
            evidence(lower=-0.2),
            evidence(Grade.CANNOT_TELL),
            evidence(Grade.SLIGHT, -0.01),
            evidence(lower=0.3),
            evidence(Grade.SEVERE, None),
        ]
    )
    assert [(each.number, each.place, each.leak) for each in found] == [
        (2, 1, 0.0),
        (5, 1, 0.0),
        (4, 3, 0.0),
        (1, 4, 0.05),
        (6, 5, 0.0),
        (3, None, None),
    ]


def test_of_more_people_than_fit_some_of_either_kind_are_drawn(sample, monkeypatch):
    real, outside = sample(300, 1), sample(100, 2)
    monkeypatch.setattr(contrasts, "MOST_CELLS", 28 * 200)
    found = compared(real, outside, [real, sample(300, 3)])
    assert (found.members, found.outsiders) == (120, 80)
    assert any(each.told_apart for each in found.differences)


@pytest.mark.slow
def test_leak_free_releases_are_told_apart_in_one_of_twenty_pairs_at_most(sample):
    told = Counter()
    pairs = 0
    for seed in range(60):
        real, outside, first, second = (sample(150, 1000 + 4 * seed + part) for part in range(4))
        found = compared(real, outside, [first, second], seed).differences
        pairs += any(each.told_apart for each in found)
        for each in found:
            told[each.attack] += each.told_apart
    # 60 at 5 %: 3 expected, and 8 or fewer with a chance of 99.6 %, for all attacks of a pair together.
    assert pairs <= 8, told
