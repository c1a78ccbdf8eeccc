"""Utility by 3-way counts: MRE>10 (see `mre`) and 3-TVD, from one count of each subset of three columns.

3-TVD is the mean over the subsets of the total variation distance between the histograms of the two tables over all
combinations of values: from 0 (equal histograms) to 1 (no combination in common).

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 5.3.
"""

import numpy as np

from seethrough.data.table import Table
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.utility.counting import SUBSETS, all_subsets, cell_counts, random_subsets
from seethrough.utility.mre import mean_of, relative_errors


def three_way(
    real: Table, synthetic: Table, rng: np.random.Generator, subsets: int | None = SUBSETS
) -> tuple[float | None, float]:
    """Give MRE>10 and 3-TVD over random subsets of three columns; `subsets=None` takes all."""
    width = len(real.columns)
    chosen = all_subsets(width) if subsets is None else random_subsets(width, rng, subsets)
    errors, distances = [], []
    for counts in cell_counts(real, synthetic, chosen):
        errors.append(relative_errors(*counts))
        distances.append(total_variation(*counts))
    return mean_of(errors), float(np.mean(distances))
