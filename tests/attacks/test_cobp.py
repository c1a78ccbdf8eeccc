"""CoBP-RA: against its steps written out one person at a time, and what it comes to in simple cases."""

import numpy as np
import pytest

from seethrough.attacks.attribute.cobp import Cobp
from seethrough.attacks.attribute.recon import Recon
from seethrough.bench.secret_classifier import SecretTask
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.classifiers import Forest
from seethrough.protocols.attack import AttributeView, JointAttack

HIDDEN = {"ill": 2, "job": 3, "town": 4}
SCHEMA = Schema(
    (
        Column("a", Kind.CATEGORICAL, levels=tuple("pqr")),
        Column("b", Kind.CATEGORICAL, levels=tuple("pqrs")),
        Column("n", Kind.NUMERIC, low=0.0, high=9.0, fill=4.0),
        *(Column(name, Kind.CATEGORICAL, Role.SECRET, levels=tuple("vwxyz"[:count])) for name, count in HIDDEN.items()),
    )
)


def rng():
    return np.random.default_rng(0)


def people(rows, seed, missing=0.0):
    """People whose hidden columns hang together, and on the keys."""
    draw = np.random.default_rng(seed)
    a, b, n = draw.integers(1, 4, rows), draw.integers(1, 5, rows), draw.integers(0, 10, rows).astype(float)
    ill = 1 + (draw.random(rows) < 0.2 + 0.2 * (a == 1))
    job = 1 + (ill + draw.integers(0, 2, rows) + (b > 2)) % 3
    town = 1 + (job + draw.integers(0, 2, rows)) % 4
    hidden = [np.where(draw.random(rows) < missing, 0, values).astype(np.uint8) for values in (ill, job, town)]
    return Table(SCHEMA, (a.astype(np.uint8), b.astype(np.uint8), n, *hidden))


def views(known, released, hidden=HIDDEN, budget=None):
    asked = known.project(["a", "b", "n"])
    return [
        AttributeView(
            asked,
            (released,),
            name,
            tuple(range(1, HIDDEN[name] + 1)),
            np.arange(len(known)),
            budget or Budget(threads=1),
        )
        for name in hidden
    ]


def by_hand(unaries, released, asked, attack):
    """Steps 2 to 4, person by person, with the joint distribution of all hidden columns in full."""
    names = list(HIDDEN)
    values = {name: released.column(name).astype(int) - 1 for name in names}
    keys = [np.column_stack([table.column("a"), table.column("b"), table.column("n")]) for table in (released, asked)]

    def counts(a, b, rows):
        table = np.zeros((HIDDEN[a], HIDDEN[b]))
        for row in rows:
            table[values[a][row], values[b][row]] += 1
        return table

    def information(a, b):
        joint = counts(a, b, range(len(released))) / len(released)
        apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        return sum(p * np.log(p / q) for p, q in zip(joint.ravel(), apart.ravel(), strict=True) if p > 0)

    pairs = sorted([("ill", "job"), ("ill", "town"), ("job", "town")], key=lambda pair: -information(*pair))[:2]
    found = [np.zeros_like(unary) for unary in unaries]
    content = np.lexsort([released.column(name) for name in reversed([*("a", "b", "n"), *names])])
    for person, key in enumerate(keys[1]):
        apart = (keys[0][:, :2] != key[:2]).sum(axis=1) + np.square((keys[0][:, 2] - key[2]) / 9)
        nearest = content[np.argsort(apart[content].round(12), kind="stable")][: attack.k]
        joint = np.ones(tuple(HIDDEN.values()))
        for axis, unary in enumerate(unaries):
            joint = joint * unary[person].reshape([-1 if place == axis else 1 for place in range(3)])
        for a, b in pairs:
            rows = nearest if attack.k >= 5 * HIDDEN[a] * HIDDEN[b] else range(len(released))
            table = counts(a, b, rows) + attack.smoothing
            table /= table.sum()
            table = table / table.sum(axis=1, keepdims=True) / table.sum(axis=0, keepdims=True)
            joint = joint * table.reshape([HIDDEN[name] if name in {a, b} else 1 for name in names])
        joint /= joint.sum()
        for axis in range(3):
            found[axis][person] = joint.sum(axis=tuple(place for place in range(3) if place != axis))
    return found


@pytest.mark.parametrize("k", [20, 45, 60])
def test_the_beliefs_are_the_margins_of_the_whole_product(k):
    # k = 20: no edge but one of 4 cells would be local; 45: edges of up to 9 cells; 60: all edges.
    released, asked = people(200, 1), people(15, 2)
    attack = Cobp(unary="forest", k=k, smoothing=0.5, correction=0.0)
    unaries = [
        found.scores for found in Cobp("forest", graph="none", correction=0.0).guess_all(views(asked, released), rng())
    ]
    found = attack.guess_all(views(asked, released), rng())
    for answer, expected in zip(found, by_hand(unaries, released, asked, attack), strict=True):
        np.testing.assert_allclose(answer.scores, expected, atol=1e-10)
    assert found[0].details["edges"] == 2
    assert found[0].details["edges with tables of each person"] == {20: 0, 45: 1, 60: 2}[k]


def test_unaries_are_what_they_are_made_of():
    released, asked = people(300, 1), people(40, 2)
    [view] = views(asked, released, ["job"])
    [child] = rng().spawn(1)
    task = SecretTask("job", (1, 2, 3), "forest", Forest(25, 25))
    forest = task.scores(released, view.known, child, view.budget)
    found = Cobp("forest", correction=0.0).guess(view, rng()).scores
    np.testing.assert_allclose(found, np.maximum(forest, 1e-12), atol=1e-11)
    gls = Recon(variant="gls", whole=True).guess(view, rng()).scores
    np.testing.assert_allclose(Cobp("gls", correction=0.0).guess(view, rng()).scores, gls, atol=1e-11)
    both = np.sqrt(np.maximum(forest, 0.01) * np.maximum(gls, 0.01))
    np.testing.assert_allclose(Cobp().guess(view, rng()).scores, both / both.sum(axis=1, keepdims=True), atol=1e-11)


def test_one_hidden_column_is_its_unary_corrected():
    released, asked = people(300, 1), people(40, 2)
    [view] = views(asked, released, ["ill"])
    plain = Cobp("forest", correction=0.0).guess(view, rng()).scores
    shares = np.bincount(released.column("ill"))[1:] / 300
    weights = np.sqrt(shares / plain.mean(axis=0))
    expected = plain * weights / (plain * weights).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(Cobp("forest").guess(view, rng()).scores, expected, atol=1e-7)


def test_a_copy_with_distinct_keys_is_right_everywhere_before_messages():
    real = people(120, 3)
    distinct = Table(SCHEMA, (*real.columns[:2], np.arange(120.0), *real.columns[3:]))
    found = Cobp("gls", graph="none", correction=0.0).guess_all(views(distinct, distinct), rng())
    for answer, name in zip(found, HIDDEN, strict=True):
        assert (answer.scores.argmax(axis=1) == distinct.column(name).astype(int) - 1).all()


def test_a_level_that_the_release_does_not_show_is_never_guessed():
    released, asked = people(300, 1), people(40, 2)
    hide = np.where(released.column("town") == 3, 0, released.column("town")).astype(np.uint8)
    one = np.full(300, 2, np.uint8)
    released = Table(SCHEMA, (*released.columns[:4], one, hide))
    for unary in ("both", "forest", "boosted", "gls"):
        ill, job, town = Cobp(unary).guess_all(views(asked, released), rng())
        # A column of one level: that level for everybody, and not in the graph.
        assert (job.scores == [0, 1, 0]).all()
        assert not town.scores[:, 2].any()
        np.testing.assert_allclose(town.scores.sum(axis=1), 1)
        assert ill.details["edges"] == 1


@pytest.mark.parametrize("unary", ["both", "forest"])
def test_neither_rows_blocks_nor_threads_matter(unary):
    released, asked = people(250, 1, missing=0.1), people(60, 2)
    plain = Cobp(unary).guess_all(views(asked, released), rng())
    order, mixed = np.random.default_rng(1).permutation(60), np.random.default_rng(2).permutation(250)
    moved = Cobp(unary).guess_all(views(asked.take(order), released.take(mixed)), rng())
    small = Cobp(unary).guess_all(views(asked, released, budget=Budget(memory=30_000, threads=3)), rng())
    for one, two, three in zip(plain, moved, small, strict=True):
        np.testing.assert_allclose(two.scores, one.scores[order], atol=1e-9)
        np.testing.assert_array_equal(three.scores, one.scores)


def test_what_cannot_be_asked_is_refused():
    released, asked = people(50, 1), people(10, 2)
    nothing = Table(SCHEMA, (*released.columns[:5], np.zeros(50, np.uint8)))
    with pytest.raises(NotApplicable, match="town"):
        Cobp().guess_all(views(asked, nothing), rng())
    for wrong in ({"k": 0}, {"smoothing": 0.0}, {"correction": -1.0}):
        with pytest.raises(ConfigError, match="cobp"):
            Cobp(**wrong)
    assert isinstance(Cobp(), JointAttack)
    assert not isinstance(Recon(), JointAttack)
