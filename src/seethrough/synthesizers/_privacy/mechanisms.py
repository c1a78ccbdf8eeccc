"""Answers with noise: the mechanisms that several generators share; what they cost is in `ledger`."""

import numpy as np
import numpy.typing as npt


def exponential_mechanism(
    scores: npt.NDArray[np.floating], sensitivity: float, parameter: float, rng: np.random.Generator
) -> int:
    """Choose with probability in proportion to exp(parameter score / (2 sensitivity)); -inf is never chosen.

    Drawn as the largest score with Gumbel noise. Costs `parameter` of pure epsilon, and parameter^2 / 8 of zCDP (Cesar,
    Rogers 2021, arXiv:2004.07223).
    """
    return int(np.argmax(parameter * scores / (2 * sensitivity) + rng.gumbel(size=len(scores))))
