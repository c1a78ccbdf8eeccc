"""Private fits of many tables at once, against the same fits one by one."""

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.synthesizers.rap_softmax import RapSoftmax

SIZES = (2, 3, 2, 4, 3)


def people(seed):
    rng = np.random.default_rng(seed)
    columns = [
        Column(f"c{n}", Kind.CATEGORICAL, levels=tuple("abcd"[:size]), declared=True) for n, size in enumerate(SIZES)
    ]
    return Table(Schema(tuple(columns)), tuple(rng.integers(1, size + 1, 200).astype(np.uint8) for size in SIZES))


def generators():
    return [np.random.default_rng(seed) for seed in (5, 6, 7)]


@pytest.mark.parametrize("steps", [1, 2])
def test_the_same_rows_and_costs_as_one_by_one(steps):
    pytest.importorskip("torch", reason="the extra deep is not installed")
    quick = RapSoftmax(epsilon=10, rounds=30, relaxed_rows=50, batch=128, steps=steps)
    tables, ours, theirs = [people(seed) for seed in range(3)], generators(), generators()
    alone = [quick.fit(table, rng) for table, rng in zip(tables, ours, strict=True)]
    together = quick.fit_many(tables, theirs, "cpu")
    for one, other, mine, yours in zip(alone, together, ours, theirs, strict=True):
        assert one.card == other.card
        assert mine.bit_generator.state == yours.bit_generator.state
        assert np.abs(one.relaxed.probabilities - other.relaxed.probabilities).max() < 1e-4


def test_without_a_device_tables_are_fitted_one_by_one():
    quick = RapSoftmax(rounds=3, relaxed_rows=20, batch=16)
    [found] = quick.fit_many([people(0)], generators()[:1])
    again = quick.fit(people(0), generators()[0])
    assert np.array_equal(found.relaxed.probabilities, again.relaxed.probabilities)
