"""Linear reconstruction: by hand on a few records, and what must happen on small random tables."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.attacks.attribute import recon
from seethrough.attacks.attribute._queries import answer_queries, make_frame, tally_release
from seethrough.attacks.attribute.recon import Recon, forced_gaps
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable, SchemaMismatch
from seethrough.kernels.budget import Budget
from seethrough.kernels.solvers import l1
from seethrough.protocols.attack import AttributeView
from seethrough.protocols.parameters import with_values

VARIANTS = ("lp", "weighted", "gls", "gls-prior", "robust")
RNG = np.random.default_rng


def table(**columns):
    """Whole numbers are codes of a category, others are numbers."""
    schema, arrays = [], []
    for name, values in columns.items():
        array = np.asarray(values)
        if array.dtype.kind == "f":
            schema.append(Column(name, Kind.NUMERIC, low=0.0, high=1.0, fill=0.5))
            arrays.append(array)
        else:
            schema.append(Column(name, Kind.CATEGORICAL, levels=tuple(map(str, range(1, 9)))))
            arrays.append(array.astype(np.uint16))
    return Table(Schema(tuple(schema)), tuple(arrays))


def view_of(known, released, classes=(1, 2), targets=None):
    places = np.arange(len(known)) if targets is None else np.asarray(targets)
    return AttributeView(known, tuple(released), "ill", tuple(classes), places, Budget(threads=1))


def people(rng, rows=80, classes=2, width=8):
    """Random known columns, mostly unique rows, and a random secret."""
    known = {f"c{place}": rng.integers(1, 5, rows) for place in range(width)}
    return known, rng.integers(1, classes + 1, rows)


def drawn(known, secret, rng, rows):
    picks = rng.integers(0, len(secret), rows)
    return table(**{name: values[picks] for name, values in known.items()}, ill=secret[picks])


def hits(guesses, secret):
    return float((guesses.scores.argmax(axis=1) + 1 == secret).mean())


def test_three_records_by_hand():
    # Cells {0, 1} and {2} of a, {0} and {1, 2} of b; the release is the table itself, so r = 1, 1, 1, 1.
    known = table(a=[1, 1, 2], b=[1, 2, 2])
    found = Recon(k=2).guess(view_of(known, [table(a=[1, 1, 2], b=[1, 2, 2], ill=[2, 1, 2])]), RNG(0))
    assert found.scores[:, 1] == pytest.approx([1, 0, 1], abs=1e-6)
    assert found.certainty == pytest.approx([1, 1, 1], abs=1e-6)
    assert found.details["objective"] == pytest.approx(0, abs=1e-6)
    assert (found.details["queries"], found.details["subsets"]) == (4, 2)
    # With the last row twice r = 1, 1, 1 and 2/3 * 2 = 4/3; t = (1, 0, 1) leaves 1/3, and nothing leaves less.
    more = table(a=[1, 1, 2, 2], b=[1, 2, 2, 2], ill=[2, 1, 2, 2])
    found = Recon(k=2).guess(view_of(known, [more]), RNG(0))
    assert found.details["objective"] == pytest.approx(1 / 3, abs=1e-6)
    assert found.details["gap"] <= 1e-5
    assert found.details["status"] == "optimal"


def test_answers_by_hand():
    known = table(a=[1, 1, 2, 3], b=[1, 1, 1, 2])
    released = [table(a=[1, 1, 1, 2], b=[1, 1, 2, 9], ill=[2, 1, 1, 2])]
    frame = make_frame(known, 2, None, RNG(0))
    tally = tally_release(frame, released, "ill", (1, 2))
    conditional = answer_queries(tally, "conditional", "drop")
    assert conditional.members.tolist() == [2, 1, 3, 1]  # a = 3 is in no released row
    assert conditional.released.tolist() == [3, 1, 2, 1]
    assert conditional.values[:, 1] == pytest.approx([1 / 3 * 2, 1, 1 / 2 * 3, 0])
    zero = answer_queries(tally, "conditional", "zero")
    assert zero.values[:, 1] == pytest.approx([2 / 3, 1, 0, 3 / 2, 0])
    marginal = answer_queries(tally, "marginal", "drop")
    assert marginal.values[:, 1] == pytest.approx([1, 1, 0, 1, 0])  # o * 4 / 4
    # Half a row is added to each class: share (1 + 1/2) / 4 in the first cell, and c^2 p (1 - p) / s.
    assert conditional.variances[0, 1] == pytest.approx(4 * 0.375 * 0.625 / 3)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("classes", [2, 3])
def test_many_rows_drawn_from_the_records_give_their_secrets_away(variant, classes):
    rng = RNG(1)
    known, secret = people(rng, classes=classes)
    view = view_of(table(**known), [drawn(known, secret, rng, 40_000)], range(1, classes + 1))
    found = Recon(variant=variant).guess(view, RNG(0))
    assert hits(found, secret) >= 0.95
    np.testing.assert_allclose(found.scores.sum(axis=1), 1)
    assert ((found.certainty >= 0) & (found.certainty <= 1)).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_independent_columns_give_nothing_away(variant):
    right = []
    for seed in range(6):
        rng = RNG(seed)
        known, secret = people(rng)
        apart = {name: rng.permutation(np.repeat(values, 50)) for name, values in known.items()}
        released = table(**apart, ill=rng.permutation(np.repeat(secret, 50)))
        right.append(hits(Recon(variant=variant).guess(view_of(table(**known), [released]), RNG(0)), secret))
    assert 0.38 <= np.mean(right) <= 0.65  # 480 guesses; a majority of one class may be right a little more often


def test_fewer_rows_tell_less_and_the_certainty_says_so():
    rng = RNG(5)
    known, secret = people(rng, rows=150)
    few, many = (
        Recon(variant="gls").guess(view_of(table(**known), [drawn(known, secret, rng, rows)]), RNG(0))
        for rows in (150, 30_000)
    )
    assert hits(few, secret) < hits(many, secret)
    assert few.certainty.mean() < many.certainty.mean()


def test_two_released_tables_are_pooled():
    rng = RNG(2)
    known, secret = people(rng)
    first, second = (drawn(known, secret, rng, 500) for _ in range(2))
    both = Table(first.schema, tuple(np.concatenate(pair) for pair in zip(first.columns, second.columns, strict=True)))
    frame = make_frame(table(**known), 3, None, RNG(0))
    apart, together = (
        tally_release(frame, iter([first, second]), "ill", (1, 2)),
        tally_release(frame, [both], "ill", (1, 2)),
    )
    np.testing.assert_array_equal(apart.counts, together.counts)
    assert apart.rows == together.rows == 1000
    one = Recon().guess(view_of(table(**known), [first, second]), RNG(0))
    other = Recon().guess(view_of(table(**known), [both]), RNG(0))
    np.testing.assert_array_equal(one.scores, other.scores)


@pytest.mark.parametrize("variant", ["lp", "gls", "robust"])
def test_the_order_of_the_known_records_does_not_matter(variant):
    rng = RNG(3)
    known, secret = people(rng)
    released, order = drawn(known, secret, rng, 2000), rng.permutation(80)
    attack = Recon(variant=variant)
    one = attack.guess(view_of(table(**known), [released]), RNG(0))
    other = attack.guess(view_of(table(**known).take(order), [released]), RNG(0))
    np.testing.assert_allclose(other.scores, one.scores[order], atol=1e-6)


def test_targets_are_answered_in_their_order():
    rng = RNG(4)
    known, secret = people(rng)
    released = [drawn(known, secret, rng, 2000)]
    everybody = Recon(variant="gls-prior").guess(view_of(table(**known), released), RNG(0))
    some = Recon(variant="gls-prior").guess(view_of(table(**known), released, targets=[7, 3]), RNG(0))
    np.testing.assert_allclose(some.scores, everybody.scores[[7, 3]])


def test_two_classes_are_one_program_or_two():
    rng = RNG(6)
    known, secret = people(rng)
    released = [drawn(known, secret, rng, 3000)]
    attack, view = Recon(), view_of(table(**known), released)
    frame, answers = attack.make_queries(view, RNG(0))
    program = attack.program(answers, frame)
    one = l1.solve(program)
    both = l1.solve(replace(program, answers=answers.values, weights=np.ones(answers.values.shape)))
    assert both.objective == pytest.approx(2 * one.objective, rel=1e-6)
    # Several t may be optimal: what one program finds has to be so in the other, and close.
    assert program.objective(program.matrix @ both.shares[:, 1:]) == pytest.approx(one.objective, rel=1e-6)
    np.testing.assert_allclose(both.shares[:, 1], one.shares[:, 0], atol=0.02)


def test_missing_values_and_numbers_are_known_columns_like_others():
    rng = RNG(7)
    known, secret = people(rng, width=5)
    known["c0"] = np.where(rng.random(80) < 0.3, 0, known["c0"])
    known["age"] = np.where(rng.random(80) < 0.2, np.nan, rng.normal(40, 10, 80))
    known["income"] = rng.lognormal(3, 1, 80)
    found = Recon().guess(view_of(table(**known), [drawn(known, secret, rng, 40_000)]), RNG(0))
    assert hits(found, secret) >= 0.95


def test_released_rows_without_a_class_are_left_out():
    known = table(a=[1, 1, 2], b=[1, 2, 2])
    released = table(a=[1, 1, 2, 2], b=[1, 2, 2, 2], ill=[2, 1, 2, 2])
    odd = table(a=[1, 1], b=[1, 1], ill=[0, 7])
    one = Recon(k=2).guess(view_of(known, [released]), RNG(0))
    other = Recon(k=2).guess(view_of(known, [released, odd]), RNG(0))
    np.testing.assert_array_equal(one.scores, other.scores)


def test_a_sample_of_queries_is_repeatable():
    rng = RNG(8)
    known, secret = people(rng)
    view = view_of(table(**known), [drawn(known, secret, rng, 2000)])
    found = [Recon(query_count=50).guess(view, RNG(seed)) for seed in (0, 0, 1)]
    assert found[0].details["queries"] == 50
    np.testing.assert_array_equal(found[0].scores, found[1].scores)
    assert (found[0].scores != found[2].scores).any()


@pytest.mark.parametrize("k", [2, 3, 4])
def test_more_columns_make_more_queries(k):
    rng = RNG(9)
    known, secret = people(rng)
    found = Recon(k=k).guess(view_of(table(**known), [drawn(known, secret, rng, 2000)]), RNG(0))
    assert found.details["subsets"] == {2: 8, 3: 28, 4: 56}[k]


def test_the_fast_engine_guesses_the_same():
    rng = RNG(10)
    known, secret = people(rng)
    view = view_of(table(**known), [drawn(known, secret, rng, 3000)])
    exact, fast = (Recon(engine=engine).guess(view, RNG(0)) for engine in ("exact", "fast"))
    assert fast.details["engine"] == "fast"
    assert fast.details["gap"] <= 0.01
    assert exact.details["objective"] <= fast.details["objective"] <= 1.01 * exact.details["objective"]
    assert ((exact.scores > 0.5) == (fast.scores > 0.5)).mean() > 0.9


def test_forcing_a_target_costs_more_where_the_answers_are_sure():
    rng = RNG(11)
    known, secret = people(rng, rows=40)
    released = [drawn(known, secret, rng, 20_000)]
    view = view_of(table(**known), released, targets=np.arange(10))
    gaps, found = forced_gaps(Recon(), view, RNG(0)), Recon().guess(view, RNG(0))
    assert (gaps >= -1e-6).all()
    assert (gaps[found.certainty > 0.99] > 0.5).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_known_record(variant):
    known = table(a=[1], b=[2], c=[1])
    released = table(a=[1, 1, 1, 2], b=[2, 2, 2, 1], c=[1, 1, 1, 1], ill=[2, 2, 2, 1])
    found = Recon(variant=variant).guess(view_of(known, [released]), RNG(0))
    assert found.scores.argmax() == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_release_that_shares_nothing_with_the_records_tells_nothing(variant):
    known, released = table(a=[1, 2], b=[1, 2]), table(a=[3, 4], b=[3, 4], ill=[1, 2])
    found = Recon(variant=variant).guess(view_of(known, [released]), RNG(0))
    np.testing.assert_allclose(found.scores, 0.5)
    np.testing.assert_allclose(found.certainty, 0, atol=1e-12)
    assert found.details["queries"] == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_hundreds_of_classes_work_and_say_what_they_cost(variant):
    rng = RNG(12)
    known, _ = people(rng, rows=60, width=4)
    secret = rng.integers(1, 301, 60)
    view = view_of(table(**known), [drawn(known, secret, rng, 5000)], range(1, 301))
    found = Recon(variant=variant).guess(view, RNG(0))
    assert found.details["classes"] == 300
    assert found.details["matrix entries"] == 300 * found.details["different records"] * 6
    factors = {"gls": "up to 300 factors", "gls-prior": "up to 300 factors", "robust": "up to 4,500 factors"}
    assert found.details.get("cost", "").startswith(factors.get(variant, ""))
    assert hits(found, secret) > 0.3
    np.testing.assert_allclose(found.scores.sum(axis=1), 1)


def test_what_cannot_be_asked_is_refused():
    known, released = table(a=[1, 2], b=[1, 2]), table(a=[1, 2], b=[1, 2], ill=[1, 2])
    with pytest.raises(NotApplicable, match="nothing to tell"):
        Recon().guess(view_of(known, [released], classes=[1]), RNG(0))
    with pytest.raises(NotApplicable, match="k = 4 takes 3 known columns, and there are 2"):
        Recon(k=4).guess(view_of(known, [released]), RNG(0))
    with pytest.raises(NotApplicable, match="no row that shows 'ill'"):
        Recon().guess(view_of(known, [released.take(slice(0, 0))]), RNG(0))
    with pytest.raises(NotApplicable, match="no record is known"):
        Recon().guess(view_of(known.take(slice(0, 0)), [released], targets=np.empty(0, np.int64)), RNG(0))
    with pytest.raises(SchemaMismatch, match="no column 'b'"):
        Recon().guess(view_of(known, [released.project(["a", "ill"])]), RNG(0))
    with pytest.raises(ConfigError, match="query_count"):
        Recon(query_count=0)
    with pytest.raises(ConfigError, match=r"recon\.k is 5"):
        with_values(Recon(), "recon", {"k": 5})


def test_the_cell_of_all_columns_by_hand():
    # Every edge of a cube has one corner of each class, so pairs say nothing; the cell of all columns is a corner.
    corners = np.array([[a, b, c] for a in (1, 2) for b in (1, 2) for c in (1, 2)])
    secret = 1 + (corners.sum(axis=1) % 2)
    known = dict(zip("abc", corners.T, strict=True))
    view = view_of(table(**known), [table(**known, ill=secret)])
    assert Recon(variant="gls").guess(view, RNG(0)).scores[:, 1] == pytest.approx(np.full(8, 0.5))
    for variant in ("lp", "weighted", "gls"):
        whole = Recon(variant=variant, whole=True).guess(view, RNG(0))
        assert hits(whole, secret) == 1
        assert (whole.details["subsets"], whole.details["queries"]) == (4, 3 * 4 + 8)


def test_one_known_column_is_whole():
    view = view_of(table(a=[1, 2, 3]), [table(a=[1, 2, 3], ill=[2, 1, 2])])
    with pytest.raises(NotApplicable, match="takes 2 known columns, and there are 1"):
        Recon().guess(view, RNG(0))
    assert Recon(whole=True).guess(view, RNG(0)).scores[:, 1] == pytest.approx([1, 0, 1], abs=1e-6)
    # With two columns the cell of all of them is the cell of the pair, asked about once.
    pair = view_of(table(a=[1, 2], b=[1, 1]), [table(a=[1, 2], b=[1, 1], ill=[2, 1])])
    assert Recon(whole=True).guess(pair, RNG(0)).details["queries"] == 2


@pytest.mark.parametrize("classes", [2, 3])
def test_many_records_are_solved_in_steps_with_the_same_scores(monkeypatch, classes):
    rng = RNG(3)
    known, secret = people(rng, rows=150, classes=classes)
    view = view_of(table(**known), [drawn(known, secret, rng, 2000)], range(1, classes + 1))
    at_once = Recon(variant="gls", whole=True).guess(view, RNG(0))
    monkeypatch.setattr(recon, "DENSE", 0)
    stepped = Recon(variant="gls", whole=True).guess(view, RNG(0))
    assert stepped.details["engine"] == "conjugate gradients"
    np.testing.assert_allclose(stepped.scores, at_once.scores, atol=1e-6)
    best = np.sort(stepped.scores, axis=1)
    np.testing.assert_allclose(stepped.certainty, best[:, -1] - best[:, -2])


@pytest.mark.parametrize("variant", ["gls-prior", "robust"])
def test_variants_that_take_a_large_matrix_are_refused_on_many_records(monkeypatch, variant):
    monkeypatch.setattr(recon, "MOST_DENSE", 20)
    rng = RNG(3)
    known, secret = people(rng, rows=40)
    with pytest.raises(NotApplicable, match=f"the variant {variant} takes 40 x 40 numbers"):
        Recon(variant=variant).guess(view_of(table(**known), [drawn(known, secret, rng, 100)]), RNG(0))
