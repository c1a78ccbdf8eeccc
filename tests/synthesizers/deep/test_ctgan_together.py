"""Networks of many tables trained side by side, against the same networks trained one by one."""

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table

pytest.importorskip("torch", reason="the extra deep is not installed")

from seethrough.synthesizers.ctgan import Ctgan

QUICK = Ctgan(epochs=4, batch=20, pac=5, device="cpu")
SIZES = (2, 3, 5)


def people(seed, numbers):
    """Draw a table that lacks one level, another one for each seed, so that vectors differ in width."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(1, size + 1, 60).astype(np.uint8) for size in SIZES]
    columns[2][columns[2] == seed % 3 + 1] = 5
    schema = [Column(f"c{size}", Kind.CATEGORICAL, levels=tuple("abcde"[:size])) for size in SIZES]
    if numbers:
        columns.append(rng.normal(size=60))
        schema.append(Column("x", Kind.NUMERIC))
    return Table(Schema(tuple(schema)), tuple(columns))


def generators():
    return [np.random.default_rng(seed) for seed in (10, 11, 12)]


@pytest.mark.parametrize("numbers", [False, True])
def test_the_same_networks_as_one_by_one(numbers):
    tables = [people(seed, numbers) for seed in range(3)]
    ours, theirs = generators(), generators()
    alone = [QUICK.fit(table, rng) for table, rng in zip(tables, ours, strict=True)]
    together = QUICK.fit_many(tables, theirs, "cpu")
    for one, other, mine, yours in zip(alone, together, ours, theirs, strict=True):
        assert one.card == other.card
        assert mine.bit_generator.state == yours.bit_generator.state
        for layer in ("first", "second"):
            first, second = (getattr(each.generator, layer).layer.weights.detach() for each in (one, other))
            assert first.shape == second.shape
            assert float((first - second).abs().max()) < 1e-4
        assert float((one.generator.last.weights - other.generator.last.weights).detach().abs().max()) < 1e-4
        drawn, again = (each.sample(300, np.random.default_rng(1)) for each in (one, other))
        for column in range(len(SIZES)):
            assert np.mean(drawn.columns[column] == again.columns[column]) > 0.99
        if numbers:
            assert np.mean(np.abs(drawn.columns[3] - again.columns[3]) < 1e-3) > 0.99


def test_a_table_does_not_change_by_its_company():
    tables = [people(seed, numbers=False) for seed in range(3)]
    many = QUICK.fit_many(tables, generators(), "cpu")
    few = QUICK.fit_many(tables[1:2], generators()[1:2], "cpu")
    apart = (many[1].generator.last.weights - few[0].generator.last.weights).detach().abs().max()
    assert float(apart) < 1e-5


def test_tables_of_other_lengths_or_without_categories_are_fitted_one_by_one():
    short = people(0, numbers=False).take(np.arange(40))
    found = QUICK.fit_many([short, people(1, numbers=False)], generators()[:2], "cpu")
    assert [sampler.card.details["steps"] for sampler in found] == [4 * 2, 4 * 3]
    table = people(2, numbers=True).project(["x"])
    assert len(QUICK.fit_many([table], generators()[:1], "cpu")[0].sample(7, np.random.default_rng(0))) == 7
