"""3-TVD: mean total variation distance between the 3-way histograms of two tables.

For each subset of three columns half the sum over all combinations of values of |share in the real table - share in
the synthetic one|, averaged over the subsets; from 0 (equal histograms) to 1 (no combination in common).

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 5.3.
"""

from collections.abc import Sequence

import numpy as np

from seethrough.data.table import Table
from seethrough.kernels.arrays import Ints
from seethrough.utility.counting import Subset, cell_counts


def total_variation(real: Ints, synthetic: Ints) -> float:
    """Give half the L1 distance between two normalised histograms."""
    return float(np.abs(real / real.sum() - synthetic / synthetic.sum()).sum() / 2)


def mean_total_variation(real: Table, synthetic: Table, subsets: Sequence[Subset]) -> float:
    """Average over the subsets."""
    return float(np.mean([total_variation(*counts) for counts in cell_counts(real, synthetic, subsets)]))
