"""People alone with their keys: counts by a loop, a copy, the level, and what must not matter."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from seethrough.auditing.evidence.attribute.copying import fisher, key_sets_without, sweep_key_sets, whole_key_sets
from seethrough.auditing.evidence.attribute.key_sets import (
    GRAINS,
    KeyLookupPass,
    KeyPrints,
    ask_alone,
    chosen_sets,
    given_secrets,
    key_prints,
    possible_sets,
)
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.evidence.secrets import questions
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget


def people(rows, seed, *, keys=4, levels=6, number=False):
    """Keys that say nothing about the secret, a coin."""
    rng = np.random.default_rng(seed)
    columns = [Column(f"k{place}", Kind.CATEGORICAL, levels=tuple("abcdefghij"[:levels])) for place in range(keys)]
    values = [rng.integers(1, levels + 1, rows).astype(np.uint8) for _ in columns]
    if number:
        columns.append(Column("x", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5))
        values.append(rng.random(rows))
    columns.append(Column("secret", Kind.BINARY, Role.SECRET, levels=("no", "yes")))
    values.append(rng.integers(1, 3, rows).astype(np.uint8))
    return Table(Schema(tuple(columns)), tuple(values))


def mixed(real, outside, release, seed=0):
    return make_pool((real, outside, release), seed, Budget(threads=1))


def swept(real, outside, release, seed=0):
    pool = mixed(real, outside, release, seed)
    return sweep_key_sets(pool, questions(pool, seed), np.random.default_rng(seed))


def by_loop(pool, question, names):
    """Alone, given and right of every person, one after the other."""
    mine = [tuple(row) for row in zip(*(pool.people.column(name) for name in names), strict=True)]
    rows = [tuple(row) for row in zip(*(pool.release.column(name) for name in names), strict=True)]
    found = []
    for person, keys in enumerate(mine):
        secrets = [int(question.coding.codes(pool.release)[at]) for at, row in enumerate(rows) if row == keys]
        counts = np.bincount(secrets, minlength=3)
        is_alone = mine.count(keys) == 1
        is_given = is_alone and len(secrets) > 0 and (counts == counts.max()).sum() == 1
        right = is_given and question.classes.index(int(counts.argmax())) == question.truth[person]
        found.append((is_alone, is_given, right))
    return np.array(found).T


def test_alone_given_and_right_are_those_of_a_loop():
    pool = mixed(people(60, 1, levels=4), people(60, 2, levels=4), people(80, 3, levels=4))
    question = questions(pool, 0)[0]
    keys = key_prints(pool.people, question.known)
    sets = chosen_sets(keys, 2000, np.random.default_rng(0))
    asked = tuple((each, ask_alone(keys.rows(each), question.truth)) for each in sets)
    looking = KeyLookupPass(keys.coding, asked, question.coding, question.classes)
    in_parts = [looking.partial(pool.release.take(slice(*ends)), 0, None) for ends in ((31, 80), (0, 31))]
    for counts in (pool.release.fold(looking), looking.merge(*in_parts)):
        for (each, who), mine in zip(asked, counts, strict=True):
            found = given_secrets(who, mine, question.truth)
            expected = by_loop(pool, question, [keys.names[place] for place in each.places])
            assert (np.array([found.alone, found.given, found.right]) == expected).all()


def test_each_key_hidden_in_one_pass_is_a_look_up_without_it():
    pool = mixed(*(people(60, seed, keys=3, levels=4, number=True) for seed in (1, 2, 3)))
    question = questions(pool, 0)[0]
    hidden = ("x", "k1")
    found = key_sets_without(pool, question, hidden)
    for name, sets in zip(("", *hidden), found, strict=True):
        known = tuple(key for key in question.known if key != name)
        expected = whole_key_sets(pool, replace(question, known=known))
        assert [each.chosen.grain for each in sets] == [each.chosen.grain for each in expected]
        for mine, other in zip(sets, expected, strict=True):
            for what in ("alone", "given", "right"):
                assert (getattr(mine.found, what) == getattr(other.found, what)).all()
    assert found[0][0].found.alone.sum() > found[1][0].found.alone.sum() > 0


def test_fisher_is_that_of_scipy():
    table = [[7, 13], [2, 21]]
    assert fisher((7, 20), (2, 23)) == pytest.approx(stats.fisher_exact(table, "greater").pvalue)


def test_sets_are_all_of_one_to_four_keys_and_the_whole():
    pool = mixed(*(people(60, seed, keys=6, number=True) for seed in (1, 2, 3)))
    keys = key_prints(pool.people, questions(pool, 0)[0].known)
    expected = {(tuple(range(7)), grain) for grain in GRAINS}
    for size in range(1, 5):
        for places in combinations(range(7), size):
            expected |= {(places, grain) for grain in (GRAINS if 6 in places else GRAINS[:1])}
    found = {(each.places, each.grain) for each in chosen_sets(keys, 2000, np.random.default_rng(0))}
    assert found == expected
    assert possible_sets(keys) == len(expected)


def test_of_more_sets_some_are_drawn_and_it_is_told():
    found = swept(*(people(60, seed, keys=16, number=True) for seed in (1, 2, 3)))
    assert found.tried == 2000 < found.possible
    assert {len(table.keys) for table in found.whole} == {17}


def test_of_a_copy_everybody_who_is_alone_is_right():
    real = people(200, 1, number=True)
    found = swept(real, people(200, 2, number=True), real)
    assert [table.grain for table in found.whole] == ["exact values", "numbers in 10 parts", "numbers in 40 parts"]
    for table in (*found.whole, found.best):
        assert table.members_right == table.members_given == table.members_alone > 0
        assert table.p < 1e-6
    assert found.whole[0].outsiders_given == 0
    assert found.whole[0].p_given is None
    assert found.best.p_corrected == 1 / 1000


def test_blurred_numbers_are_found_at_a_grain():
    real = people(300, 1, number=True)
    blurred = Table(real.schema, (*real.columns[:4], real.columns[4] + 1e-4, real.columns[5]))
    exact, tenths, fortieths = swept(real, people(300, 2, number=True), blurred).whole
    assert exact.members_right == 0
    assert tenths.p < 1e-6
    assert fortieths.p < 1e-6


def test_the_order_of_rows_changes_nothing():
    tables = [people(150, seed) for seed in (1, 2, 3)]
    rng = np.random.default_rng(0)
    assert swept(*(table.take(rng.permutation(150)) for table in tables)) == swept(*tables)


def test_the_names_of_levels_change_nothing():
    pool = mixed(*(people(150, seed) for seed in (1, 2, 3)))
    question = questions(pool, 0)[0]
    keys = key_prints(pool.people, question.known)
    released = question.coding.codes(pool.release).astype(np.int64) - 1
    for each in chosen_sets(keys, 2000, np.random.default_rng(0)):
        mine, others = keys.rows(each), KeyPrints(keys.coding, pool.release).rows(each)
        codes = np.unique(np.concatenate([mine, others]), return_inverse=True)[1].astype(np.uint64)
        renamed = np.split((codes + np.uint64(1)) * np.uint64(0xD1342543DE82EF95), [len(mine)])
        asked = [ask_alone(rows, question.truth) for rows in (mine, renamed[0])]
        pairs = zip(asked, (others, renamed[1]), strict=True)
        first, second = (given_secrets(who, who.count(rows, released), question.truth) for who, rows in pairs)
        assert (first.right == second.right).all()
        assert (first.alone == second.alone).all()


@pytest.mark.slow
def test_the_largest_of_all_sets_holds_its_level():
    small = 0
    for seed in range(200):
        found = swept(*(people(100, 3 * seed + part, keys=7, levels=4) for part in range(3)), seed=seed)
        small += found.best is not None and found.best.p_corrected <= 0.05
    assert small <= 0.07 * 200
