"""Parts of a population: within the limit, the same part of every table, the same for every order of rows."""

import numpy as np
import pytest

from seethrough.auditing.checks.subpopulation import subpopulation
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table

RNG = np.random.default_rng


def table(*columns):
    letters = tuple("abcdefghijklmnopqrstuvwxyz")
    kinds = [
        Column(f"c{place}", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5)
        if values.dtype.kind == "f"
        else Column(f"c{place}", Kind.CATEGORICAL, levels=letters)
        for place, values in enumerate(columns)
    ]
    return Table(Schema(tuple(kinds)), columns)


def test_a_table_within_the_limit_is_taken_whole():
    people = table(RNG(0).integers(1, 9, 50).astype(np.uint8))
    everybody = subpopulation(people, 50, RNG(0))
    assert everybody.conditions == ()
    assert everybody.rows(people).tolist() == list(range(50))


@pytest.mark.parametrize("seed", range(5))
def test_values_of_the_widest_column_decide(seed):
    rng = RNG(seed)
    wide = np.repeat(np.arange(1, 21), 10).astype(np.uint8)
    people = table(rng.integers(1, 3, 200).astype(np.uint8), wide)
    part = subpopulation(people, 45, RNG(seed))
    assert str(part) == "4 of 20 values of 'c1'"  # 4 times 10 people; a fifth value would be too many
    mine = part.rows(people)
    kept = np.unique(wide[mine])
    assert len(mine) == 40
    # Any other table is cut in the same way, whatever its rows are.
    other = table(np.ones(20, np.uint8), np.arange(1, 21, dtype=np.uint8))
    assert (part.rows(other) + 1).tolist() == kept.tolist()
    order = rng.permutation(200)
    again = subpopulation(people.take(order), 45, RNG(seed))
    assert sorted(order[again.rows(people.take(order))]) == mine.tolist()


def test_where_single_values_are_too_many_the_next_column_goes_on():
    # Every value of c0 has 100 people; one of them, cut by c1, is left.
    people = table(np.repeat([1, 2, 3], 100).astype(np.uint8), np.tile([1, 2], 150).astype(np.uint8))
    part = subpopulation(people, 60, RNG(0))
    assert str(part) == "1 of 3 values of 'c0' and 1 of 2 values of 'c1'"
    assert len(part.rows(people)) == 50


def test_rare_values_alone_are_too_few():
    # c0: a value of 990 people and ten of one; these ten are no more than a tenth of the limit.
    values = np.append(np.ones(990), np.arange(2, 12)).astype(np.uint8)
    people = table(values, np.tile([1, 2, 3, 4, 5], 200).astype(np.uint8))
    part = subpopulation(people, 250, RNG(0))
    assert len(part.rows(people)) == 200  # the frequent value is in, and c1 cuts
    assert str(part) == "1 of 5 values of 'c1'"


def test_people_who_are_all_alike_are_taken_together():
    people = table(np.ones(300, np.uint8))
    assert len(subpopulation(people, 50, RNG(0)).rows(people)) == 300


def test_numbers_are_cut_into_bins():
    values = RNG(0).random(1000)
    people = table(values)
    part = subpopulation(people, 250, RNG(0))
    mine = part.rows(people)
    assert str(part) == "2 of 10 values of 'c0'"
    assert len(mine) == 200
