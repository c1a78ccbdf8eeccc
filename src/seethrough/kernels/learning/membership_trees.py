"""Boosted trees that learn who is a member, for the auditor who has labels, or who is released, for anybody.

One thread a fit: trees are then repeatable, and a second OpenMP runtime in the process cannot stall them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.learning.boosting_library import AS_TRAINED, load_lightgbm
from seethrough.kernels.learning.quiet import quiet_learners

_QUIET = {"verbosity": -1}
ROUNDS, RATE, BINS = 100, 0.075, 63
"""150 trees at 0.05 on 255 bins, found anew for each fit, took three times as long and found no more: of four diffusion
releases pooled 23.0, 11.5 and 6.6 of 100 members at 10, 1 and 0.1 % false alarms, these 23.1, 11.5 and 6.8 (three
dealings each); on a Bayesian network of 5,000 people 27.6, 10.8 and 4.5, these 27.4, 10.6 and 4.6."""
RELEASED_ROUNDS = 100


def released_log_odds(released: Floats, others: Floats, asked: Floats, categories: Sequence[int]) -> Floats:
    """Learn to tell released rows from others, both kinds weighing the same; give the log odds of being released.

    The columns numbered in `categories` hold whole numbers that name levels; NaN is missing.
    """
    lightgbm = load_lightgbm()

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
    with quiet_learners():
        model = lightgbm.train(settings, data, RELEASED_ROUNDS, **AS_TRAINED)
        return np.asarray(model.predict(asked, raw_score=True, num_threads=1), np.float64)


class MembershipTrees:
    """People described by numbers, sorted into bins once for all fits; the bins know no labels."""

    def __init__(self, features: Floats) -> None:
        lightgbm = load_lightgbm()

        self._features = features
        binning = {**_QUIET, "max_bin": BINS, "min_data_in_bin": 1, "feature_pre_filter": False, "num_threads": 1}
        self._binned: Any = lightgbm.Dataset(features, params=binning).construct()

    def log_odds(self, members: Bools, known: Ints, asked: Ints, rng: np.random.Generator) -> Floats:
        """Learn from the rows `known`, in ascending order; give the log odds of being a member for those `asked`."""
        lightgbm = load_lightgbm()

        settings = {
            "objective": "binary",
            "num_leaves": 15,
            "learning_rate": RATE,
            "lambda_l2": 1.0,
            "feature_fraction": 0.5,
            "bagging_fraction": 0.8,
            "bagging_freq": 1,
            "min_data_in_leaf": int(min(50, max(5, len(known) // 40))),
            "is_unbalance": True,
            "num_threads": 1,
            "deterministic": True,
            "force_col_wise": True,
            "seed": int(rng.integers(1 << 31)),
            "verbosity": -1,
        }
        learnt = self._binned.subset(known).construct().set_label(members[known].astype(np.int64))
        with quiet_learners():
            model = lightgbm.train(settings, learnt, ROUNDS, **AS_TRAINED)
            return np.asarray(model.predict(self._features[asked], raw_score=True, num_threads=1), np.float64)
