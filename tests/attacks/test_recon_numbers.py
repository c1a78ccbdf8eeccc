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


@pytest.mark.parametrize("classes", [2, 5])
def test_a_copy_of_more_people_than_are_factored_too(classes):
    keys, secret = people(4, 2 * 2600, 2, classes)
    inside = np.arange(len(secret)) < 2600
    released = table({name: values[:2600] for name, values in keys.items()}, secret[:2600])
    found = ATTACK.guess_joined(view_of(keys, [released], classes), inside, RNG(0))
    assert found.details["engine"] == "conjugate gradients"
    hits = expected_hits(found.scores, secret - 1)
    assert hits[inside].mean() == 1
    assert abs(hits[~inside].mean() - 1 / classes) < 0.05  # the secret is a coin


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


PUBLISHED = {
    # What the design measured for grains, 600 people and rows: members, people outside.
    2: {
        "copy": (1.000, 0.528),
        "drawn": (0.823, 0.533),
        0.001: (0.979, 0.529),
        0.02: (0.856, 0.529),
        0.1: (0.641, 0.528),
        "other": (0.535, 0.535),
    },
    4: {
        "copy": (1.000, 0.568),
        "drawn": (0.830, 0.549),
        0.001: (0.999, 0.570),
        0.02: (0.982, 0.554),
        0.1: (0.839, 0.551),
        "other": (0.545, 0.554),
    },
}


def released_rows(release, members, others, rng):
    """Give the numbers, categories and secret of a release of some kind."""
    numbers, categories, secret = members if release != "other" else others
    rows = rng.integers(0, len(secret), len(secret)) if release == "drawn" else np.arange(len(secret))
    if isinstance(release, float):
        numbers = numbers + rng.normal(0, release, numbers.shape)
    return numbers[rows], categories[rows], secret[rows]


def draw_people(rng, count, width, categories):
    numbers, codes = rng.normal(size=(count, width)), rng.integers(1, 5, (count, categories))
    chance = 1 / (1 + np.exp(-0.6 * numbers[:, 0]))
    return numbers, codes, 1 + (rng.random(count) < chance)


def mixed_table(numbers, codes, secret=None):
    whole = table({f"x{place}": column for place, column in enumerate(numbers.T)}, secret)
    extra = [Column(f"c{place}", Kind.CATEGORICAL, levels=tuple("abcd")) for place in range(codes.shape[1])]
    columns = (*whole.columns, *(column.astype(np.uint8) for column in codes.T))
    return Table(Schema((*whole.schema.columns, *extra)), columns)


@pytest.mark.slow
@pytest.mark.parametrize("release", list(PUBLISHED[2]))
@pytest.mark.parametrize(("width", "categories"), [(2, 0), (4, 3)])
def test_blurred_and_drawn_releases_against_people_outside(width, categories, release):
    count, found = 600, []
    for seed in range(4):
        rng = RNG([seed, width])
        members, outside, others = (draw_people(rng, count, width, categories) for _ in range(3))
        numbers, codes, secret = (np.concatenate(pair) for pair in zip(members, outside, strict=True))
        inside = np.arange(2 * count) < count
        made = mixed_table(*released_rows(release, members, others, rng))
        view = AttributeView(
            mixed_table(numbers, codes), (made,), "ill", (1, 2), np.arange(2 * count), Budget(threads=1)
        )
        hits = expected_hits(ATTACK.guess_joined(view, inside, RNG(0)).scores, secret - 1)
        found.append((hits[inside].mean(), hits[~inside].mean()))
    members, outside = np.mean(found, axis=0)
    assert members == pytest.approx(PUBLISHED[width][release][0], abs=0.03)
    assert outside == pytest.approx(PUBLISHED[width][release][1], abs=0.03)
    if release == "copy":
        assert members == 1
