"""Error profile and edit distance: by hand, against naive code, and not run unless named."""

from functools import cache
from math import log

import numpy as np
import pytest

from seethrough.attacks.membership.edit_distance import EditDistance
from seethrough.attacks.membership.error_profile import ErrorProfile
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.edit_distance import EditDistances
from seethrough.kernels.learning.column_losses import column_losses, number_loss
from seethrough.plugins import catalog

RNG = np.random.default_rng


def bench(people, release, reference):
    return Bench({Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: reference}, Budget(threads=1))


def mixed(codes, values):
    columns = (Column("a", Kind.CATEGORICAL, levels=tuple("uvw")), Column("x", Kind.NUMERIC, low=0, high=9, fill=1))
    return Table(Schema(columns), (np.array(codes, np.uint8), np.array(values, float)))


def test_an_error_three_times_the_usual_by_hand():
    assert number_loss(np.array([6.0]), 2.0)[0] == pytest.approx(1.386294, abs=5e-7)


def test_a_column_of_one_value_is_told_and_others_are_not():
    known = np.column_stack([np.zeros(30), np.full(30, 5.0)])
    asked = np.array([[0.0, 5.0], [1.0, 5.0], [np.nan, 6.0], [0.0, np.nan]])
    np.testing.assert_allclose(column_losses(known, asked, 0, (0,)), [-log(1.0001), *[-log(1e-4)] * 2, -log(1.0001)])
    # A number that is always right counts an error against 1e-9; one that is missing counts nothing.
    np.testing.assert_allclose(column_losses(known, asked, 1, (0,)), [0, 0, log(1 + 1e9), 0], atol=1e-9)


def test_a_value_that_follows_in_the_release_alone_is_rated_higher():
    rng = RNG(0)
    codes, others = rng.integers(1, 4, 400), rng.integers(1, 4, 400)
    release = mixed(codes, 3.0 * codes + rng.normal(0, 0.1, 400))
    reference = mixed(others, rng.uniform(3, 9, 400))
    people = mixed([1, 2, 3, 1, 2, 3], [3, 6, 9, 9, 3, 3])
    found = ErrorProfile().rate(bench(people, release, reference), RNG(0))
    assert found[:3].min() > found[3:].max()


def test_two_digits_that_change_places_are_two_edits():
    assert EditDistances(["1243", "1234", "", "12345", "99"]).of("1234").tolist() == [2, 0, 4, 1, 4]


def naive(a, b):
    @cache
    def d(i, j):
        if not i or not j:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return d(len(a), len(b))


def test_edit_distances_are_those_of_the_definition():
    rng = RNG(1)
    texts = ["".join(rng.choice(list("01é"), rng.integers(0, 7))) for _ in range(40)]
    distances = EditDistances(texts)
    for text in texts[:12]:
        assert distances.of(text).tolist() == [naive(text, other) for other in texts]


def test_nearest_string_then_the_rarer_by_hand():
    people = mixed([1, 1, 1, 1], [1234, 5678, 4444, np.nan])
    shown = bench(people, mixed([1, 1], [1243, 5678]), mixed([1, 1], [4445, 5670]))
    found = EditDistance(edit_columns=("x",)).rate(shown, RNG(0))
    # Distances to the release 2, 0, 3 and 4; the third is at 3 as "1243" keeps one 4.
    assert np.argsort(-found).tolist() == [1, 0, 2, 3]
    twins = mixed([1, 1], [1235, 1236])
    rarer = EditDistance(edit_columns=("x",)).rate(bench(twins, mixed([1], [1234]), mixed([1], [1236])), RNG(0))
    assert rarer[0] > rarer[1]


def test_texts_that_are_not_kept_and_columns_that_are_not_there_are_said():
    people = mixed([1, 2], [1, 2])
    with pytest.raises(NotApplicable, match="not kept"):
        EditDistance(edit_columns=("a",)).rate(bench(people, mixed([4], [1]), people), RNG(0))
    with pytest.raises(NotApplicable, match="'b' is no column"):
        EditDistance(edit_columns=("b",)).rate(bench(people, people, people), RNG(0))
    with pytest.raises(NotApplicable, match="no columns of strings were named"):
        EditDistance().rate(bench(people, people, people), RNG(0))


def test_audits_do_not_run_what_is_optional():
    assert {"error-profile", "edit-distance"} <= set(catalog.ratings())
    for preset in ("fast", "full"):
        assert not {"error-profile", "edit-distance"} & {rating.name for rating in catalog.arsenal(preset).ratings}
