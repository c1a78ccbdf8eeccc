"""Numbers that people do not share: a copy is read off, and rounding in the release hardly helps."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.attacks.attribute.recon import Recon
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.protocols.attack import AttributeView

ATTACK = Recon(variant="gls", whole=True)
RNG = np.random.default_rng


def table(columns, secret=None):
    """Columns of numbers, and a secret of codes from 1 on."""
    schema = [Column(name, Kind.NUMERIC, low=-5.0, high=5.0, fill=0.0) for name in columns]
    arrays = list(columns.values())
    if secret is not None:
        schema.append(Column("ill", Kind.CATEGORICAL, levels=tuple(map(str, range(1, 9)))))
        arrays.append(np.asarray(secret, np.uint8))
    return Table(Schema(tuple(schema)), tuple(arrays))


def view_of(keys, released, classes):
    known = table(keys)
    return AttributeView(
        known, tuple(released), "ill", tuple(range(1, classes + 1)), np.arange(len(known)), Budget(threads=1)
    )


def people(seed, count, width, classes):
    rng = RNG(seed)
    return {f"x{place}": rng.normal(size=count) for place in range(width)}, rng.integers(1, classes + 1, count)


def rounded(keys, names):
    return {name: np.round(values, 2) if name in names else values for name, values in keys.items()}


def success(keys, released, secret, classes):
    scores = ATTACK.guess(view_of(keys, [table(released, secret)], classes), RNG(0)).scores
    return expected_hits(scores, secret - 1).mean()


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize(("count", "width"), [(1000, 2), (1000, 6), (2000, 3)])
@pytest.mark.parametrize("spread", ["normal", "uniform"])
def test_a_copy_gives_every_secret_away(classes, count, width, spread):
    keys, secret = people(count + width, count, width, classes)
    if spread == "uniform":
        rng = RNG(count)
        keys = {name: rng.random(count) for name in keys}
    assert success(keys, keys, secret, classes) == 1


@pytest.mark.parametrize(("classes", "one", "both"), [(2, 0.95, 0.9), (5, 0.9, 0.9)])
def test_numbers_rounded_in_the_release_hardly_protect(classes, one, both):
    keys, secret = people(0, 1000, 2, classes)
    assert success(keys, rounded(keys, {"x0"}), secret, classes) > one
    assert success(keys, rounded(keys, {"x0", "x1"}), secret, classes) > both


def test_a_constant_column_and_the_order_of_rows_change_nothing():
    keys, secret = people(3, 300, 3, 2)
    keys["age"] = np.repeat(np.arange(20.0, 50.0), 10)
    drawn = RNG(4).integers(0, 300, 300)
    released = {name: values[drawn] for name, values in keys.items()}
    plain = ATTACK.guess(view_of(keys, [table(released, secret[drawn])], 2), RNG(0)).scores
    constant = np.full(300, 7.5)
    more = table({**released, "same": constant}, secret[drawn])
    np.testing.assert_allclose(
        ATTACK.guess(view_of({**keys, "same": constant}, [more], 2), RNG(0)).scores, plain, atol=1e-12
    )
    order, other = RNG(5).permutation(300), RNG(6).permutation(300)
    shuffled = {name: values[order] for name, values in keys.items()}
    rows = table(released, secret[drawn]).take(other)
    np.testing.assert_allclose(ATTACK.guess(view_of(shuffled, [rows], 2), RNG(0)).scores, plain[order], atol=1e-10)


def test_missing_numbers_are_known_at_every_grain():
    keys, secret = people(5, 400, 2, 2)
    for values in keys.values():
        values[RNG(7).random(400) < 0.1] = np.nan
    apart = ~np.isnan(keys["x0"])  # those without either number cannot be told from each other
    scores = ATTACK.guess(view_of(keys, [table(keys, secret)], 2), RNG(0)).scores
    assert (expected_hits(scores, secret - 1)[apart] == 1).all()


@pytest.mark.parametrize("variant", ["lp", "gls"])
def test_a_release_in_pieces_is_the_release(variant):
    keys, secret = people(8, 200, 3, 2)
    whole = table(keys, secret)
    pieces = [whole.take(np.arange(start, min(start + 70, 200))) for start in (0, 70, 140)]
    attack = replace(ATTACK, variant=variant)
    one, other = (attack.guess(view_of(keys, some, 2), RNG(0)).scores for some in ([whole], pieces))
    np.testing.assert_array_equal(one, other)


def test_pairs_alone_stay_at_tenths():
    keys, secret = people(9, 500, 4, 2)
    found = Recon().guess(view_of(keys, [table(keys, secret)], 2), RNG(0))
    assert found.details["subsets"] == 6
    assert found.details["queries"] == 600
