"""Classifiers of other packages, which are loaded when first used.

Each learns from `rows` which are positive, and scores `others`: the higher, the likelier positive. Rows without columns
are all alike and get one score.
"""

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Bools, Floats

Single = npt.NDArray[np.float32]


def boosted_scores(rows: Single, positive: Bools, others: Single, rng: np.random.Generator) -> Floats:
    """Probabilities by LightGBM with its default trees; the two classes weigh the same, whatever their sizes."""
    import lightgbm

    if not rows.shape[1]:
        return np.full(len(others), 0.5)
    share = float(positive.mean())
    weights = np.where(positive, 0.5 / share, 0.5 / (1 - share))
    settings = {
        "objective": "binary",
        "verbosity": -1,
        "seed": int(rng.integers(1 << 31)),
        # One thread and one order of summation, so that the same rows give the same trees on every machine.
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
    }
    trees = lightgbm.train(settings, lightgbm.Dataset(rows, positive.astype(np.float32), weight=weights))
    return np.asarray(trees.predict(others, num_threads=1), np.float64)


def logistic_scores(rows: Single, positive: Bools, others: Single, _: np.random.Generator) -> Floats:
    """Log odds by scikit-learn's logistic regression, which draws no random numbers."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    if not rows.shape[1]:
        return np.zeros(len(others))
    model = LogisticRegression(max_iter=1000).fit(rows.astype(np.float64), positive)
    return np.asarray(model.decision_function(others), np.float64)
