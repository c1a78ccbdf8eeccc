"""What the supervised attack is told of people, by hand."""

import numpy as np
import pytest

from seethrough.attacks.membership.classifier import Classifier
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.auditing.evidence.supervised.features import membership_features
from seethrough.bench import pool as pool_requests
from seethrough.bench.bench import Bench
from seethrough.bench.membership.columns_alone import GapsToNearest, NearestValues, OwnValues
from seethrough.bench.membership.graph import GraphRatios, PairRatios
from seethrough.bench.pool import Seen
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget

NAN = np.nan


def bench(people, release, reference):
    return Bench({Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: reference}, Budget(threads=1))


def mixed(codes, values):
    columns = (Column("a", Kind.CATEGORICAL, levels=tuple("uvw")), Column("x", Kind.NUMERIC, low=0, high=9, fill=1))
    return Table(Schema(columns), (np.array(codes, np.uint8), np.array(values, float)))


def banking(rows, seed):
    """Four categories and four numbers, as the releases of a diffusion model have that are measured."""
    rng = np.random.default_rng(seed)
    columns = [Column(f"c{place}", Kind.CATEGORICAL, levels=tuple("uvw")) for place in range(4)]
    columns += [Column(f"x{place}", Kind.NUMERIC, low=0.0, high=9.0, fill=0.0) for place in range(4)]
    arrays = [rng.integers(1, 4, rows).astype(np.uint8) for _ in range(4)] + [rng.normal(size=rows) for _ in range(4)]
    return Table(Schema(tuple(columns)), tuple(arrays))


@pytest.fixture
def by_hand(monkeypatch):
    """The reference has standard deviation 2 and median 4."""
    monkeypatch.setattr(pool_requests, "FEWEST_REFERENCE", 1)
    people = mixed([1, 2, 3, 0], [1.5, 9, NAN, 0])
    return bench(people, mixed([1, 2, 1], [0, 8, NAN]), mixed([1, 1], [2, 6]))


def test_own_values(by_hand):
    np.testing.assert_array_equal(by_hand.get(OwnValues()), [[1, 0.75], [2, 4.5], [3, NAN], [0, 0]])


def test_gaps_to_the_nearest_released_row(by_hand):
    # The third misses x, as does the third released row, which differs in a alone. The fourth is nearest to the first.
    np.testing.assert_allclose(by_hand.get(GapsToNearest()), [[0, 0.75], [0, 0.5], [1, 0], [1, 0]])


def test_a_number_that_is_missing_on_one_side_adds_one(monkeypatch):
    monkeypatch.setattr(pool_requests, "FEWEST_REFERENCE", 1)
    shown = bench(mixed([1], [NAN]), mixed([1], [8]), mixed([1, 1], [2, 6]))
    # Missing stands at the median, 4: two standard deviations from 8.
    np.testing.assert_allclose(shown.get(GapsToNearest()), [[0, 3]])


def test_nearest_values_of_a_column_alone(by_hand):
    np.testing.assert_allclose(by_hand.get(NearestValues(Seen.RELEASE)), [[0.75], [0.5], [NAN], [0]])
    np.testing.assert_allclose(by_hand.get(NearestValues(Seen.REFERENCE)), [[0.25], [1.5], [NAN], [1]])


def test_a_column_that_the_release_leaves_empty_has_no_nearest_value():
    shown = bench(mixed([1], [1.0]), mixed([1, 1], [NAN, NAN]), mixed([1] * 5, [1, 2, 3, 4, 5]))
    assert np.isnan(shown.get(NearestValues(Seen.RELEASE))).all()


def test_four_categories_and_four_numbers_make_48_features_in_the_stated_order():
    shown = bench(banking(30, 0), banking(60, 1), banking(40, 2))
    found = membership_features(shown)
    assert found.shape == (30, 48)
    assert np.isfinite(found).all()
    near, other = (shown.get(pool_requests.Neighbours(part)).distances for part in (Seen.RELEASE, Seen.REFERENCE))
    e = 0.3 * np.median(other[:, 0][other[:, 0] > 0])
    np.testing.assert_allclose(found[:, :6], np.log(near[:, [0, 1, 2, 4, 9, 19]] + e))
    np.testing.assert_allclose(found[:, 6:11], np.log(other[:, [0, 1, 4, 9, 19]] + e))
    np.testing.assert_allclose(found[:, 11], np.log(other[:, 0] + e) - np.log(near[:, 0] + e))
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(found[:, 12], LogRatio().rate(shown, rng))
    np.testing.assert_array_equal(found[:, 21], Classifier().rate(shown, rng))
    np.testing.assert_array_equal(found[:, 22], shown.get(PairRatios()))
    np.testing.assert_array_equal(found[:, 23], shown.get(GraphRatios()))
    np.testing.assert_array_equal(found[:, 24:32], shown.get(GapsToNearest()))
    np.testing.assert_allclose(found[:, 32:36], np.log(shown.get(NearestValues(Seen.RELEASE)) + e / 1000))
    np.testing.assert_allclose(found[:, 36:40], np.log(shown.get(NearestValues(Seen.REFERENCE)) + e / 1000))
    np.testing.assert_array_equal(found[:, 40:], shown.get(OwnValues()))


def test_without_a_reference_what_needs_one_is_left_out():
    found = membership_features(bench(banking(30, 0), banking(60, 1), banking(3, 2)))
    # Six distances; self ratio, count and density; gaps; nearest values in both tables; own values.
    assert found.shape == (30, 6 + 3 + 8 + 8 + 8)


def test_lists_may_be_shorter_than_twenty():
    assert membership_features(bench(banking(30, 0), banking(7, 1), banking(6, 2))).shape == (30, 48 - 2 - 2)
