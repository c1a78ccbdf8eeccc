"""Tables on which an exploration is held against the definition."""

import numpy as np
import polars as pl
import pytest

import seethrough as st


def mixed(rows, seed):
    """A table of all kinds of columns, with ties, missing values and copies."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 60, rows).astype(float)
    age[rng.random(rows) < 0.05] = np.nan
    days = rng.integers(0, 40, rows)
    return pl.DataFrame(
        {
            "age": pl.Series(age).fill_nan(None),
            "sex": rng.choice(["F", "M"], rows),
            "job": pl.Series(rng.choice(["nurse", "cook", "clerk", None], rows, p=[0.4, 0.3, 0.2, 0.1])),
            "since": (np.datetime64("2020-01-01") + days).astype("datetime64[D]"),
            "wage": np.round(rng.normal(100, 30, rows), 1),
            "ill": rng.choice(["yes", "no"], rows, p=[0.3, 0.7]),
        }
    )


@pytest.fixture(scope="session")
def frames():
    real, outside = mixed(120, 1), mixed(80, 2)
    released = pl.concat([real[:40], mixed(60, 3), mixed(1, 4).with_columns(job=pl.lit("pilot"))])
    return real, released, outside


@pytest.fixture(scope="session")
def exploration(frames):
    return st.explore(*frames, secret="ill", checks=["gcap", "zcap", "dcr", "crp", "auth", "ks"], preset="attacks")


@pytest.fixture(scope="session")
def without_holdout(frames):
    return st.explore(*frames[:2], secret="ill", checks=["gcap"], preset="attacks")


@pytest.fixture(scope="session")
def explored(exploration):
    exploration.run()
    return exploration
