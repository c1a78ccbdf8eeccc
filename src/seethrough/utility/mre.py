"""MRE>10: mean relative error of 3-way counts, over the counts of the real table that exceed 10.

A query counts the records with one combination of values of three columns, Q(D) in the real table of n rows, Q(S) in
the synthetic one of m rows, scaled by n / m:

    mean over queries with Q(D) > 10 of |Q(D) - Q(S) n / m| / Q(D)

0 is a release that answers every count right.

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 5.3.
"""

from collections.abc import Sequence

import numpy as np

from seethrough.kernels.arrays import Floats, Ints

MORE_THAN = 10


def relative_errors(real: Ints, synthetic: Ints) -> Floats:
    """Give the relative error of each count of the real table that is large enough."""
    asked = real > MORE_THAN
    scale = real.sum() / synthetic.sum()
    found: Floats = np.abs(real[asked] - synthetic[asked] * scale) / real[asked]
    return found


def mean_of(errors: Sequence[Floats]) -> float | None:
    """Average the errors of all subsets, each query counting once."""
    every = np.concatenate(errors) if errors else np.zeros(0)
    return float(every.mean()) if len(every) else None
