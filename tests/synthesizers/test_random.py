"""Tables that say nothing of the records."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.seeds import stream
from seethrough.synthesizers.random import Random


def table(rows=400):
    rng = np.random.default_rng(0)
    schema = Schema(
        (
            Column("job", Kind.CATEGORICAL, levels=tuple("abc")),
            Column("code", Kind.CATEGORICAL, levels=tuple(f"c{v}" for v in range(300))),
            Column("age", Kind.NUMERIC, low=0.0, high=90.0, fill=40.0),
            Column("size", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
            Column("born", Kind.DATE, low=0.0, high=9000.0, fill=10.0),
        )
    )
    size = rng.random(rows)
    size[:40] = np.nan
    codes = np.resize(np.arange(1, 301), rows).astype(np.uint16)
    jobs = rng.integers(0, 4, rows).astype(np.uint8)
    return Table(schema, (jobs, codes, rng.integers(0, 91, rows) + 0.0, size, rng.integers(0, 9001, rows) + 0.0))


def test_categories_are_uniform_over_old_and_new_ones():
    counts = []
    for seed in range(30):
        found = Random().fit(table(), stream(seed, "fit")).sample(20_000, stream(seed, "sample")).column("job")
        values, often = np.unique(found, return_counts=True)
        counts.append(len(values))
        assert {0, 1, 2, 3} <= set(values.tolist())
        assert values.max() == len(values) - 1
        assert often.min() > 0.5 * 20_000 / len(values)
    # max(100, 4) + Laplace(0, max(10, 0.4)), rounded up
    assert np.mean(counts) == pytest.approx(100.5, abs=3 * 10 * np.sqrt(2 / 30))


def test_many_categories_may_lose_some():
    counts = {len(Random().fit(table(), stream(seed, "fit")).values[1].drawn) for seed in range(20)}
    assert min(counts) < 300 < max(counts)


def test_the_noise_on_numbers_is_that_of_the_algorithm():
    """A term max(1, X) with X ~ Laplace(r, 10 r) has for r = 90 the mean 1 + integral of P(X > x) over x > 1."""
    interval = 90.0
    below = 0.5 * np.exp((1 - interval) / (10 * interval))
    mean = 1 + (interval - 1) + 10 * interval * below
    scales, locs = zip(
        *((each.scale, each.loc) for each in (Random().fit(table(), stream(s, "f")).values[2] for s in range(200))),
        strict=True,
    )
    assert np.mean(locs) == pytest.approx(100 * mean, rel=0.03)
    assert np.mean(scales) == pytest.approx(interval + 100 * mean, rel=0.03)


def test_whole_numbers_dates_and_gaps():
    found = Random().fit(table(), stream(0, "fit")).sample(5000, stream(0, "sample"))
    ages, sizes, born = (found.column(name) for name in ("age", "size", "born"))
    assert (ages == np.round(ages)).all()
    assert np.abs(ages).max() > 1000
    assert 0.0 < np.isnan(sizes).mean() < 0.02
    assert born.min() >= -354_285
    assert born.max() <= 2_932_896


def test_uniform_over_what_is_declared():
    real = table()
    columns = tuple(
        replace(column, declared=True, optional=column.name in {"job", "size"}) for column in real.schema.columns
    )
    sampler = Random(form="uniform").fit(Table(Schema(columns), real.columns), stream(0, "fit"))
    found = sampler.sample(40_000, stream(0, "sample"))
    np.testing.assert_allclose(np.bincount(found.column("job"), minlength=4) / 40_000, [0.25] * 4, atol=0.01)
    assert np.isnan(found.column("size")).mean() == pytest.approx(1 / 21, abs=0.005)
    assert sampler.card.privacy.epsilon == 0
    assert sampler.card.privacy.read_columns == ()


def test_uniform_names_what_was_read():
    card = Random(form="uniform").fit(table(), stream(0, "fit")).card
    assert card.privacy.read_columns == ("job", "code", "age", "size", "born")
    assert "was read from the data" in card.warnings[0]


def test_bad_parameters():
    with pytest.raises(ConfigError, match="at least 1"):
        Random(bins=0)
