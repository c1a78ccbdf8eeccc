"""The experiment of Ruiz et al. 2018, section 4, at any size: synthetic tables at three levels of closeness.

The real table has three normal attributes. A synthetic table of level 1 is drawn from the same distributions, with
correlations slightly changed; of level 2 with other marginals as well; of level 3 with other marginals and weak
correlations. The paper draws 20 records and one table of each level.
"""

import numpy as np

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats
from seethrough.seeds import stream

NAMES = ("X1", "X2", "X3")
REAL = ((50.0, 500.0, 2500.0), (10.0, 50.0, 250.0), (0.56, 0.25, 0.16))
LEVELS = (
    ((50.0, 500.0, 2500.0), (10.0, 50.0, 250.0), (0.52, 0.18, 0.21)),
    ((45.0, 450.0, 2200.0), (8.0, 40.0, 200.0), (0.44, 0.25, 0.21)),
    ((45.0, 450.0, 2200.0), (8.0, 40.0, 200.0), (0.17, 0.12, 0.09)),
)
"""Means, standard deviations, and correlations of the first with the second and third and of these two."""

Law = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
Columns = dict[str, Floats]


def closeness_tables(records: int, levels: tuple[int, ...], seed: int) -> tuple[Columns, dict[str, Columns]]:
    """Draw the real table, and a synthetic one of each level asked for."""
    if records < 2 or not levels or not set(levels) <= {1, 2, 3}:
        raise ConfigError(
            f"the experiment needs two records and levels of closeness from 1 to 3; it was given {records} and {levels}"
        )
    real = _drawn(REAL, records, stream(seed, "closeness real"))
    tables = {
        f"{number} of level {level}": _drawn(LEVELS[level - 1], records, stream(seed, f"closeness {number} {level}"))
        for number, level in enumerate(levels, 1)
    }
    return real, tables


def _drawn(law: Law, rows: int, rng: np.random.Generator) -> Columns:
    means, spreads, (first, second, third) = law
    correlations = np.array([[1.0, first, second], [first, 1.0, third], [second, third, 1.0]])
    values = rng.normal(size=(rows, 3)) @ np.linalg.cholesky(correlations).T * spreads + means
    return dict(zip(NAMES, values.T, strict=True))
