"""Attacks on tables of a few rows, worked out by hand."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier

import seethrough
from seethrough.attacks.attribute.dcr import Dcr, complete_by_category
from seethrough.attacks.attribute.infer import Infer
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.classifiers import Labelled, boosted_tree_probabilities, forest, logistic
from seethrough.kernels.learning.scores import expected_hits, inverse_weights, lead
from seethrough.kernels.neighbours.keys.nearest_by_label import majority_labels, nearest_by_label
from seethrough.kernels.points import Points
from seethrough.protocols.attack import AttributeView


def view_of(tables_of, known, released, secret="s"):
    """What an adversary sees: `known` has no secret."""
    names = list(known)
    reference = {name: [*known[name], *released[name]] for name in names} | {secret: released[secret]}
    padded = {name: values + [values[-1]] * 50 for name, values in reference.items()}
    width = min(map(len, padded.values()))
    real = {name: values[:width] for name, values in padded.items()}
    _, table = tables_of(real, released, secret=(secret,))
    _, people = tables_of(real, known | {secret: [released[secret][0]] * len(known[names[0]])}, secret=(secret,))
    classes = tuple(range(1, len(table.schema[secret].levels) + 1))
    targets = np.arange(len(people))
    return AttributeView(people.project(names), (table,), secret, classes, targets, Budget(threads=1))


def test_dcr_by_hand(tables_of):
    released = {"a": ["x", "x", "y"], "b": ["u", "u", "v"], "s": ["0", "0", "1"]}
    view = view_of(tables_of, {"a": ["x", "y"], "b": ["v", "v"]}, released)
    found = Dcr().guess(view, np.random.default_rng(0))
    # (x, v): one column off from a row with 0 and from one with 1, so both distances are 1.
    assert found.scores[0] == pytest.approx([0.5, 0.5])
    # (y, v): the row itself with 1 at distance 0; with 0 the nearest is that row at 1 (or (x, u, 0) at sqrt 2).
    assert found.scores[1] == pytest.approx([0, 1])
    assert found.certainty == pytest.approx([0, 1])
    assert found.details["distinct known parts"] == 2


def test_dcr_scores_are_d0_over_the_sum(tables_of):
    released = {"a": ["x", "z"], "b": ["u", "w"], "c": ["p", "q"], "s": ["0", "1"]}
    view = view_of(tables_of, {"a": ["x"], "b": ["u"], "c": ["q"]}, released)
    # Known part one column off from 0, two columns off from 1: d_0 = 1, d_1 = min(sqrt(1 + 1), sqrt(2)) = sqrt(2).
    [scores] = Dcr().guess(view, np.random.default_rng(0)).scores
    assert scores[1] == pytest.approx(1 / (1 + np.sqrt(2)))


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["one by one", "one pass"])
def test_dcr_without_each_key_is_dcr_that_never_knew_it(tables_of, monkeypatch, share):
    monkeypatch.setattr("seethrough.kernels.neighbours.keys.labels_in_turn.MOST_NEAR", share)
    rng = np.random.default_rng(3)

    def rows(count):
        return {
            "a": rng.choice(["x", "y", "z"], count).tolist(),
            "b": rng.choice([1.5, 2.5, 3.25, None], count).tolist(),
            "c": rng.choice(["p", "q"], count).tolist(),
            "d": rng.normal(size=count).round(1).tolist(),
        }

    # Few values, so that rows agree without a key, secrets tie, and the random numbers matter.
    known, released = rows(60), rows(90) | {"s": rng.choice(["0", "1", "2"], 90).tolist()}
    view, keys = view_of(tables_of, known, released), ("d", "b", "a")
    found = Dcr().guess_without(view, keys, lambda: np.random.default_rng(5))
    for key, guesses in zip(keys, found, strict=True):
        rest = [name for name in known if name != key]
        less = replace(view, known=view.known.project(rest), released=(view.whole_release().project([*rest, "s"]),))
        expected = Dcr().guess(less, np.random.default_rng(5))
        assert np.array_equal(guesses.scores, expected.scores)
        assert guesses.details == expected.details
    assert Dcr("codes").guess_without(view, keys, lambda: np.random.default_rng(5)) is None


def test_dcr_on_codes(tables_of):
    released = {"a": ["1", "4"], "s": ["0", "1"]}
    view = view_of(tables_of, {"a": ["2"]}, released)
    # Levels 1, 2, 4 have codes 1, 2, 3: one step to both. Mixed: one mismatch to both.
    for distance in ("codes", "mixed"):
        assert Dcr(distance).guess(view, np.random.default_rng(0)).scores[0] == pytest.approx([0.5, 0.5])
    nearer = view_of(tables_of, {"a": ["2"]}, {"a": ["1", "4", "3"], "s": ["0", "1", "1"]})
    # Now the codes are 1 to 4, and 3 with secret 1 is as far as 1 with secret 0; 4 is farther.
    assert Dcr("codes").guess(nearer, np.random.default_rng(0)).scores[0] == pytest.approx([0.5, 0.5])
    farther = view_of(tables_of, {"a": ["2", "3"]}, {"a": ["1", "4"], "s": ["0", "1"]})
    # (2): one step from 1 with 0, two from 4 with 1: d_0 = 1, d_1 = min(sqrt(1 + 1), 2).
    assert Dcr("codes").guess(farther, np.random.default_rng(0)).scores[0, 1] == pytest.approx(1 / (1 + np.sqrt(2)))


def test_equal_rows_take_their_most_frequent_secret_and_ties_are_random():
    groups, labels = np.array([3, 3, 3, 8, 8]), np.array([1, 2, 2, 1, 2])
    picks = []
    for seed in range(200):
        first, found = majority_labels(groups, labels, np.random.default_rng(seed))
        assert groups[first].tolist() == [3, 8]
        assert found[0] == 2
        picks.append(found[1])
    assert 60 < np.count_nonzero(np.array(picks) == 1) < 140


def test_ties_of_distances_are_guessed_at_random(tables_of):
    view = view_of(tables_of, {"a": ["x"] * 400}, {"a": ["y", "z"], "s": ["0", "1"]})
    answer = Dcr().guess(view, np.random.default_rng(0))
    assert 140 < answer.best(np.random.default_rng(0)).sum() < 260


def test_few_and_many_targets_are_measured_alike():
    rng = np.random.default_rng(0)
    numbers, codes = rng.normal(size=(300, 2)), rng.integers(0, 3, (2, 300)).astype(np.uint8)
    points, labels = Points(numbers, codes, np.ones(2)), rng.integers(0, 3, 300)
    asking = Points(rng.normal(size=(40, 2)), rng.integers(0, 3, (2, 40)).astype(np.uint8), np.ones(2))
    present, many = nearest_by_label(asking, points, labels, Budget(threads=1))
    few = [nearest_by_label(asking.take(np.array([row])), points, labels, Budget(threads=1))[1][0] for row in range(40)]
    np.testing.assert_allclose(many, np.array(few), rtol=1e-11)
    assert present.tolist() == [0, 1, 2]
    row, label = 5, 1
    apart = np.square(asking.numbers[row] - numbers).sum(axis=1) + (asking.codes[:, [row]] != codes).sum(axis=0)
    assert many[row, label] == pytest.approx(np.sqrt(apart[labels == label].min()))


def test_scores_by_hand():
    np.testing.assert_allclose(
        inverse_weights(np.array([[1.0, 3.0], [0, 0], [0, 2], [1, 2]])),
        [[0.75, 0.25], [0.5, 0.5], [1, 0], [2 / 3, 1 / 3]],
    )
    np.testing.assert_allclose(inverse_weights(np.array([[1.0, 2.0, 2.0]])), [[0.5, 0.25, 0.25]])
    np.testing.assert_allclose(lead(np.array([[0.7, 0.2, 0.1], [0.5, 0.5, 0]])), [0.5, 0])
    np.testing.assert_allclose(expected_hits(np.array([[0.5, 0.5], [0.2, 0.8]]), np.array([0, 1])), [0.5, 1])


@pytest.mark.parametrize("classifier", ["forest", "boosted", "logistic"])
def test_infer_learns_and_takes_levels_it_never_saw(tables_of, classifier):
    released = {"a": ["x", "y"] * 60, "b": [1.0, 2.0, 3.0] * 40, "s": ["no", "yes"] * 60}
    view = view_of(tables_of, {"a": ["x", "y", "new"], "b": [2.0, None, 9.0]}, released)
    found = Infer(classifier).guess(view, np.random.default_rng(0))
    assert found.scores.shape == (3, 2)
    assert found.scores.sum(axis=1) == pytest.approx(1)
    # P(class), not its complement: x goes with "no", the first level.
    assert found.scores[0, 0] > 0.9
    assert found.scores[1, 1] > 0.9


def test_infer_without_a_usable_row_has_no_opinion(tables_of):
    view = view_of(tables_of, {"a": ["x"]}, {"a": ["x", "y"], "s": ["no", "yes"]})
    nothing = view.released[0].take(np.arange(0))
    blind = AttributeView(view.known, (nothing,), "s", view.classes, view.targets, view.budget)
    assert Infer().guess(blind, np.random.default_rng(0)).scores[0] == pytest.approx([0.5, 0.5])


def test_the_forest_of_folded_rows_is_scikit_learns_forest_of_the_rows():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (30, 4)).astype(np.float32)
    rows = np.unique(rows, axis=0)
    labels, weights = rng.integers(0, 2, len(rows)), rng.integers(1, 5, len(rows))
    asked = rng.integers(0, 4, (200, 4)).astype(np.float32)
    ours = np.mean(
        [
            forest(Labelled(rows, labels, weights, 2), asked, np.random.default_rng(seed), Budget(threads=1))
            for seed in range(5)
        ],
        axis=0,
    )
    theirs = np.mean(
        [
            RandomForestClassifier(random_state=seed)
            .fit(np.repeat(rows, weights, axis=0), np.repeat(labels, weights))
            .predict_proba(asked)
            for seed in range(5)
        ],
        axis=0,
    )
    # Five forests of a hundred trees each: a probability has a standard error of at most 0.5 / sqrt(500) = 0.022.
    assert np.abs(ours - theirs).mean() < 0.03
    assert np.abs(ours - theirs).max() < 0.15


def test_threads_change_no_bit_of_a_forest():
    rng = np.random.default_rng(1)
    known = Labelled(rng.normal(size=(50, 3)), rng.integers(0, 3, 50), np.ones(50, np.int64), 3)
    found = [forest(known, known.rows, np.random.default_rng(2), Budget(threads=threads)) for threads in (1, 3)]
    assert np.array_equal(*found)


@pytest.mark.parametrize("learner", [forest, boosted_tree_probabilities, logistic])
def test_one_class_alone_is_certain(learner):
    known = Labelled(np.arange(40.0)[:, None], np.ones(40, np.int64), np.ones(40, np.int64), 3)
    assert learner(known, known.rows[:2], np.random.default_rng(0), Budget(threads=1))[:, 1] == pytest.approx(
        1, abs=1e-3
    )


@pytest.mark.parametrize("classifier", ["forest", "boosted", "logistic"])
def test_columns_of_one_value_leave_the_shares_of_the_release(classifier):
    real = pl.DataFrame({"k": ["a"] * 4, "s": ["x", "y", "x", "y"]})
    released = pl.DataFrame({"k": ["a"] * 4, "s": ["x", "x", "x", "y"]})
    found = seethrough.attack("infer", real, released, secret="s", params={"classifier": classifier})
    assert [guess.guess for guess in found.guesses] == ["x"] * 4
    assert all(guess.score == pytest.approx(0.75, abs=0.1) for guess in found.guesses)


def test_completed_records_are_as_far_as_the_definition_says():
    rng = np.random.default_rng(0)
    codes, present = np.array([1, 2, 4, 5]), np.array([1, 4, 5])
    apart = rng.random((50, 3)) * 3
    apart[rng.random(apart.shape) < 0.2] = 0
    differ = codes[:, None] != present
    expected = [[min(np.sqrt(d * d + x) for d, x in zip(row, xs, strict=True)) for xs in differ] for row in apart]
    assert np.array_equal(complete_by_category(apart, codes, present), expected)
