"""RAP-softmax: relaxed rows fitted to noisy 3-way marginals, (epsilon, delta)-differentially private.

Each round chooses marginals whose largest error is large, by the exponential mechanism, measures them with Gaussian
noise, and moves the relaxed rows of `rap` towards all that has been measured. With K = rounds x marginals, n records,
a = alpha, and rho the largest budget of zero-concentrated differential privacy that is (epsilon, delta)-DP:

    eps0         = sqrt(2 rho / (K (a^2 + (1 - a)^2)))
    choice       parameter 2 a eps0 on the largest absolute error of a marginal, sensitivity 1/n; costs (a eps0)^2 / 2
    measurement  noise of sd sqrt(2)/n / ((1 - a) eps0) on every cell, clipped to [0, 1]; costs ((1 - a) eps0)^2 / 2

Neighbouring tables differ in one record, replaced, so n is known. Domains come from the schema; columns that it leaves
open are read from the table, which the guarantee does not cover, and named in a warning, and `synthesize` makes no
release then. Noise made from a seed protects only against those who do not know the seed.

References
----------
Liu, Vietri, Wu 2021, Iterative Methods for Private Synthetic Data, arXiv:2106.07153.

Deviations
----------
The marginals of one round are different ones. A marginal that is chosen again in a later round is measured again: what
counts is the mean of its measurements, clipped after they are averaged. A round makes `steps` steps of `rap`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import one_blas_thread
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Privacy, SamplerCard, SynthesizerCard
from seethrough.synthesizers._models.domains import BINS, Domain, declared_domain, domain_warnings
from seethrough.synthesizers._models.relaxed.fit import RelaxedFit
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._models.relaxed.rows import RelaxedRows, three_way_queries, true_answers
from seethrough.synthesizers._models.relaxed.settings import FitSettings
from seethrough.synthesizers._privacy.noisy_batch import PrivateTable, Rounds, fit_noisy_batch
from seethrough.synthesizers._privacy.noisy_marginals import BudgetSplit, NoisyMarginals
from seethrough.synthesizers._privacy.zcdp import delta_warnings, rho_of

ACCOUNTANT = "zCDP, converted exactly (Canonne, Kamath, Steinke 2020)"
STEPS = 1


@dataclass(frozen=True)
class RapSoftmax:
    """Fits relaxed rows to marginals chosen and measured with noise."""

    name: ClassVar[str] = "rap-softmax"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Private relaxed projection",
        "Rows of probabilities, fitted to 3-way marginals that are chosen and measured with noise.",
        cites=("arXiv:2106.07153", "arXiv:2004.00010"),
        guarantee="(epsilon, delta)-differential privacy for one record replaced, where the schema declares the domain",
    )
    epsilon: float = 1.0
    delta: float = 1e-6
    rounds: int = 2000
    marginals: int = 2
    alpha: float = 0.5
    steps: int = STEPS
    relaxed_rows: int = 1000
    batch: int = 1024
    rate: float = 0.1
    bins: int = BINS

    def __post_init__(self) -> None:
        """Refuse what cannot be fitted, and what would be no privacy."""
        rho_of(self.epsilon, self.delta)
        for name in ("rounds", "marginals", "steps", "relaxed_rows", "batch", "bins"):
            if getattr(self, name) < 1:
                raise ConfigError(f"parameter rap-softmax.{name} is {getattr(self, name)}; at least 1 is expected")
        if not 0 < self.alpha < 1:
            raise ConfigError(f"parameter rap-softmax.alpha is {self.alpha}; a number between 0 and 1 is expected")
        if not self.rate > 0:
            raise ConfigError(f"parameter rap-softmax.rate is {self.rate}; a number above 0 is expected")

    def fit(self, table: Table, rng: np.random.Generator) -> "RapSoftmaxSampler":
        """Choose, measure, and move relaxed rows, round by round, on one thread."""
        with one_blas_thread():  # sums must not depend on the threads of the machine
            domain, start = self._begun(table, rng)
            three_way = three_way_queries(domain)
            relaxed = RelaxedFit(three_way, self._settings, rng)
            answers = relaxed.answers()
            for _ in range(self.rounds):
                for marginal in start.known.choose(answers, self._marginals(three_way), rng):
                    start.known.measure(marginal, rng)
                for _ in range(self.steps):
                    relaxed.step(start.known.errors(answers), rng)
                    answers = relaxed.answers()
        return self._sampler(len(table), domain, start.known, relaxed.probabilities)

    def fit_many(
        self, tables: Sequence[Table], rngs: Sequence[np.random.Generator], device: str | None = None
    ) -> tuple["RapSoftmaxSampler", ...]:
        """Fit each table with its generator: all at once on a torch device, one by one without.

        A device uses the random numbers of `fit`, and differs from it by rounding alone, as with `rap`.
        """
        if device is None:
            return tuple(self.fit(table, rng) for table, rng in zip(tables, rngs, strict=True))
        begun = [self._begun(table, rng) for table, rng in zip(tables, rngs, strict=True)]
        found: dict[int, Matrix] = {}
        for sizes in dict.fromkeys(domain.sizes for domain, _ in begun):
            same = [place for place, (domain, _) in enumerate(begun) if domain.sizes == sizes]
            three_way = three_way_queries(begun[same[0]][0])
            rounds = Rounds(self.rounds, self._marginals(three_way), self.steps)
            fitted = fit_noisy_batch(three_way, [begun[place][1] for place in same], self._settings, rounds, device)
            found.update(zip(same, fitted, strict=True))
        each = enumerate(zip(tables, begun, strict=True))
        return tuple(self._sampler(len(table), domain, start.known, found[n]) for n, (table, (domain, start)) in each)

    @property
    def _settings(self) -> FitSettings:
        return FitSettings(self.relaxed_rows, self.batch, self.rate)

    def _marginals(self, three_way: ThreeWayQueries) -> int:
        """Count the marginals of a round."""
        return min(self.marginals, len(three_way.columns))

    def _begun(self, table: Table, rng: np.random.Generator) -> tuple[Domain, PrivateTable]:
        """Take the domain, and begin knowing nothing of the table."""
        domain = declared_domain(table, self.bins)
        three_way, truth = three_way_queries(domain), true_answers(domain, table)
        split = BudgetSplit(rho_of(self.epsilon, self.delta), self.rounds * self._marginals(three_way), self.alpha)
        return domain, PrivateTable(truth, NoisyMarginals(three_way, truth, len(table), split), rng)

    def _sampler(self, records: int, domain: Domain, known: NoisyMarginals, rows: Matrix) -> "RapSoftmaxSampler":
        return RapSoftmaxSampler(self._card(records, known, domain), RelaxedRows(domain, rows))

    def _card(self, records: int, known: NoisyMarginals, domain: Domain) -> SamplerCard:
        privacy = Privacy(self.epsilon, self.delta, ACCOUNTANT, domain.read_columns)
        details = {
            "rho": known.split.rho,
            "rho spent": known.ledger.spent,
            "noise": known.split.noise(records),
            "marginals measured": known.marginals,
        }
        warnings = (*domain_warnings(domain), *delta_warnings(self.delta, records))
        return SamplerCard(self.name, records, plain(self), privacy, details, warnings)


@dataclass(frozen=True, eq=False)
class RapSoftmaxSampler:
    """RelaxedFit rows to draw from; drawing costs no privacy."""

    card: SamplerCard
    relaxed: RelaxedRows

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw rows."""
        return self.relaxed.draw(rows, rng)
