"""How badly a column is told from the others: boosted trees learn it from some rows and are asked about other rows.

    number:    ln(1 + |x - guess| / q)      q: mean absolute error on the rows learnt from (0 counts as 1e-9)
    category:  -ln(probability of x + 1e-4)

Numbers: 30 trees of 31 leaves, absolute error. Categories: 20 rounds of trees of 15 leaves.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.boosting_library import load_lightgbm
from seethrough.kernels.learning.quiet import quiet_learners

SMALLEST_ERROR, FLOOR = 1e-9, 1e-4
_SETTINGS: dict[str, Any] = {"num_threads": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1}
_NUMBER: dict[str, Any] = {"objective": "regression_l1", "num_leaves": 31}
_CATEGORY: dict[str, Any] = {"objective": "multiclass", "num_leaves": 15}
NUMBER_ROUNDS, CATEGORY_ROUNDS = 30, 20


def number_loss(errors: Floats, typical: float) -> Floats:
    """Give the loss of absolute errors beside the mean error on the rows learnt from."""
    return np.log1p(errors / (typical or SMALLEST_ERROR))


def column_losses(known: Floats, asked: Floats, column: int, categories: Sequence[int]) -> Floats:
    """Learn one column from the others; give the loss of each row asked about, 0 where it misses the column.

    Categories are whole numbers; NaN is missing, and of a category a level that no known row has.
    """
    others = [place for place in range(known.shape[1]) if place != column]
    declared = [at for at, place in enumerate(others) if place in categories]
    shown = known[~np.isnan(known[:, column])]
    if column in categories:
        return _category_losses(shown[:, others], shown[:, column].astype(np.int64), asked, column, declared)
    losses = np.zeros(len(asked))
    here = ~np.isnan(asked[:, column])
    if len(shown) and here.any():
        inputs = [shown[:, others], asked[here][:, others]]
        learnt, guessed = _guesses(inputs, shown[:, column], {**_SETTINGS, **_NUMBER}, NUMBER_ROUNDS, declared)
        typical = float(np.abs(learnt - shown[:, column]).mean())
        losses[here] = number_loss(np.abs(guessed - asked[here, column]), typical)
    return losses


def _category_losses(rows: Floats, labels: Ints, asked: Floats, column: int, declared: Sequence[int]) -> Floats:
    others = np.delete(asked, column, axis=1)
    levels, places = np.unique(labels, return_inverse=True)
    if len(levels) < 2:
        chances = np.ones((len(asked), len(levels)))
    else:
        settings = {**_SETTINGS, **_CATEGORY, "num_class": len(levels)}
        (chances,) = _guesses([rows, others], places, settings, CATEGORY_ROUNDS, declared)[1:]
    own = asked[:, column]
    place = np.searchsorted(levels, np.where(np.isnan(own), -1, own))
    is_known = np.isin(own, levels)
    given = np.zeros(len(asked))
    given[is_known] = chances[np.flatnonzero(is_known), place[is_known]]
    return -np.log(given + FLOOR)


def _guesses(
    inputs: Sequence[Floats], target: Floats | Ints, settings: dict[str, Any], rounds: int, declared: Sequence[int]
) -> list[Floats]:
    """Learn from the first of the inputs; guess for all of them."""
    lightgbm = load_lightgbm()

    with quiet_learners():
        data = lightgbm.Dataset(inputs[0], target, categorical_feature=list(declared), params={"verbosity": -1})
        model = lightgbm.train(settings, data, rounds)
        return [np.asarray(model.predict(rows, num_threads=1), np.float64) for rows in inputs]
