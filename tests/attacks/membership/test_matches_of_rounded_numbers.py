"""Matches look numbers up to the digits that the release has."""

import numpy as np
import pytest

from seethrough.attacks.membership.match import Match
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.attacks.membership.near_match import NearMatch
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget

SCHEMA = Schema(tuple(Column(name, Kind.NUMERIC, low=0.0, high=9.0, fill=1.0) for name in ("income", "rent", "tax")))


def table(*columns):
    return Table(SCHEMA, tuple(np.array(column, float) for column in columns))


def rate(rating, people, release):
    tables = {Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: release}
    return rating.rate(Bench(tables, Budget(threads=1)), np.random.default_rng(0))


@pytest.mark.parametrize("rating", [Match(), MatchRare(), NearMatch()])
@pytest.mark.parametrize("digits", [2, 1])
def test_a_copy_that_was_rounded_is_a_copy(rating, digits):
    rng = np.random.default_rng(1)
    real, outside = rng.random((2, 3, 50)) * 9
    people = table(*np.concatenate([real, outside], axis=1))
    found = rate(rating, people, table(*np.round(real, digits)))
    assert found[:50].tolist() == [1.0] * 50
    assert found[50:].mean() < 0.1


def test_numbers_of_full_precision_have_to_be_equal():
    rng = np.random.default_rng(2)
    real = rng.random((3, 50))
    assert rate(Match(), table(*real), table(*(real + 1e-7))).sum() == 0
    assert rate(Match(), table(*real), table(*real)).sum() == 50


def test_a_release_of_few_values_tells_no_digits():
    people = table([1.25] * 3, [2.0, 3.0, 4.0], [0.0, 0.0, 7.0])
    release = table([1.25] * 2, [2.0, 3.0], [0.0, 0.0])
    assert rate(Match(), people, release).tolist() == [1.0, 1.0, 0.0]
