"""Linkage by ranks on the pool: by hand, by brute force, and on copies and independent tables."""

import numpy as np
import pytest

from seethrough.attacks.membership.rank_linkage import LinkageOfPeople, pooled_ranks
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules, assess
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade, LeakFamily

SCHEMA = Schema(
    (
        Column("age", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
        Column("income", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
        Column("town", Kind.CATEGORICAL, levels=tuple("abc")),
    )
)


def people(rows, seed, digits=6):
    rng = np.random.default_rng(seed)
    numbers = rng.random((rows, 2)).round(digits)
    return Table(SCHEMA, (numbers[:, 0], numbers[:, 1], rng.integers(1, 4, rows).astype(np.uint8)))


def numbers_of(values):
    schema = Schema((Column("age", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),))
    return Table(schema, (np.array(values, float),))


def rate(people, release):
    tables = {Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: release}
    return LinkageOfPeople().rate(Bench(tables, Budget(threads=1)), np.random.default_rng(0))


def judged(real, outside, release, **rules):
    arsenal = Arsenal((LinkageOfPeople(),), ())
    return assess((real, outside, release), arsenal, EvidenceRules(permutations=999, **rules), Budget(threads=1))


def test_by_hand():
    # Ranks of 1 2 5 9 (people) and 2.2 8 8.5 (released) together: 1, 2, 4, 7 and 3, 5, 6. Row 3 names 2 and 4 at once.
    assert rate(numbers_of([1, 2, 5, 9]), numbers_of([2.2, 8, 8.5])).tolist() == [0.0, 0.5, 1.0, 1.0]


def test_equal_people_share_a_link_and_equal_values_are_at_distance_0():
    assert rate(numbers_of([1, 1, 1, 7]), numbers_of([1, 1, 7])).tolist() == pytest.approx([1 / 3] * 3 + [1.0])


def test_all_links_are_those_of_every_pair():
    mine, others = people(60, 1, digits=1), people(40, 2, digits=1)
    ranks, released = pooled_ranks(mine, others)
    distance = np.abs(ranks[:, None, :] - released[None, :, :]).sum(axis=2)
    named = distance == distance.min(axis=0, keepdims=True)
    expected = np.where(named, 1 / named.sum(axis=0)[None, :], 0.0).max(axis=1)
    assert rate(mine, others) == pytest.approx(expected)


def test_neither_the_order_of_rows_nor_a_constant_column_matters():
    mine, others = people(80, 3), people(50, 4)
    found, rng = rate(mine, others), np.random.default_rng(5)
    order = rng.permutation(80)
    assert np.array_equal(rate(mine.take(order), others.take(rng.permutation(50))), found[order])


def test_a_copy_links_everybody_who_was_in_the_data_and_hardly_anybody_else():
    real, outside = people(200, 6), people(200, 7)
    found = judged(real, outside, real, seed=0).evidence
    [attack] = found.attacks
    assert attack.members == 1.0
    assert attack.outsiders < 0.01
    assert found[LeakFamily.IDENTITY].grade is Grade.SEVERE


def test_blurred_rows_are_linked_although_no_value_is_the_same():
    real, outside = people(300, 8), people(300, 9)
    rng = np.random.default_rng(10)
    blurred = Table(SCHEMA, (*(values + rng.normal(0, 0.01, 300) for values in real.columns[:2]), real.columns[2]))
    assert judged(real, outside, blurred, seed=0).evidence[LeakFamily.IDENTITY].grade is Grade.SEVERE


def test_an_independent_table_shows_no_leak():
    found = judged(people(300, 11), people(300, 12), people(300, 13), seed=0).evidence
    assert found[LeakFamily.IDENTITY].grade is Grade.NO_LEAK_FOUND


def test_two_files_of_half_the_members_each_find_both_halves():
    real, outside = people(200, 14), people(200, 15)
    halves = real.take(np.arange(100)), real.take(np.arange(100, 200))
    each = [judged(real, outside, half, seed=0).evidence.attacks[0].members for half in halves]
    assert each == [0.5, 0.5]
    assert judged(real, outside, stack_tables(halves), seed=0).evidence.attacks[0].members == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("size", [100, 300])
def test_the_test_keeps_its_level(size):
    """Independent tables: p at most 5 % in about 5 % of audits."""
    runs = 400
    p = [
        judged(*(people(size, 3000 * size + 3 * run + part, 2) for part in range(3)), seed=run).evidence.attacks[0].p
        for run in range(runs)
    ]
    # p is withheld where members and people outside differ by themselves, in one audit of a hundred.
    assert np.mean([each is not None and each <= 0.05 for each in p]) <= 0.05 + 2.5 * (0.05 * 0.95 / runs) ** 0.5
