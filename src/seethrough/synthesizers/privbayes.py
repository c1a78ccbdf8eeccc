"""PrivBayes: a Bayesian network under epsilon-differential privacy.

Neighbouring tables have the same number n of records and differ in one of them. Of d attributes the first is random.

Structure
    d - 1 choices by the exponential mechanism, each with epsilon_1 / (d - 1): a pair of an attribute and k parents is
    chosen with probability in proportion to exp(epsilon_1 / (d - 1) I / (2 S)), where I is its mutual information and

        S = (2/n) log2((n+1)/2) + ((n-1)/n) log2((n+1)/(n-1))      in general
        S = (1/n) log2 n + ((n-1)/n) log2(n/(n-1))                 where in every pair one side is binary
Tables
    The d - k joint distributions of an attribute and its parents get Laplace noise of scale 2 (d - k) / (n epsilon_2)
    on every cell; negative cells become 0, the rest is scaled to 1. The first k attributes come from the first joint
    distribution of k + 1. Parents without weight give the marginal of the attribute.

epsilon_1 = 0.3 epsilon, epsilon_2 = 0.7 epsilon.

The domain is the one that the schema declares. What it leaves open is read from the records, which the guarantee does
not cover: the card names those columns, and `synthesize` makes no release then. A joint table of more than `cells`
cells is never made: attributes for which no set of k parents fits get the largest sets that do, and the card says so.
That depends on the declared sizes alone; the number of joint tables then is that of the families that are not part of
another. A large table drowns in its noise: as many cells as 1 / scale add as much weight as all records have. The card
warns of that; `cells` can be set so low that it does not happen, which is what the paper's theta-usefulness does.

Not covered: noise is of double precision and from a generator that is not made for cryptography.

References
----------
Zhang, Cormode, Procopiuc, Srivastava, Xiao 2017, PrivBayes: Private Data Release via Bayesian Networks, sections 3 and
4.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2, prod
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.networks import Choose, Entropies, Family, greedy_network, joint_codes
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Draw, Privacy, SamplerCard, SynthesizerCard
from seethrough.results.outcome import Value
from seethrough.synthesizers._models.conditionals import WeightedTable, draw_cells, weighted_table
from seethrough.synthesizers._models.domains import BINS, Cells, Domain, declared_domain, domain_warnings
from seethrough.synthesizers._privacy.ledger import PrivacyLedger
from seethrough.synthesizers._privacy.mechanisms import exponential_mechanism
from seethrough.synthesizers._privacy.zcdp import check_epsilon

CHOICE, JOINT_TABLE = "a choice", "a joint table"
"""What the budget is spent on."""


@dataclass(frozen=True)
class PrivBayes:
    """Learns a network of degree `k` for `epsilon`, of which the part `structure` goes to choosing it."""

    name: ClassVar[str] = "privbayes"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "PrivBayes",
        "A Bayesian network with a noisy structure and noisy tables.",
        ("Zhang et al. 2017, PrivBayes, doi:10.1145/3134428",),
        guarantee="epsilon-differential privacy for one record replaced, where the schema declares the domain",
    )
    epsilon: float = 1.0
    k: int = 3
    structure: float = 0.3
    bins: int = BINS
    cells: int = 1_000_000

    def __post_init__(self) -> None:
        """Refuse what gives no guarantee or no network."""
        check_epsilon(self.epsilon)
        if self.k < 1 or self.bins < 1 or self.cells < 1:
            raise ConfigError(f"{self.name}: k, bins and cells are at least 1, not {self.k}, {self.bins}, {self.cells}")
        if not 0 < self.structure < 1:
            raise ConfigError(f"{self.name}: structure is {self.structure!r}; a number between 0 and 1 is expected")

    def fit(self, table: Table, rng: np.random.Generator) -> "PrivBayesSampler":
        """Choose the network and measure its tables."""
        return self.fit_with_progress(table, rng, lambda _: None)

    def fit_with_progress(
        self, table: Table, rng: np.random.Generator, progress: Callable[[float], None]
    ) -> "PrivBayesSampler":
        """Choose the network and measure its tables; `progress` is called with the share of columns placed."""
        width = len(table.columns)
        if self.k >= width or len(table) < 2:
            raise ConfigError(
                f"{self.name}: k = {self.k} parents need {self.k + 1} columns and at least 2 records; "
                f"the table has {width} columns and {len(table)} records"
            )
        domain, ledger = declared_domain(table, self.bins), PrivacyLedger(self.epsilon)
        self._refuse_large(domain)
        cells = domain.cells(table)
        choose = self._chooser(ledger, domain.sizes, len(table), rng)
        entropies = Entropies(cells, domain.sizes)
        families = greedy_network(entropies, self.k, int(rng.integers(width)), choose, self.cells, progress)
        tables = self._measured(ledger, cells, domain.sizes, families, rng)
        return PrivBayesSampler(self._card(domain, families, ledger, len(table)), domain, tables)

    def _refuse_large(self, domain: Domain) -> None:
        for column, size in zip(domain.schema.used, domain.sizes, strict=True):
            if not 1 <= size <= self.cells:
                raise ConfigError(
                    f"{self.name}: column {column.name!r} has {size} values; 1 to cells = {self.cells} are expected"
                )

    def _chooser(self, ledger: PrivacyLedger, sizes: Sequence[int], rows: int, rng: np.random.Generator) -> Choose:
        """Make the exponential mechanism of one choice, which pays before it looks."""
        share = self.structure * self.epsilon / (len(sizes) - 1)

        def choose(offered: Sequence[Family], scores: Floats) -> int:
            cost = ledger.spend(share, CHOICE)
            most = max(sensitivity(family, sizes, rows) for family in offered)
            return exponential_mechanism(scores, most, cost, rng)

        return choose

    def _measured(
        self,
        ledger: PrivacyLedger,
        cells: Cells,
        sizes: Sequence[int],
        families: Sequence[Family],
        rng: np.random.Generator,
    ) -> tuple[WeightedTable, ...]:
        """Measure the joint tables, and take from them the conditional table of each attribute."""
        whole = largest(families)
        columns = [cells[:, place].astype(np.int64) for place in range(len(sizes))]
        joints = {}
        for family in whole:
            cost = ledger.spend((1 - self.structure) * self.epsilon / len(whole), JOINT_TABLE)
            joints[family] = noisy_joint(family, columns, sizes, cost, rng)
        return tuple(
            weighted_table(family, marginal(joints[source], source, family))
            for family in families
            for source in [next(each for each in whole if set(family.members) <= set(each.members))]
        )

    def _card(self, domain: Domain, families: Sequence[Family], ledger: PrivacyLedger, rows: int) -> SamplerCard:
        names = [column.name for column in domain.schema.used]
        few = [names[each.child] for place, each in enumerate(families) if len(each.parents) < min(self.k, place)]
        details: dict[str, Value] = {"spent": ledger.spent, **({"fewer_parents": ", ".join(few)} if few else {})}
        accountant = (
            f"sequential composition: {ledger.times(CHOICE)} choices by the exponential mechanism, "
            f"{ledger.times(JOINT_TABLE)} joint tables with Laplace noise"
        )
        privacy = Privacy(self.epsilon, 0.0, accountant, domain.read_columns)
        warnings = (*domain_warnings(domain), *self._doubts(families, domain.sizes, rows, bool(few)))
        return SamplerCard(self.name, rows, plain(self), privacy, details, warnings)

    def _doubts(self, families: Sequence[Family], sizes: Sequence[int], rows: int, few: bool) -> Iterator[str]:
        """Say what makes the tables poor; the words are the same for all records, as a game collects them."""
        if few:
            yield f"some columns have fewer than k parents: a joint table would have more than {self.cells} cells"
        whole = largest(families)
        scale = 2 * len(whole) / (rows * (1 - self.structure) * self.epsilon)
        if any(scale / 2 * prod(sizes[place] for place in each.members) > 1 for each in whole):
            yield "in some joint tables the noise outweighs the records: use a smaller k, or limit them by cells"


@dataclass(frozen=True, eq=False)
class PrivBayesSampler:
    """Noisy conditional tables, parents before children."""

    card: SamplerCard
    domain: Domain
    tables: tuple[WeightedTable, ...]

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw every attribute given its parents."""
        return self.draw(rows, rng).table

    def draw(self, rows: int, rng: np.random.Generator) -> Draw:
        """Draw, and say how often parents were met that have no weight."""
        cells, fallbacks = draw_cells(self.tables, self.domain.sizes, rows, rng)
        return Draw(self.domain.table(cells, rng), {"unseen_parents": fallbacks, "values_drawn": cells.size})


def sensitivity(family: Family, sizes: Sequence[int], rows: int) -> float:
    """Bound how much the mutual information of a family changes with one of `rows` records."""
    if min(sizes[family.child], prod(sizes[place] for place in family.parents)) <= 2:
        return log2(rows) / rows + (rows - 1) / rows * log2(rows / (rows - 1))
    return 2 / rows * log2((rows + 1) / 2) + (rows - 1) / rows * log2((rows + 1) / (rows - 1))


def largest(families: Sequence[Family]) -> tuple[Family, ...]:
    """Keep the families that are not part of another; of equal ones the first."""
    kept: list[Family] = []
    for family in sorted(families, key=lambda each: -len(each.members)):
        if not any(set(family.members) <= set(other.members) for other in kept):
            kept.append(family)
    return tuple(kept)


def noisy_joint(
    family: Family, columns: Sequence[Ints], sizes: Sequence[int], epsilon: float, rng: np.random.Generator
) -> Floats:
    """Measure a joint distribution: one record replaced moves two shares by 1/n each."""
    codes, cells = joint_codes(columns, sizes, family.members)
    shares = np.bincount(codes, minlength=cells) / len(codes)
    noisy = np.maximum(shares + rng.laplace(0.0, 2 / (len(codes) * epsilon), cells), 0.0)
    total = noisy.sum()
    joint: Floats = noisy / total if total > 0 else np.full(cells, 1 / cells)
    return joint.reshape([sizes[place] for place in family.members])


def marginal(joint: Floats, source: Family, family: Family) -> Floats:
    """Take the joint distribution of a family out of that of a larger one: a row for each combination of parents."""
    places = [source.members.index(place) for place in family.members]
    others = tuple(place for place in range(joint.ndim) if place not in places)
    kept = sorted(places)
    found: Floats = joint.sum(axis=others).transpose([kept.index(place) for place in places])
    return found.reshape(-1, joint.shape[places[-1]])
