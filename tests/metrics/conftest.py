"""What the tests of metrics share."""

import numpy as np
import pytest


@pytest.fixture
def measure(bench_of):
    """Measure a check on columns; `roles` are the secret and the keys."""

    def run(check, real, synthetic, seed=0, **roles):
        return check.measure(bench_of(real, synthetic, **roles), np.random.default_rng(seed))

    return run
