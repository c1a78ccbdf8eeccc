"""Models trained on a release: known answers."""

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.utility.trained_models import even_success, model_success

SCHEMA = Schema(
    (
        Column("a", Kind.CATEGORICAL, levels=("x", "y", "z")),
        Column("b", Kind.CATEGORICAL, levels=("x", "y", "z")),
        Column("c", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
    )
)


def people(rows, seed, follows=True):
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 4, rows).astype(np.uint8)
    b = a if follows else rng.integers(1, 4, rows).astype(np.uint8)
    return Table(SCHEMA, (a, b, rng.random(rows)))


def success(release, outside, targets):
    return model_success((release, release), (outside, outside), targets, 0, Budget(threads=1))


def test_what_follows_from_another_column_is_always_right():
    assert success(people(200, 1), people(200, 2), ["b"]) == 1.0


def test_what_follows_from_nothing_is_right_by_chance():
    found = success(people(600, 1, follows=False), people(600, 2, follows=False), ["b"])
    assert found == pytest.approx(1 / 3, abs=0.07)


def test_success_is_the_mean_over_targets_and_numbers_count_as_tenths():
    both = success(people(300, 1), people(300, 2), ["b", "c"])
    alone = success(people(300, 1), people(300, 2), ["c"])
    assert both == pytest.approx((1.0 + alone) / 2)
    assert alone == pytest.approx(0.1, abs=0.06)


def test_guessing_evenly():
    outside = people(300, 2)
    assert even_success(outside, ["b"]) == pytest.approx(1 / 3)
    assert even_success(outside, ["b", "c"]) == pytest.approx((1 / 3 + 1 / 10) / 2)
    one = Table(SCHEMA, (np.ones(5, np.uint8), np.ones(5, np.uint8), np.zeros(5)))
    assert even_success(one, ["b"]) is None
    assert success(people(50, 1), one, ["b"]) is None


def test_a_release_that_does_not_show_the_target_teaches_nothing():
    release = people(200, 1)
    blank = Table(SCHEMA, (release.columns[0], np.zeros(200, np.uint8), release.columns[2]))
    assert success(blank, people(300, 2), ["b"]) == pytest.approx(1 / 3, abs=1e-9)


def test_order_of_rows_changes_nothing():
    release, outside = people(200, 1, follows=False), people(200, 2, follows=False)
    turned = release.take(np.arange(200)[::-1])
    assert success(turned, outside, ["b"]) == success(release, outside, ["b"])
