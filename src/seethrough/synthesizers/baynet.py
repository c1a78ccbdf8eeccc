"""BayNet: a Bayesian network, chosen greedily by mutual information, with the conditional tables of the records.

The first attribute is random. Then, one after the other, the pair of an attribute and k parents among those already
placed is taken that has the largest mutual information. Attributes are drawn in that order, each given its parents.
Parents that no record has give the marginal of the attribute; the card of a synthesis says how often.

Numbers and dates are modelled by bins and drawn uniformly within one.

References
----------
Zhang, Cormode, Procopiuc, Srivastava, Xiao 2017, PrivBayes: Private Data Release via Bayesian Networks, sections 2 and
3, without noise. Annamalai, Gadotti, Rocher 2024 attack it with k = 3.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats
from seethrough.kernels.learning.networks import Entropies, Family, greedy_network
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Draw, SamplerCard, SynthesizerCard
from seethrough.synthesizers._models.conditionals import ConditionalTable, counted_table, draw_cells
from seethrough.synthesizers._models.domains import BINS, Domain, observed_domain


@dataclass(frozen=True)
class BayesianNetwork:
    """Learns a network of degree `k`; numbers have `bins` bins where the schema declares no edges."""

    name: ClassVar[str] = "baynet"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Bayesian network",
        "A network of conditional tables, chosen greedily by mutual information; k parents for each column.",
        ("Zhang et al. 2017, PrivBayes, doi:10.1145/3134428, without noise",),
    )
    k: int = 3
    bins: int = BINS

    def __post_init__(self) -> None:
        """Refuse what is no network."""
        if self.k < 1 or self.bins < 1:
            raise ConfigError(f"{self.name}: k = {self.k} and bins = {self.bins}; both are at least 1")

    def fit(self, table: Table, rng: np.random.Generator) -> "NetworkSampler":
        """Choose the network and count."""
        return self.fit_with_progress(table, rng, lambda _: None)

    def fit_with_progress(
        self, table: Table, rng: np.random.Generator, progress: Callable[[float], None]
    ) -> "NetworkSampler":
        """Choose the network and count; `progress` is called with the share of columns placed."""
        width = len(table.columns)
        if self.k >= width:
            raise ConfigError(f"{self.name}: k = {self.k} parents need {self.k + 1} columns; the table has {width}")
        domain = observed_domain(table, self.bins)
        cells = domain.cells(table)
        entropies = Entropies(cells, domain.sizes)
        families = greedy_network(entropies, self.k, int(rng.integers(width)), _largest, progress=progress)
        columns = [cells[:, place].astype(np.int64) for place in range(width)]
        tables = tuple(counted_table(family, columns, domain.sizes) for family in families)
        card = SamplerCard(self.name, len(table), plain(self), details={"network": describe_network(families, domain)})
        return NetworkSampler(card, domain, tables)


@dataclass(frozen=True, eq=False)
class NetworkSampler:
    """Conditional tables, parents before children."""

    card: SamplerCard
    domain: Domain
    tables: tuple[ConditionalTable, ...]

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw every attribute given its parents."""
        return self.draw(rows, rng).table

    def draw(self, rows: int, rng: np.random.Generator) -> Draw:
        """Draw, and say how often parents were met that no record has."""
        cells, fallbacks = draw_cells(self.tables, self.domain.sizes, rows, rng)
        return Draw(self.domain.table(cells, rng), {"unseen_parents": fallbacks, "values_drawn": cells.size})


def describe_network(families: Sequence[Family], domain: Domain) -> str:
    """Write a network in one line."""
    names = [column.name for column in domain.schema.used]
    lines = (f"{names[each.child]} < {', '.join(names[place] for place in each.parents)}" for each in families[1:])
    return "; ".join((names[families[0].child], *lines))


def _largest(_: Sequence[Family], scores: Floats) -> int:
    return int(np.argmax(scores))
