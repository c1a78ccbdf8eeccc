"""Scores of classes: rows that sum to 1, or are all 0 where nothing is guessed, and how decisive they are."""

import numpy as np

from seethrough.kernels.arrays import Floats, Ints

TIE = 1e-9
"""Scores that differ by no more are equal: they differ by rounding."""


def lead(scores: Floats) -> Floats:
    """Tell by how much the best score of each row leads the next."""
    if scores.shape[1] < 2:
        return np.ones(len(scores))
    ordered = np.sort(scores, axis=1)
    found: Floats = ordered[:, -1] - ordered[:, -2]
    return found


def inverse_weights(distances: Floats) -> Floats:
    """Share 1 in inverse proportion to distances; those that are 0 share it among themselves.

    With two distances the share of the second is d_0 / (d_0 + d_1), and 1/2 each where both are 0.
    """
    nearest = distances.min(axis=1, keepdims=True)
    # Relative to the nearest one, so that no distance is too small to divide by.
    weights = np.divide(nearest, distances, out=np.ones_like(distances), where=distances > 0)
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def expected_hits(scores: Floats, truth: Ints) -> Floats:
    """Give the chance that each guess is right when the best score is taken and ties are broken at random.

    Where all scores are 0 nothing is guessed, and nothing is right.
    """
    best = scores.max(axis=1, keepdims=True)
    top = scores >= best - TIE
    right: Floats = top[np.arange(len(truth)), truth] / top.sum(axis=1) * (best[:, 0] > 0)
    return right
