"""People outside a table, each joined to it alone: against a fresh attack on the table with this one person in it."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from seethrough.attacks.attribute import recon
from seethrough.attacks.attribute._joining import Joining, joining_work
from seethrough.attacks.attribute._queries import find_shares
from seethrough.attacks.attribute.recon import Recon
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.cells import cells_of
from seethrough.protocols.attack import AttributeView, JoiningAttack

ATTACK = Recon(variant="gls", whole=True)
RNG = np.random.default_rng
LEVELS = tuple(map(str, range(1, 9)))


def table(codes, secret=None):
    columns = [*codes.T, *([] if secret is None else [secret])]
    names = [f"c{place}" for place in range(codes.shape[1])] + ([] if secret is None else ["ill"])
    schema = Schema(tuple(Column(name, Kind.CATEGORICAL, levels=LEVELS) for name in names))
    return Table(schema, tuple(column.astype(np.uint8) for column in columns))


def deal(seed, members=120, outside=60, classes=2, width=6):
    """Members and people outside of the same kind, and a release drawn from the members."""
    rng = RNG(seed)
    codes = rng.integers(1, 4, (members + outside, width))
    codes[members] = codes[0]  # somebody outside who equals a member
    secret = rng.integers(1, classes + 1, members)
    drawn = rng.integers(0, members, members)
    inside = np.arange(members + outside) < members
    return codes, inside, table(codes[:members][drawn], secret[drawn])


def view_of(codes, released, classes):
    return AttributeView(
        table(codes), (released,), "ill", tuple(range(1, classes + 1)), np.arange(len(codes)), Budget(threads=1)
    )


def test_it_is_such_an_attack():
    assert isinstance(ATTACK, JoiningAttack)


@pytest.mark.parametrize("classes", [2, 5])
def test_twenty_people_against_a_fresh_attack_each(classes):
    codes, inside, released = deal(classes, classes=classes)
    found = ATTACK.guess_joined(view_of(codes, released, classes), inside, RNG(0))
    alone = ATTACK.guess(view_of(codes[inside], released, classes), RNG(0))
    np.testing.assert_allclose(found.scores[inside], alone.scores, atol=1e-10)
    np.testing.assert_allclose(found.ranking[inside], alone.ranking, atol=1e-10)
    for person in np.flatnonzero(~inside)[:20]:
        fresh = ATTACK.guess(view_of(np.vstack([codes[inside], codes[person]]), released, classes), RNG(0))
        np.testing.assert_allclose(found.scores[person], fresh.scores[-1], atol=1e-10)
        np.testing.assert_allclose(found.ranking[person], fresh.ranking[-1], atol=1e-9)
        np.testing.assert_allclose(found.certainty[person], fresh.certainty[-1], atol=1e-10)
    twin = np.flatnonzero(~inside)[0]  # has the mean that the member who equals them has in the table with both
    both = ATTACK.guess(view_of(np.vstack([codes[inside], codes[twin]]), released, classes), RNG(0))
    np.testing.assert_allclose(found.scores[twin], both.scores[0], atol=1e-10)


def test_absent_cells_answered_by_nothing_are_joined_too():
    codes, inside, released = deal(7)
    attack = Recon(variant="gls", absent="zero")
    found = attack.guess_joined(view_of(codes, released, 2), inside, RNG(0))
    # A fresh attack knows the cells of its own people alone, as this one does of each person who joins.
    for person in np.flatnonzero(~inside)[:5]:
        fresh = attack.guess(view_of(np.vstack([codes[inside], codes[person]]), released, 2), RNG(0))
        np.testing.assert_allclose(found.scores[person], fresh.scores[-1], atol=1e-10)


@pytest.mark.parametrize("dense", [True, False])
def test_the_order_of_people_does_not_matter(dense, monkeypatch):
    if not dense:
        monkeypatch.setattr(recon, "DENSE", 0)
    codes, inside, released = deal(3)
    order = RNG(9).permutation(len(codes))
    one = ATTACK.guess_joined(view_of(codes, released, 2), inside, RNG(0))
    other = ATTACK.guess_joined(view_of(codes[order], released, 2), inside[order], RNG(0))
    # Of people who are alike one may be in one part and one in another.
    _, group, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    same = np.ones(len(codes), bool) if dense else counts[group] == 1
    np.testing.assert_allclose(other.scores[np.argsort(order)][same], one.scores[same], atol=1e-7)


def test_a_person_whom_no_released_row_meets_is_undecided():
    codes, inside, released = deal(4, classes=5)
    codes[-1] = 8
    found = ATTACK.guess_joined(view_of(codes, released, 5), inside, RNG(0))
    np.testing.assert_allclose(found.scores[-1], 0.2)
    assert found.ranking[-1] == pytest.approx(0)


def test_a_release_that_meets_nobody_tells_nothing():
    codes, inside, _ = deal(5)
    apart = table(np.full((4, codes.shape[1]), 7), np.array([1, 2, 1, 2]))
    found = ATTACK.guess_joined(view_of(codes, apart, 2), inside, RNG(0))
    np.testing.assert_allclose(found.scores, 0.5)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_large_table_is_joined_in_ten_parts(classes, monkeypatch):
    codes, inside, released = deal(6, classes=classes)
    alone = ATTACK.guess_joined(view_of(codes, released, classes), inside, RNG(0))
    monkeypatch.setattr(recon, "DENSE", 0)
    parts = ATTACK.guess_joined(view_of(codes, released, classes), inside, RNG(0))
    assert parts.details["engine"] == "conjugate gradients"
    np.testing.assert_allclose(parts.scores[inside], alone.scores[inside], atol=1e-4)
    # With no more people than parts each one joins alone.
    few = np.flatnonzero(inside | (np.arange(len(codes)) >= len(codes) - 10))
    single = ATTACK.guess_joined(view_of(codes[few], released, classes), inside[few], RNG(0))
    np.testing.assert_allclose(single.scores, alone.scores[few], atol=1e-4)
    again = ATTACK.guess_joined(view_of(codes, released, classes), inside, RNG(1))
    np.testing.assert_array_equal(parts.scores, again.scores)


@pytest.mark.parametrize("attack", [Recon(), Recon("weighted"), Recon("robust"), Recon("gls", queries="marginal")])
def test_what_has_no_such_form_says_so(attack):
    codes, inside, released = deal(8)
    assert attack.guess_joined(view_of(codes, released, 2), inside, RNG(0)) is None


def test_people_in_very_many_cells_are_joined_in_parts(monkeypatch):
    """Of 44 columns a person is in 947 cells, and a solve in these for each person outside would take minutes."""
    codes, inside, released = deal(6, classes=2)
    alone, parts = (view_of(codes, released, 2) for _ in range(2))
    assert ATTACK.guess_joined(alone, inside, RNG(0)).details["people outside"] == "one by one"
    monkeypatch.setattr(recon, "MOST_WORK", 1000)
    assert ATTACK.guess_joined(parts, inside, RNG(0)).details["people outside"] == "in ten parts"


@pytest.mark.parametrize("classes", [2, 5])
def test_least_deviations_are_those_of_the_table_with_this_one_person(classes):
    codes, inside, released = deal(9, classes=classes)
    _, tally = ATTACK._count_cells(view_of(codes, released, classes), RNG(0))
    found = Joining(find_shares(tally, "drop"), inside, recon.FLOOR).least_deviations()
    variance = (1 - 1 / classes) / classes
    for person in [0, 1, *np.flatnonzero(~inside)[:5]]:
        mine = inside | (np.arange(len(codes)) == person)
        frame, answers = ATTACK.make_queries(view_of(codes[mine], released, classes), RNG(0))
        row = frame.cells.row_of[np.flatnonzero(mine).tolist().index(person)]
        equal = frame.cells.weights[row]
        weights = (1 / (answers.variances + recon.FLOOR))[answers.matrix[:, [row]].toarray()[:, 0] > 0]
        alone = 1 / (weights.sum(axis=0) + 1 / (equal * variance)) / equal**2 + variance * (1 - 1 / equal)
        np.testing.assert_allclose(found[person], np.sqrt(alone), rtol=1e-12)


def test_who_is_surest_in_parts_is_hardly_another_than_one_by_one(monkeypatch):
    codes, inside, released = deal(6, classes=3)
    alone = ATTACK.guess_joined(view_of(codes, released, 3), inside, RNG(0))
    monkeypatch.setattr(recon, "MOST_WORK", 0)
    parts = ATTACK.guess_joined(view_of(codes, released, 3), inside, RNG(0))
    assert parts.details["people outside"] == "in ten parts"
    assert spearmanr(parts.ranking[:, 0], alone.ranking[:, 0]).statistic > 0.95


def test_work_grows_with_the_classes_that_are_solved_for():
    """Two classes mirror each other and are one solve; of six declared, each is one, whatever the release shows."""
    codes, inside, released = deal(6, classes=2)
    frame, _ = ATTACK.make_queries(view_of(codes, released, 2), RNG(0))
    assert joining_work(frame.cells, inside, 6) == 6 * joining_work(frame.cells, inside, 2)


def test_work_of_three_records_by_hand():
    """Two members have 5 cells of 3 sets: 1; 1, 2; and both pairs. A factor is 8 // 20, a solve for one person 9."""
    codes = np.array([[1, 1], [1, 2], [2, 2]])
    cells = cells_of(list(codes.T), [3, 3], [(0,), (1,), (0, 1)])
    assert joining_work(cells, np.array([True, True, False]), 2) == 0 + 2 * 3 * (2 + 2) + 9


def test_a_secret_of_many_classes_is_joined_in_parts(monkeypatch):
    codes, inside, released = deal(6, classes=2)
    monkeypatch.setattr(recon, "MOST_WORK", 1_000_000)
    few, many = (ATTACK.guess_joined(view_of(codes, released, classes), inside, RNG(0)) for classes in (2, 7))
    assert few.details["people outside"] == "one by one"
    assert many.details["people outside"] == "in ten parts"


def test_a_view_is_solved_once_for_whoever_asks(monkeypatch):
    codes, inside, released = deal(7)
    view, fresh = (view_of(codes, released, 2) for _ in range(2))
    solves = []
    solve = Recon._solve_joined
    monkeypatch.setattr(Recon, "_solve_joined", lambda *given: solves.append(given) or solve(*given))
    first, second = (Recon("gls", whole=True).guess_joined(view, inside, RNG(seed)) for seed in (0, 1))
    assert first is second
    assert len(solves) == 1
    assert Recon("gls", whole=True).guess_joined(view, ~inside, RNG(0)) is not first
    assert Recon("gls", k=2).guess_joined(view, inside, RNG(0)) is not first
    np.testing.assert_array_equal(Recon("gls", whole=True).guess_joined(fresh, inside, RNG(2)).scores, first.scores)
