"""RAP: relaxed adaptive projection, without noise. Keeps all 3-way marginals, so whatever can be told from them leaks.

A table of relaxed rows, with a probability for each value of each column, is moved by Adam until its 3-way marginals
are those of the real table. Each step draws queries (one cell of one marginal each) in proportion to their present
absolute error and takes the L2 norm of the errors drawn as its loss. A synthetic row is a relaxed row drawn at random,
with each value drawn from its probabilities by itself. Numbers count as their bin; of two columns the pairs are kept.

References
----------
Aydore et al. 2021, Differentially Private Query Release Through Adaptive Projection, arXiv:2103.06641; softmax for each
column: Liu, Vietri, Wu 2021, arXiv:2106.07153; without noise: Annamalai, Gadotti, Rocher 2024, appendix A.

Deviations
----------
Queries of a step are drawn with replacement. Logits begin as standard normal numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import one_blas_thread
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard
from seethrough.synthesizers._models.domains import BINS, Domain, observed_domain
from seethrough.synthesizers._models.relaxed.batch import device_there, fit_batch
from seethrough.synthesizers._models.relaxed.fit import RelaxedFit
from seethrough.synthesizers._models.relaxed.queries import Matrix
from seethrough.synthesizers._models.relaxed.rows import RelaxedRows, three_way_queries, true_answers
from seethrough.synthesizers._models.relaxed.settings import FitSettings


@dataclass(frozen=True)
class Rap:
    """Fits relaxed rows to all 3-way marginals."""

    name: ClassVar[str] = "rap"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Relaxed adaptive projection",
        "Rows of probabilities, fitted to all 3-way marginals without noise: keeps them almost exactly.",
        cites=("arXiv:2103.06641", "arXiv:2106.07153"),
    )
    relaxed_rows: int = 1000
    steps: int = 2000
    batch: int = 1024
    rate: float = 0.1
    bins: int = BINS
    device: Literal["cpu", "cuda"] = "cpu"

    def __post_init__(self) -> None:
        """Refuse what cannot be fitted."""
        for name, least in (("relaxed_rows", 1), ("steps", 0), ("batch", 1), ("bins", 1)):
            if getattr(self, name) < least:
                raise ConfigError(f"parameter rap.{name} is {getattr(self, name)}; at least {least} is expected")
        if not self.rate > 0:
            raise ConfigError(f"parameter rap.rate is {self.rate}; a number above 0 is expected")

    @property
    def settings(self) -> FitSettings:
        """Say how rows are moved."""
        return FitSettings(self.relaxed_rows, self.batch, self.rate)

    def fit(self, table: Table, rng: np.random.Generator) -> "RapSampler":
        """Move relaxed rows towards the table, on one thread or on the device."""
        if self.device != "cpu":
            return self.fit_many([table], [rng], self.device)[0]
        domain = observed_domain(table, self.bins)
        with one_blas_thread():  # sums must not depend on the threads of the machine
            target = true_answers(domain, table)
            relaxed = RelaxedFit(three_way_queries(domain), self.settings, rng)
            for _ in range(self.steps):
                relaxed.step(relaxed.answers() - target, rng)
            return self._sampler(table, domain, target, relaxed.probabilities)

    def fit_many(
        self, tables: Sequence[Table], rngs: Sequence[np.random.Generator], device: str | None = None
    ) -> tuple["RapSampler", ...]:
        """Fit each table with its generator: all at once on a torch device, one by one where there is none.

        A device uses the same random numbers as `fit`, and differs from it by rounding alone; over many steps that
        leads to other relaxed rows of the same quality. One device repeats its own numbers.
        """
        if device is None and not device_there():
            return tuple(self.fit(table, rng) for table, rng in zip(tables, rngs, strict=True))
        domains = [observed_domain(table, self.bins) for table in tables]
        targets = [true_answers(domain, table) for domain, table in zip(domains, tables, strict=True)]
        found: dict[int, Matrix] = {}
        for sizes in dict.fromkeys(domain.sizes for domain in domains):
            same = [place for place, domain in enumerate(domains) if domain.sizes == sizes]
            fitted = fit_batch(
                three_way_queries(domains[same[0]]),
                [targets[place] for place in same],
                [rngs[place] for place in same],
                self.settings,
                self.steps,
                device or "cuda",
            )
            found.update(zip(same, fitted, strict=True))
        each = zip(tables, domains, targets, strict=True)
        return tuple(self._sampler(*each_one, found[place]) for place, each_one in enumerate(each))

    def _sampler(self, table: Table, domain: Domain, target: Matrix, probabilities: Matrix) -> "RapSampler":
        error = three_way_queries(domain).sums(probabilities) / np.float32(self.relaxed_rows) - target
        details = {"queries": len(target), "largest error": float(np.abs(error).max())}
        card = SamplerCard(self.name, len(table), plain(self), details=details)
        return RapSampler(card, RelaxedRows(domain, probabilities))


@dataclass(frozen=True, eq=False)
class RapSampler:
    """RelaxedFit rows to draw from."""

    card: SamplerCard
    relaxed: RelaxedRows

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw rows."""
        return self.relaxed.draw(rows, rng)
