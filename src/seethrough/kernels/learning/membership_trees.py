"""Boosted trees that learn who is a member, for the auditor who has labels.

One thread a fit: trees are then repeatable, and a second OpenMP runtime in the process cannot stall them.
"""

import warnings

import numpy as np

from seethrough.kernels.arrays import Bools, Floats

ROUNDS = 150


def membership_log_odds(known: Floats, members: Bools, asked: Floats, rng: np.random.Generator) -> Floats:
    """Learn from people whose labels are known; give the log odds of being a member for the others."""
    import lightgbm  # loaded when used: it takes scikit-learn along

    settings = {
        "objective": "binary",
        "num_leaves": 15,
        "learning_rate": 0.05,
        "lambda_l2": 1.0,
        "feature_fraction": 0.5,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "min_data_in_leaf": int(min(50, max(5, len(known) // 40))),
        "is_unbalance": True,
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
        "seed": int(rng.integers(1 << 31)),
        "verbosity": -1,
    }
    data = lightgbm.Dataset(known, members.astype(np.int64), params={"verbosity": -1, "min_data_in_bin": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = lightgbm.train(settings, data, ROUNDS)
        return np.asarray(model.predict(asked, raw_score=True, num_threads=1), np.float64)
