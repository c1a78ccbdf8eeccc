"""What ratings find at few false alarms, by hand."""

import numpy as np
import pytest

from seethrough.kernels.statistics.operating_points import conformal_p, false_discoveries, operating_point, precision


def test_a_member_is_found_above_all_of_99_people_outside_at_one_in_a_hundred():
    outside = np.arange(1.0, 100.0)
    found = operating_point(np.array([99.5, 99.0, 50.0]), outside, 0.01)
    assert found is not None
    assert (found.found, found.false_alarms) == (1, 0)  # a tie counts against the attacker


def test_98_people_outside_cannot_resolve_one_in_a_hundred():
    assert operating_point(np.array([1000.0]), np.arange(98.0), 0.01) is None


def test_false_alarms_are_counted_at_the_same_threshold():
    outside = np.arange(1.0, 100.0)
    found = operating_point(np.array([95.0, 91.5, 90.5]), outside, 0.1)
    assert found is not None
    # Ten may be at least as high, the member counted with them: found are members above 90.
    assert (found.found, found.false_alarms) == (3, 9)


def test_conformal_p_counts_the_member_with_the_people_outside():
    np.testing.assert_allclose(conformal_p(np.array([5.0, 2.0, 0.0]), np.array([1.0, 2, 3])), [1 / 4, 3 / 4, 1.0])


def test_the_list_of_benjamini_and_hochberg_by_hand():
    # Limits for five at 10 %: .02, .04, .06, .08, .10; the third p passes, so the three smallest are listed.
    p = np.array([0.5, 0.01, 0.05, 0.055, 0.9])
    assert false_discoveries(p, 0.1).tolist() == [False, True, True, True, False]
    assert not false_discoveries(np.array([0.3, 0.6]), 0.1).any()


@pytest.mark.parametrize("outsiders", [99, 500, 999])
def test_a_member_like_people_outside_is_found_as_rarely_as_said(outsiders):
    rng = np.random.default_rng(outsiders)
    found = [operating_point(rng.normal(size=200), rng.normal(size=outsiders), 0.01) for _ in range(150)]
    share = np.mean([point.found for point in found if point]) / 200
    assert share <= 0.01 + 4 * np.sqrt(0.01 / 150)


def test_precision_by_hand():
    # Of 1,000 people 10, 100 or 500 are members, of whom 10.7 % are named, and 1 % of the others.
    shares = {0.01: 0.0975, 0.1: 0.5431, 0.5: 0.9145}
    assert {share: round(precision(0.107, 0.01, share), 4) for share in shares} == shares
