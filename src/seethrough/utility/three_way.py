"""Both measures of 3-way counts from one count of each subset."""

import numpy as np

from seethrough.data.table import Table
from seethrough.utility.counting import SUBSETS, all_subsets, cell_counts, random_subsets
from seethrough.utility.mre import mean_of, relative_errors
from seethrough.utility.tvd import total_variation


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
