"""The classifier rating: sees where the release is, and nothing of names, order or levels it never met."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from seethrough.attacks.membership.classifier import Classifier
from seethrough.bench.bench import Bench
from seethrough.bench.membership.released_trees import RowsForTrees
from seethrough.bench.pool import Seen
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget

SCHEMA = Schema(
    (
        Column("a", Kind.CATEGORICAL, levels=tuple("uvwxyz")),
        Column("x", Kind.NUMERIC, low=0.0, high=9.0, fill=1.0),
    )
)


def table(codes, values):
    return Table(SCHEMA, (np.asarray(codes, np.uint8), np.asarray(values, float)))


def bench(people, release, reference):
    return Bench({Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: reference}, Budget(threads=1))


def rate(*tables):
    return Classifier().rate(bench(*tables), np.random.default_rng(0))


def test_log_odds_follow_the_density_ratio():
    """The release is N(1, 1), others are N(0, 1): the log odds are x - 1/2, whatever the sizes of both tables."""
    rng = np.random.default_rng(0)
    ones = lambda rows: np.ones(rows)  # noqa: E731
    release, reference = table(ones(8000), rng.normal(1, 1, 8000)), table(ones(2000), rng.normal(0, 1, 2000))
    asked = np.linspace(-1, 2, 200)
    found = rate(table(ones(200), asked), release, reference)
    assert spearmanr(found, asked)[0] > 0.85
    assert np.abs(found - (asked - 0.5)).mean() < 0.5


def test_a_release_that_copies_two_levels_is_seen():
    rng = np.random.default_rng(1)
    population = table(rng.integers(1, 6, 400), rng.normal(size=400))
    release = table(rng.integers(1, 3, 400), rng.normal(size=400))
    people = table(np.repeat(np.arange(1, 6), 10), rng.normal(size=50))
    found = rate(people, release, population).reshape(5, 10)
    assert found[:2].min() > found[2:].max()


def test_levels_that_neither_table_has_are_missing_and_the_frequent_come_first():
    people = table([1, 2, 3, 0], [2.0, 4, np.nan, 0])
    release, reference = table([2, 2, 1, 0], [0.0, 2, 4, 6]), table([2, 1, 1, 2, 4], [0.0, 4, 0, 4, 2])
    rows = bench(people, release, reference).get(RowsForTrees())
    # Level 2 comes four times, 1 three times, missing and 4 once, of which the release has the former; 3 never.
    assert rows.categories == (0,)
    np.testing.assert_array_equal(rows.people[:, 0], [1, 0, np.nan, 2])
    spread = np.std([0.0, 4, 0, 4, 2])
    np.testing.assert_allclose(rows.people[:, 1], np.array([2, 4, np.nan, 0]) / spread)


def test_too_small_a_reference_is_said():
    few = table([1, 1], [1, 2])
    with pytest.raises(NotApplicable, match="fewer than 5"):
        rate(few, few, few)
