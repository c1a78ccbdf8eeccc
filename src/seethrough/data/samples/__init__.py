"""The shipped extract of real records, and a careless release made from it."""

from dataclasses import dataclass
from importlib.resources import as_file, files

import numpy as np
import polars as pl

from seethrough.seeds import stream

CARELESS = 0.15
"""Share of the cells that the careless generator exchanges."""


@dataclass(frozen=True, eq=False)
class SampleRelease:
    """Real records, records kept out, and a synthetic table made from the former."""

    real: pl.DataFrame
    holdout: pl.DataFrame
    synthetic: pl.DataFrame


def acs() -> pl.DataFrame:
    """Load 10,000 records of the American Community Survey 2018, Massachusetts (public domain), as a Polars frame."""
    with as_file(files(__name__) / "acs_ma_2018.csv.gz") as path:
        return pl.read_csv(path)


def acs_release(seed: int = 0) -> SampleRelease:
    """Split the extract into halves and make a release from the first that looks random and is not.

    Every synthetic record starts as a real one; each of its cells is then exchanged, with probability
    `CARELESS`, for the value that another real record has there.
    """
    frame = acs()
    half = len(frame) // 2
    real, holdout = frame[:half], frame[half:]
    rng = stream(seed, "careless release")
    start = rng.permutation(half)
    columns = {}
    for name in real.columns:
        source = np.where(rng.random(half) < CARELESS, rng.integers(0, half, half), start)
        columns[name] = real[name][source]
    return SampleRelease(real, holdout, pl.DataFrame(columns))
