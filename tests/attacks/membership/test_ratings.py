"""Ratings by hand, and what holds for every rating of the catalog."""

import numpy as np
import pytest

from seethrough.attacks.membership.aligned_ratio import AlignedRatio
from seethrough.attacks.membership.density_ratio import DensityRatio
from seethrough.attacks.membership.distance_difference import DistanceDifference
from seethrough.attacks.membership.likelihood_gain import LikelihoodGain, LikelihoodGainOfFive
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.log_ratio_first import LogRatioFirst
from seethrough.attacks.membership.match import Match
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.attacks.membership.near_count import NearCount
from seethrough.attacks.membership.near_match import NearMatch
from seethrough.attacks.membership.nearness import Nearness
from seethrough.attacks.membership.nearness_then_rarity import NearnessThenRarity
from seethrough.attacks.membership.release_density import ReleaseDensity
from seethrough.attacks.membership.self_ratio import SelfRatio
from seethrough.attacks.membership.share_of_release import ShareOfRelease
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.bench import pool as pool_requests
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.encoding import StandardScale
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.operating_points import operating_point
from seethrough.kernels.statistics.roc import area_under_roc
from seethrough.plugins import catalog

RATINGS = [rating for rating in catalog.ratings().values() if not getattr(rating, "is_optional", False)]
IDS = [rating.name for rating in RATINGS]
RNG = np.random.default_rng


def numbers(*values):
    schema = Schema((Column("x", Kind.NUMERIC, low=0.0, high=10.0, fill=0.0),))
    return Table(schema, (np.array(values, float),))


def mixed(codes, values, extra=None):
    columns = [
        Column("a", Kind.CATEGORICAL, levels=tuple("uvwxyz")),
        Column("x", Kind.NUMERIC, low=0.0, high=9.0, fill=1.0),
    ]
    arrays = [np.array(codes, np.uint8), np.array(values, float)]
    if extra is not None:
        columns.append(Column("b", Kind.CATEGORICAL, levels=tuple("uvwxyz")))
        arrays.append(np.array(extra, np.uint8))
    return Table(Schema(tuple(columns)), tuple(arrays))


def bench(people, release, reference):
    tables = {Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: reference}
    return Bench(tables, Budget(threads=1))


@pytest.fixture
def by_hand(monkeypatch):
    """Shared example of one number, which is in the space already: its unit is not the reference's deviation."""
    monkeypatch.setattr(pool_requests, "FEWEST_REFERENCE", 1)
    unit = StandardScale(np.ones(1), np.zeros(1))
    monkeypatch.setattr(pool_requests.ReferenceScale, "compute", lambda self, bench: unit)
    return bench(numbers(1.5, 0, 9), numbers(0, 1, 4), numbers(2, 6))


# Lists of two: A s = (.5, 1.5), r = (.5, 4.5); B s = (0, 1), r = (2, 6); C s = (5, 8), r = (3, 7). The typical distance
# to the reference is 2 and the offset .6; positive s_1 are .5 and 5, their median 2.75 and the offset of its own .825.
# Each row has one value worked out as it is done on paper.
BY_HAND = [
    (Nearness(), [-0.5, 0, -5]),
    (LogRatioFirst(neighbours=2), [0, 1.466337, -0.441833]),  # B: ln(2.6 / .6)
    (LogRatio(neighbours=2), [0.766965, 1.932116, -0.068226]),  # A: 1/2 ln(1.1 x 5.1) - ln 1.1
    (SelfRatio(neighbours=2), [0.281154, 0.396976, 0.207715]),  # A: 1/2 ln(2.325 / 1.325)
    (DistanceDifference(neighbours=2), [0, 2, -2]),
    (ShareOfRelease(neighbours=2), [0.5, 1, 0.5]),  # A: the second smallest of all is .5, one each; C: 5, one each
    (NearCount(neighbours=2), [2, 2, 0]),  # A: 4 is within 2.75 as well, but there are two on the list
    (ReleaseDensity(neighbours=2), [-0.660325, 0.173008, -8.326618]),  # B: ln(1 + e^(-1/.6))
    (DensityRatio(neighbours=2), [0.171736, 3.505069, -3.327890]),  # A: -.660325 - ln(e^(-.5/.6) + e^(-4.5/.6))
    (LikelihoodGain(neighbours=2), [1.193332, 3.367158, 0.003363]),  # B: ln(1 + 1 / (e^(-2/.6) + e^(-6/.6)))
    (LikelihoodGain(neighbours=2, released=2), [2.386664, 4.059669, 0.003372]),
]


@pytest.mark.parametrize(("rating", "wanted"), BY_HAND, ids=[f"{rating.name}" for rating, _ in BY_HAND])
def test_ratings_by_hand(by_hand, rating, wanted):
    np.testing.assert_allclose(rating.rate(by_hand, RNG(0)), wanted, atol=5e-7)


def test_five_rows_are_all_three_where_there_are_no_more(by_hand):
    # For the second person z = 0, 1, 4 lie 0, 1, 4 away; to 2 and 6 they have 2 and 6, 1 and 5, 2 and 2.
    wanted = sum(
        np.log1p(np.exp(-d / 0.6) / (np.exp(-a / 0.6) + np.exp(-b / 0.6)))
        for d, a, b in ((0, 2, 6), (1, 1, 5), (4, 2, 2))
    )
    assert LikelihoodGainOfFive().rate(by_hand, RNG(0))[1] == pytest.approx(wanted, abs=1e-12)


def test_a_typical_distance_of_nobody_leaves_copies_alone_in_the_count():
    same = numbers(1, 2)
    assert NearCount().rate(bench(same, numbers(1, 1, 2, 3), same), RNG(0)).tolist() == [2, 1]


def test_ties_at_the_border_all_count():
    # Of a release at 0, 0, 0 and a reference at 0, 0 the second smallest distance is 0: three of five, capped at two.
    shown = bench(numbers(0, 4), numbers(0, 0, 0), numbers(0, 0, 9, 9, 9))
    assert ShareOfRelease(neighbours=2).rate(shown, RNG(0))[0] == 2 / 4
    assert ShareOfRelease(neighbours=3).rate(shown, RNG(0))[0] == 3 / 5


WITHOUT_REFERENCE = {"self-ratio", "nearness", "count", "density"}


@pytest.mark.parametrize("people", [0, 4])
@pytest.mark.parametrize("rating", [rating for rating, _ in BY_HAND], ids=[rating.name for rating, _ in BY_HAND])
def test_what_remains_without_a_reference(rating, people):
    shown = bench(numbers(1, 2, 4), numbers(1, 2, 9), numbers(*range(people)))
    if rating.name in WITHOUT_REFERENCE:
        assert np.isfinite(rating.rate(shown, RNG(0))).all()
    else:
        with pytest.raises(NotApplicable, match="fewer than 5 people"):
            rating.rate(shown, RNG(0))


def test_density_without_a_reference_takes_its_width_from_the_release():
    # The unit is the deviation of the release, 1.5; the positive s_1 is 1/1.5, so that the width is .3/1.5.
    found = ReleaseDensity().rate(bench(numbers(0, 1), numbers(0, 3), numbers()), RNG(0))
    np.testing.assert_allclose(found, np.log([1 + np.exp(-3 / 0.3), np.exp(-1 / 0.3) + np.exp(-2 / 0.3)]))


@pytest.mark.parametrize("rating", [Nearness(), LogRatioFirst(), SelfRatio()], ids=lambda rating: rating.name)
def test_in_a_copy_every_member_is_at_distance_zero(rating):
    rng = RNG(3)
    values = rng.normal(size=90)
    shown = bench(numbers(*values[:60]), numbers(*values[:30]), numbers(*values[60:]))
    assert (Nearness().rate(shown, RNG(0))[:30] == 0).all()
    assert (Nearness().rate(shown, RNG(0))[30:] < 0).all()
    assert np.isfinite(rating.rate(shown, RNG(0))).all()


def test_nearness_finds_every_member_of_a_copy_at_one_in_a_thousand():
    rng = RNG(5)
    values = rng.normal(size=3200)
    found = Nearness().rate(bench(numbers(*values[:2100]), numbers(*values[:100]), numbers(*values[2100:])), RNG(0))
    assert operating_point(found[:100], found[100:], 0.001).found == 100


@pytest.mark.parametrize("rating", RATINGS, ids=IDS)
def test_where_all_are_equal_the_area_is_a_half_and_nobody_is_found(rating):
    same = mixed([1] * 300, [2.0] * 300, [1] * 300)
    found = rating.rate(bench(same, same, same), RNG(0))
    members = np.arange(300) < 150
    assert area_under_roc(members, found) == 0.5
    for rate in (0.1, 0.01):
        assert operating_point(found[members], found[~members], rate).found == 0
    answer = AttackAnswers(rating.name, rating.families, found, False, "", np.ones(300, bool), 0.0)
    assert compare_groups([answer], members, RNG(0), 99).p_adjusted(0) == 1.0


@pytest.mark.parametrize("released", [(1, 2, 9), (10, 20, 90), (-1, -2, -9), (0.1, 0.11, 0.2)])
def test_aligned_ratio_by_hand(released):
    # Ranks of three are 1/6, 1/2 and 5/6, whatever the units: a step is 1/3, over the deviation of ranks, 12^-1/2.
    # Everybody stands in the release, so that the offset is 0.3 of 1.
    found = AlignedRatio(neighbours=2).rate(bench(numbers(1, 2, 9), numbers(*released), numbers(1, 2)), RNG(0))
    np.testing.assert_allclose(found, np.log((12**0.5 / 3 + 0.3) / 0.3) / 2)


def test_aligned_ratio_finds_copies_in_other_units_and_turned_round():
    rng = RNG(4)
    schema = Schema(tuple(Column(name, Kind.NUMERIC, low=-9.0, high=9.0, fill=0.0) for name in "abcd"))
    values = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4))
    people = Table(schema, tuple(values.T))
    for changed in (values[:150] * [2, -1, 0.5, 1] + 1, -values[:150]):
        release = Table(schema, tuple(changed.T))
        found = AlignedRatio().rate(bench(people, release, people), RNG(0))
        assert np.median(found[:150]) > np.quantile(found[150:], 0.95)


def test_nearness_then_rarity_by_hand(by_hand):
    assert np.argsort(-NearnessThenRarity().rate(by_hand, RNG(0))).tolist() == [1, 0, 2]


def test_of_equally_near_people_the_rarer_comes_first(monkeypatch):
    monkeypatch.setattr(pool_requests, "FEWEST_REFERENCE", 1)
    common, rare = 1.0, 8.0
    found = NearnessThenRarity().rate(bench(numbers(common, rare), numbers(common, rare), numbers(0.9, 1.2)), RNG(0))
    assert found[1] > found[0]


def test_matches_by_hand():
    people = mixed([1, 1, 2, 3], [1, 1, 5, 7], [1, 1, 1, 1])
    release = mixed([1, 2, 4], [1, 9, 7], [1, 1, 1])
    shown = bench(people, release, people)
    assert Match().rate(shown, RNG(0)).tolist() == [1, 1, 0, 0]
    assert MatchRare().rate(shown, RNG(0)).tolist() == [0.5, 0.5, 0, 0]
    # The third is alike but for x, alone in that; the fourth but for a; the first two share every match.
    assert NearMatch().rate(shown, RNG(0)).tolist() == [0.5, 0.5, 1, 1]


def test_a_release_of_one_row_has_no_self_ratio():
    with pytest.raises(NotApplicable, match="no second nearest"):
        SelfRatio().rate(bench(numbers(1, 2), numbers(1), numbers(1, 2)), RNG(0))
