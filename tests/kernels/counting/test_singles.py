"""Rows alone with their fingerprint, and matches, against counting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seethrough.kernels.counting.singles import alone, matches

FEW = st.integers(0, 1 << 32)


def prints(seed, rows, values):
    """Fingerprints of which many are equal, and many fall into one slot: small numbers share their first bits."""
    rng = np.random.default_rng(seed)
    found = rng.integers(0, max(values, 1), rows).astype(np.uint64)
    return found if seed % 2 else found * np.uint64(0x9E3779B97F4A7C15)


@given(FEW, st.integers(0, 400), st.integers(1, 800))
def test_alone_is_a_count_of_one(seed, rows, values):
    mine = prints(seed, rows, values)
    _, inverse, counts = np.unique(mine, return_inverse=True, return_counts=True)
    assert (alone(mine) == (counts[inverse] == 1)).all()


@given(FEW, st.integers(0, 300), st.integers(0, 300), st.integers(1, 500))
def test_matches_are_all_equal_pairs(seed, rows, others, values):
    mine, theirs = np.unique(prints(seed, rows, values)), prints(seed + 2, others, values)
    found = {(int(a), int(b)) for a, b in zip(*matches(mine, theirs), strict=True)}
    expected = {(int(np.flatnonzero(mine == each)[0]), at) for at, each in enumerate(theirs) if each in mine}
    assert found == expected
