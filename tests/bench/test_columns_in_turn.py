"""What one pass says of all turns is what a search for each turn says."""

import numpy as np
import polars as pl
import pytest

from seethrough.bench.bench import Bench
from seethrough.bench.correct_attribution import Agreements
from seethrough.bench.guesses import columns_in_turn, guesses
from seethrough.bench.predictions import Predictions
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Part
from seethrough.kernels.budget import Budget


@pytest.fixture(scope="module")
def bench():
    rng = np.random.default_rng(0)
    real, synthetic = (
        pl.DataFrame(
            {f"c{j}": rng.choice(list("abcd")[: 2 + j % 3], n) for j in range(5)}
            | {
                "age": rng.integers(20, 80, n),
                "pay": pl.Series(rng.normal(size=n)).set(pl.Series(rng.random(n) < 0.2), None),
            }
        )
        for n in (150, 180)
    )
    release = read_release(real, [synthetic])
    return Bench({Part.TRAIN: release.train.table, Part.SYNTHETIC: release.synthetic[0].table}, Budget(threads=1))


def test_agreement_of_each_turn_is_that_of_its_own_search(bench):
    schema = bench.table(Part.TRAIN).schema
    tried = guesses(schema)
    turns = columns_in_turn(schema, tried)
    assert turns == ("c0", "c1", "c2", "c3", "c4")
    for numeric in ("exact", "bin"):
        for guess in tried:
            one, all_at_once = bench.get(Agreements(guess, numeric)), bench.get(Agreements(guess, numeric, turns))
            assert np.array_equal(one.nearest, all_at_once.nearest)
            assert np.array_equal(one.agree, all_at_once.agree)
            assert np.array_equal(one.distance, all_at_once.distance)
            assert one.base_rate == all_at_once.base_rate


def test_prediction_of_each_turn_is_that_of_its_own_search(bench):
    schema = bench.table(Part.TRAIN).schema
    tried = guesses(schema)
    for guess in tried:
        one = bench.get(Predictions(guess, 0.1))
        all_at_once = bench.get(Predictions(guess, 0.1, turns=columns_in_turn(schema, tried)))
        assert np.array_equal(one.counts, all_at_once.counts)
        assert np.array_equal(one.cell, all_at_once.cell)
        [mine], [other] = one.secrets, all_at_once.secrets
        for name in ("truth", "shares", "scored", "entropies"):
            assert np.array_equal(getattr(mine, name), getattr(other, name))


def test_columns_take_no_turns_where_keys_are_named_or_one_secret_is(bench):
    schema = bench.table(Part.TRAIN).schema
    assert columns_in_turn(schema, guesses(schema, ("c1",))) == ()
