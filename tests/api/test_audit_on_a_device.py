"""An audit whose searches and tests run by torch finds what one on the processor finds."""

import numpy as np
import polars as pl
import pytest

import seethrough as st

TIMES = {"seconds", "timings", "digest"}
"""What differs between any two runs; the digest is over the times too."""


def table(seed, rows=150):
    rng = np.random.default_rng(seed)
    group = rng.choice(["x", "y", "z"], rows)
    return pl.DataFrame({"group": group, "size": rng.normal(size=rows).round(2), "count": rng.integers(0, 9, rows)})


def flat(value, path=""):
    if isinstance(value, dict):
        return [each for key, part in value.items() if key not in TIMES for each in flat(part, f"{path}/{key}")]
    if isinstance(value, list):
        return [each for place, part in enumerate(value) for each in flat(part, f"{path}/{place}")]
    return [(path, value)]


@pytest.mark.slow
def test_the_report_is_the_same():
    pytest.importorskip("torch", reason="the extra deep is not installed")
    real, outside = table(1), table(2)
    released = pl.concat([real[:30], table(3)[30:]])
    here, there = (
        st.audit(real, released, outside, secret="group", preset="fast", threads=1, device=name).to_dict()
        for name in ("cpu", "cpu:0")
    )
    for (path, one), (same_path, two) in zip(flat(here), flat(there), strict=True):
        assert path == same_path
        if isinstance(one, float):  # one permutation of 999 may fall to the other side
            assert two == pytest.approx(one, abs=2e-3, nan_ok=True), path
        else:
            assert two == one, path
