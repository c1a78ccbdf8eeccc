"""What a metric has to do when a release is doubled, leaks one more record, or is stored in other types."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.bench.bench import Bench
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Part
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.metrics.hidden_rate import HiddenRate
from seethrough.metrics.nsnd import NearestSyntheticDistance
from seethrough.plugins import catalog

CHECKS = catalog.load()
DOUBLED = ["zcap", "gcap", "air", "crp", "cvp", "dvp", "nsnd", "auth", "id-score", "dcr", "mdcr", "mir"]
DOUBLED += ["hitting-rate", "js-distance", "ks"]
LEAKING = ["crp", "hitting-rate", "auth", "id-score", "mir", "mdcr", "dcr", "cvp", "dvp", "nsnd"]


def measured(check, real, synthetic):
    bench = Bench({Part.TRAIN: real, Part.SYNTHETIC: synthetic}, Budget(threads=1))
    return check.measure(bench, np.random.default_rng(0)).risk.value


def joined(first, second):
    return Table(first.schema, tuple(np.concatenate(pair) for pair in zip(first.columns, second.columns, strict=True)))


@st.composite
def small_tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def frame(rows, levels):
        return pl.DataFrame(
            {
                "v": rng.integers(0, 6, rows) / 2,
                "w": rng.normal(size=rows).round(1),
                "c": rng.choice(list(levels), rows),
                "s": rng.choice(["yes", "no"], rows),
            }
        )

    real, synthetic = frame(draw(st.integers(8, 30)), "abc"), frame(draw(st.integers(2, 30)), "abq")
    release = read_release(real, [synthetic], secrets=("s",), schema=None)
    return release.train.table, release.synthetic[0].table


@pytest.mark.parametrize("name", DOUBLED)
def test_doubling_the_release_changes_nothing(name):
    @settings(max_examples=15, deadline=None)
    @given(small_tables())
    def check(tables):
        real, synthetic = tables
        twice = measured(CHECKS[name], real, joined(synthetic, synthetic))
        assert twice == pytest.approx(measured(CHECKS[name], real, synthetic), abs=1e-9)

    check()


@pytest.mark.parametrize("name", LEAKING)
def test_one_more_leaked_record_never_lowers_the_risk(name):
    @settings(max_examples=15, deadline=None)
    @given(small_tables(), st.integers(0, 7))
    def check(tables, row):
        real, synthetic = tables
        leaked = joined(synthetic, real.take(np.array([row])))
        assert measured(CHECKS[name], real, leaked) >= measured(CHECKS[name], real, synthetic) - 1e-12

    check()


def test_normalising_by_the_nearest_distances_gives_no_such_guarantee(tables_of):
    real, synthetic = tables_of({"v": [0, 1, 4, 10]}, {"v": [2, 3, 11]})
    before = measured(NearestSyntheticDistance(norm="nn"), real, synthetic)
    after = measured(NearestSyntheticDistance(norm="nn"), real, joined(synthetic, real.take(np.array([1]))))
    assert after < before


@pytest.mark.parametrize("kinds", [(pl.Int64, pl.Float64), (pl.Int32, pl.String), (pl.Float32, pl.Int16)], ids=str)
def test_the_type_that_values_are_stored_in_does_not_matter(kinds):
    rng = np.random.default_rng(0)
    real = pl.DataFrame(
        {"code": rng.integers(1, 5, 80), "size": rng.integers(0, 40, 80), "s": rng.choice(["a", "b"], 80)}
    )
    synthetic = real.sample(60, seed=1).with_columns(size=pl.col("size").reverse())

    def scores(real_kind, synthetic_kind):
        tables = [
            t.with_columns(pl.col("code", "size").cast(k)) for t, k in ((real, real_kind), (synthetic, synthetic_kind))
        ]
        release = read_release(tables[0], [tables[1]], secrets=("s",))
        pair = release.train.table, release.synthetic[0].table
        return {name: measured(CHECKS[name], *pair) for name in (*DOUBLED, "nnaa", "nndr", "chi-squared", "inverse-kl")}

    assert scores(*kinds) == scores(pl.Int64, pl.Int64)


def test_every_metric_of_the_comparison_is_there_and_they_alone_have_its_verdicts():
    names = [*DOUBLED, "d-mlp", "nndr", "nnaa", "hidden-rate", "chi-squared", "inverse-kl"]
    assert len(names) == 21
    assert set(names) <= set(CHECKS)
    assert isinstance(CHECKS["hidden-rate"], HiddenRate)
    # Verdicts come from that comparison; a check that was not in it has none.
    for name, check in CHECKS.items():
        assert bool(check.card.ordering) == bool(check.card.monotone) == (name in names)
