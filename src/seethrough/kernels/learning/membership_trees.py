"""Boosted trees that learn who is a member, for the auditor who has labels, or who is released, for anybody.

One thread a fit: trees are then repeatable, and a second OpenMP runtime in the process cannot stall them.
"""

import warnings
from collections.abc import Sequence

import numpy as np

from seethrough.kernels.arrays import Bools, Floats

_QUIET = {"verbosity": -1}
ROUNDS = 150
RELEASED_ROUNDS = 100


def released_log_odds(released: Floats, others: Floats, asked: Floats, categories: Sequence[int]) -> Floats:
    """Learn to tell released rows from others, both kinds weighing the same; give the log odds of being released.

    The columns numbered in `categories` hold whole numbers that name levels; NaN is missing.
    """
    import lightgbm  # loaded when used: it takes scikit-learn along

    settings = {
        "objective": "binary",
        "num_leaves": 31,
        "learning_rate": 0.1,
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
        "verbosity": -1,
    }
    known = np.concatenate([released, others])
    is_released = np.arange(len(known)) < len(released)
    weights = np.where(is_released, 0.5 * len(known) / len(released), 0.5 * len(known) / len(others))
    data = lightgbm.Dataset(
        known, is_released.astype(np.int64), weight=weights, categorical_feature=list(categories), params=_QUIET
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = lightgbm.train(settings, data, RELEASED_ROUNDS)
        return np.asarray(model.predict(asked, raw_score=True, num_threads=1), np.float64)


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
    data = lightgbm.Dataset(known, members.astype(np.int64), params={**_QUIET, "min_data_in_bin": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = lightgbm.train(settings, data, ROUNDS)
        return np.asarray(model.predict(asked, raw_score=True, num_threads=1), np.float64)
