"""gcap, zcap and air as attacks: values by hand, the definition by a double loop, and what must not matter."""

import numpy as np
import pytest

from seethrough.attacks.attribute.air import Air
from seethrough.attacks.attribute.gcap import Gcap
from seethrough.attacks.attribute.zcap import Zcap
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.protocols.attack import AttributeView

LEVELS = tuple("abcd")
BUDGET = Budget(threads=1)


def rng():
    return np.random.default_rng(0)


def table(columns, secret=None, low=0.0, high=10.0):
    """Categories are letters, numbers are numbers; the secret has the values x, y, z."""
    schema, values = [], []
    for name, given in columns.items():
        if isinstance(given[0], str):
            schema.append(Column(name, Kind.CATEGORICAL, levels=LEVELS))
            values.append(np.array([LEVELS.index(value) + 1 for value in given], np.uint8))
        else:
            schema.append(Column(name, Kind.NUMERIC, low=low, high=high, fill=5.0))
            values.append(np.array(given, float))
    if secret is not None:
        schema.append(Column("s", Kind.CATEGORICAL, Role.SECRET, levels=tuple("xyz")))
        values.append(np.array(["-xyz".index(value) for value in secret], np.uint8))
    return Table(Schema(tuple(schema)), tuple(values))


def view(people, released, secret, targets=None):
    known = table(people)
    asked = np.arange(len(known)) if targets is None else np.array(targets)
    return AttributeView(known, (table(released, secret),), "s", (1, 2, 3), asked, BUDGET)


RELEASED = {"a": list("aaab"), "b": list("aabb"), "c": list("aaab")}
SECRETS = "xxyz"


def test_gcap_by_hand():
    # aaa: two rows equal, both x. aab: rows 1, 2 differ in one (c), row 3 in two (b, c), row 4 in two: x, x.
    # bba: row 4 differs in one (c); row 3 differs in one (a): y and z share. ddd: all differ in all three.
    asked = view({"a": list("aabd"), "b": list("aabd"), "c": list("abad")}, RELEASED, SECRETS)
    found = Gcap().guess(asked, rng())
    assert found.scores == pytest.approx(np.array([[1, 0, 0], [1, 0, 0], [0, 0.5, 0.5], [0.5, 0.25, 0.25]]))
    assert found.certainty == pytest.approx([1, 1, 0, 0.25])
    # Ranked by the columns that differ, then the lead, then the number of rows.
    assert found.ranking == pytest.approx(np.array([[0, 1, 2], [-1, 1, 2], [-1, 0, 2], [-3, 0.25, 4]]))


def test_zcap_by_hand_guesses_nothing_without_a_match():
    asked = view({"a": list("aad"), "b": list("abd"), "c": list("aad")}, RELEASED, SECRETS)
    found = Zcap().guess(asked, rng())
    assert found.scores == pytest.approx(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    assert found.ranking == pytest.approx(np.array([[1, 2], [1, 1], [0, 0]]))
    assert found.best(rng()).tolist() == [0, 1, -1]
    # The person without a match is not right whatever the truth is, though all three scores tie.
    for truth in range(3):
        assert expected_hits(found.scores, np.array([0, 1, truth])).tolist() == [1, 1, 0]


def test_a_tie_among_matches_is_shared_and_ranks_above_no_match():
    asked = view({"a": list("ab")}, {"a": list("aa")}, "xy")
    found = Zcap().guess(asked, rng())
    assert expected_hits(found.scores, np.array([0, 0])).tolist() == [0.5, 0]
    assert tuple(found.ranking[0]) > tuple(found.ranking[1])


def test_air_by_hand():
    # Numbers are scaled by 10. Person (a, 2): (a, 1) at .1, (a, 4) at .2, (b, 2) at 1.
    released = {"a": list("aab"), "n": [1.0, 4.0, 2.0]}
    asked = view({"a": list("aab"), "n": [2.0, 2.5, 2.0]}, released, "xyz")
    found = Air().guess(asked, rng())
    # (a, 2.5) is as near to 1 as to 4: both share.
    assert found.scores == pytest.approx(np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]))
    assert found.ranking == pytest.approx(np.array([[-0.1, 1], [-0.15, 0], [0, 1]]))
    nearest_two = Air(neighbours=2).guess(asked, rng())
    assert nearest_two.scores[0] == pytest.approx([0.5, 0.5, 0])


def test_numbers_match_exactly_or_by_tenths_of_the_people():
    people = {"n": [float(value) for value in range(20)]}
    released = {"n": [0.4, 18.6]}
    exact = Zcap().guess(view(people, released, "xy"), rng())
    assert not exact.scores.any()
    binned = Zcap(numeric_keys="bin").guess(view(people, released, "xy"), rng())
    # Tenths of 0 .. 19 are pairs: 0.4 is with 0 and 1, 18.6 with 18 and 19.
    assert np.flatnonzero(binned.scores[:, 0]).tolist() == [0, 1]
    assert np.flatnonzero(binned.scores[:, 1]).tolist() == [18, 19]
    # The tenths are those of everybody known, not of the targets.
    few = Zcap(numeric_keys="bin").guess(view(people, released, "xy", targets=[1, 10]), rng())
    assert np.array_equal(few.scores, binned.scores[[1, 10]])


def random_case(seed, people=60, rows=80):
    draw = np.random.default_rng(seed)
    columns = lambda n: {  # noqa: E731
        **{name: list(np.array(LEVELS)[draw.integers(0, 3, n)]) for name in "abc"},
        "n": draw.integers(0, 6, n).astype(float).tolist(),
    }
    return columns(people), columns(rows), "".join(np.array(list("xyz"))[draw.integers(0, 3, rows)])


def brute(people, released, secret, measure):
    """Shares of classes among all rows at the smallest distance, and that distance."""
    names, found = list(people), []
    for person in zip(*people.values(), strict=True):
        apart = np.array([measure(person, row) for row in zip(*(released[name] for name in names), strict=True)])
        near = np.flatnonzero(apart <= apart.min() + 1e-12)
        counts = np.array([sum(secret[place] == level for place in near) for level in "xyz"])
        found.append((counts / counts.sum(), apart.min()))
    return np.array([shares for shares, _ in found]), np.array([apart for _, apart in found])


def differing(person, row):
    return sum(x != y for x, y in zip(person, row, strict=True))


def gower(person, row):
    parts = [float(x != y) if isinstance(x, str) else ((x - y) / 10) ** 2 for x, y in zip(person, row, strict=True)]
    return float(np.sqrt(sum(parts)))


@pytest.mark.parametrize("seed", range(6))
def test_the_attacks_are_their_definitions(seed):
    people, released, secret = random_case(seed)
    asked = view(people, released, secret)
    shares, apart = brute(people, released, secret, differing)
    found = Gcap().guess(asked, rng())
    np.testing.assert_allclose(found.scores, shares, atol=1e-12)
    np.testing.assert_array_equal(-found.ranking[:, 0], apart)
    matched = Zcap().guess(asked, rng()).scores
    np.testing.assert_allclose(matched, np.where((apart == 0)[:, None], shares, 0), atol=1e-12)
    shares, apart = brute(people, released, secret, gower)
    found = Air().guess(asked, rng())
    np.testing.assert_allclose(found.scores, shares, atol=1e-12)
    np.testing.assert_allclose(-found.ranking[:, 0], apart, atol=1e-12)


@pytest.mark.parametrize("attack", [Gcap(), Zcap(), Air()], ids=lambda attack: attack.name)
def test_neither_the_order_of_rows_nor_the_names_of_levels_matter(attack):
    people, released, secret = random_case(7)
    plain = attack.guess(view(people, released, secret), rng())
    order, back = np.random.default_rng(1).permutation(60), np.random.default_rng(2).permutation(80)
    moved = attack.guess(
        view(
            {name: [values[place] for place in order] for name, values in people.items()},
            {name: [values[place] for place in back] for name, values in released.items()},
            "".join(secret[place] for place in back),
        ),
        rng(),
    )
    np.testing.assert_array_equal(moved.scores, plain.scores[order])
    np.testing.assert_array_equal(moved.ranking, plain.ranking[order])
    other = dict(zip("abcd", "dbac", strict=True))
    renamed = attack.guess(
        view(
            *(
                {name: [other.get(value, value) for value in side[name]] for name in side}
                for side in (people, released)
            ),
            "".join(dict(zip("xyz", "zxy", strict=True))[value] for value in secret),
        ),
        rng(),
    )
    np.testing.assert_array_equal(renamed.scores[:, [2, 0, 1]], plain.scores)
    np.testing.assert_array_equal(renamed.ranking, plain.ranking)


@pytest.mark.parametrize("attack", [Gcap(), Zcap(), Air()], ids=lambda attack: attack.name)
def test_a_person_is_answered_alone_and_rows_without_a_class_are_left_out(attack):
    people, released, secret = random_case(3)
    plain = attack.guess(view(people, released, secret), rng())
    few = attack.guess(view(people, released, secret, targets=[5, 17]), rng())
    np.testing.assert_array_equal(few.scores, plain.scores[[5, 17]])
    padded = {name: [*values, *values[:9]] for name, values in released.items()}
    missing = attack.guess(view(people, padded, secret + "-" * 9), rng())
    np.testing.assert_array_equal(missing.scores, plain.scores)


def test_a_number_is_guessed_by_the_median_and_right_within_the_tolerance():
    released = table({"a": list("aaab"), "n": [1.0, 1.0, 1.0, 5.0], "x": [10.0, 20.0, 90.0, 7.0]})
    known = table({"a": list("aab"), "n": [1.0, 1.0, 5.0]})
    asked = AttributeView(known, (released,), "x", (), np.arange(3), BUDGET)
    found = Air(tolerance=0.5).guess_number(asked, rng())
    # Nearest to (a, 1): 10, 20 and 90, of which 10 and 20 are within half of the median 20.
    assert found.numbers.tolist() == [20, 20, 7]
    assert found.ranking == pytest.approx(np.array([[0, 2 / 3], [0, 2 / 3], [0, 1]]))
    # Within half the size of the truth: 20 of 14 to 40; a negative or missing truth is not met.
    assert found.hits(np.array([14.0, 13.0, -7.0])).tolist() == [1, 0, 0]
    assert found.hits(np.array([40.0, 41.0, 7.0])).tolist() == [1, 0, 1]
    blind = Table(released.schema, (*released.columns[:2], np.array([np.nan] * 4)))
    with pytest.raises(NotApplicable, match="'x'"):
        Air().guess_number(AttributeView(known, (blind,), "x", (), np.arange(3), BUDGET), rng())
