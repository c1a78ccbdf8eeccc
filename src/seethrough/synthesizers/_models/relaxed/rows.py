"""Relaxed rows under a domain: what generators that keep 3-way marginals fit and draw from."""

from dataclasses import dataclass

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError, DataError
from seethrough.synthesizers._models.domains import Domain
from seethrough.synthesizers._models.relaxed.queries import LEAST_COLUMNS, Matrix, ThreeWayQueries, pad_sizes
from seethrough.synthesizers._models.relaxed.sampling import sample_cells


@dataclass(frozen=True, eq=False)
class RelaxedRows:
    """Probabilities of all values of a domain, a column for each relaxed row."""

    domain: Domain
    probabilities: Matrix

    def draw(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw relaxed rows, and each value from its probabilities."""
        if rows < 1:
            raise ConfigError(f"{rows} rows cannot be drawn; at least one is needed")
        cells = sample_cells(self.probabilities, three_way_queries(self.domain), rows, rng)
        return self.domain.table(cells[:, : len(self.domain.sizes)], rng)


def three_way_queries(domain: Domain) -> ThreeWayQueries:
    """Give the queries of a domain; of fewer than three columns, those of all there are."""
    return ThreeWayQueries(pad_sizes(domain.sizes))


def true_answers(domain: Domain, table: Table) -> Matrix:
    """Answer all queries on a table."""
    if not len(table):
        raise DataError("a table without rows has no marginals to be fitted")
    cells = domain.cells(table)
    missing = max(0, LEAST_COLUMNS - cells.shape[1])
    return three_way_queries(domain).marginals(np.pad(cells, ((0, 0), (0, missing))))
