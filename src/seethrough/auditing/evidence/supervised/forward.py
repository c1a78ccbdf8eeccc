"""The forward test: an exact p for a learner that was told who is a member.

Fold k is rated by a model of folds 1 to k - 1. Given the labels of the earlier folds the model is fixed, and labels in
the fold are exchangeable if nothing tells members apart: the p of each fold, by permutation of its labels over scores
that stay, is valid given the past, and the four are joined as independent (Stouffer),

    Z = sum of Phi^-1(1 - p_k) / sqrt(K),   p = 1 - Phi(Z),

whatever the learner does. p_k is that of the maximum over the statistics that every rating has. A fold whose people all
have one score says nothing and is left out, which is decided before its labels are looked at.

Cross-fitted scores, each fold rated by a model of all others, must not be permuted: every pair of people then counts
twice with the same sign, and a test at 5 % rejects 12 % of the time.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from seethrough.auditing.evidence.significance import rating_vectors
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.statistics.permutation import permutation_test

PERMUTATIONS = 999
"""Within a fold; four folds that none of them reaches make a p of 3e-10."""


def stouffer(p: Sequence[float]) -> float:
    """Join independent p; without any it is 1."""
    if not p:
        return 1.0
    # A p of 1 means that no permutation was below: minus infinity would outweigh whatever the others found.
    z = [float(ndtri(1 - min(each, 1 - 1 / (PERMUTATIONS + 1)))) for each in p]
    return float(ndtr(-sum(z) / sqrt(len(z))))


def forward_p(folds: Sequence[tuple[Floats, Bools]], rng: np.random.Generator, device: str = "cpu") -> float:
    """Test folds that earlier ones were learnt from: the scores of each, and who is a member."""
    return stouffer([_fold_p(scores, members, rng, device) for scores, members in folds if np.ptp(scores)])


def _fold_p(scores: Floats, members: Bools, rng: np.random.Generator, device: str) -> float:
    vectors = np.column_stack(rating_vectors(scores))
    # Either group may be the one that stands out, but the model has learnt which: one side is enough.
    return permutation_test(vectors, members, rng, PERMUTATIONS, device).p_of_maximum(np.arange(vectors.shape[1]))
