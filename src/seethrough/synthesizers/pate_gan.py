"""PATE-GAN: a generator that learns from noisy votes of teachers, each of which has seen one part of the table.

The privacy comes from the votes alone (`_deep/ensemble.py` says why): a record is in one part, so
replacing it changes one teacher, and takes at most one vote from one count to the other for each question. Gaussian
noise of standard deviation s on both counts makes an answer cost a / s^2 of Renyi order a. The costs of all answers to
the student over the whole training are added up (`_privacy/vote_noise.py`), and s is chosen before the training such
that they keep to epsilon and delta. A ledger counts the answers once more while they are given, and refuses the one
that would overspend.

Levels, ranges and whether a value may be missing are taken from the declared schema; what it leaves open is read
from the table, the card names these columns, and `synthesize` makes no release then. The number of records counts as
public. The guarantee is about what is computed; it also needs a seed that nobody knows who sees the rows.

Deviations from the paper: its noise is Laplace and its accountant looks at how clear the votes were, whose result
would have to be kept secret itself; here the noise is Gaussian and the cost does not depend on the data. The number
of rounds is fixed and the noise follows, instead of training until the budget is gone. The generator raises log S
instead of lowering log(1 - S).

With few teachers and a small epsilon the noise drowns the votes, and what comes out says next to nothing about the
table. That is what the guarantee costs: with 1000 records, 96,000 answers need noise of 1658 votes at epsilon 1.

References
----------
Jordon, Yoon, van der Schaar 2019, PATE-GAN: generating synthetic data with differential privacy guarantees, ICLR.
Papernot et al. 2018, Scalable private learning with PATE, arXiv:1802.08908 (Gaussian noise on votes).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.device.torch_extra import EXTRA, need_torch
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Privacy, SamplerCard, SynthesizerCard
from seethrough.synthesizers._models.domains import Domain, declared_domain, domain_warnings
from seethrough.synthesizers._models.modes import Encoding, declared_encoding
from seethrough.synthesizers._privacy.vote_noise import NoisyVotes, noise_for_votes
from seethrough.synthesizers._privacy.zcdp import check_budget, delta_warnings

if TYPE_CHECKING:
    from seethrough.synthesizers._deep.ensemble import Network

ACCOUNTANT = (
    "Renyi: order / noise^2 for each answer from two vote counts, added over all answers, "
    "converted at the best order (Canonne, Kamath, Steinke 2020)"
)


@dataclass(frozen=True)
class PateGan:
    """Learns from noisy votes; without `delta` it is 1 / (n sqrt n) for n records."""

    name: ClassVar[str] = "pate-gan"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "GAN with private teachers",
        "A generator that learns from noisy votes of teachers, each of which has seen one part of the table.",
        cites=("Jordon et al. 2019, PATE-GAN, ICLR",),
        guarantee="(epsilon, delta)-differential privacy for one record replaced, where the schema declares the domain",
        extra=EXTRA,
    )
    epsilon: float = 1.0
    delta: float | None = None
    teachers: int = 10
    rounds: int = 300
    teacher_steps: int = 5
    student_steps: int = 5
    batch: int = 64
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        """Refuse what is no budget or no training."""
        check_budget(self.epsilon, 0.5 if self.delta is None else self.delta)
        for name in ("teachers", "rounds", "teacher_steps", "student_steps", "batch"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{self.name}.{name} is {getattr(self, name)}; at least 1 is needed")

    @property
    def queries(self) -> int:
        """How many answers the student gets."""
        return self.rounds * self.student_steps * self.batch

    def noisy_votes(self, rows: int) -> NoisyVotes:
        """Choose the noise with which all answers keep to the budget."""
        delta = rows**-1.5 if self.delta is None else self.delta
        return NoisyVotes(noise_for_votes(self.queries, self.epsilon, delta), self.epsilon, delta)

    def fit(self, table: Table, rng: np.random.Generator) -> "PateGanSampler":
        """Train all networks within the budget."""
        need_torch(self.name)
        from seethrough.synthesizers._deep.ensemble import Schedule, split_rows, start_training
        from seethrough.synthesizers._deep.layers import device_for, layout_of, one_thread, torch_generator

        if len(table) < max(2, self.teachers):
            raise ConfigError(f"{self.teachers} teachers need as many records, and at least 2; there are {len(table)}")
        place, domain = device_for(self.device), declared_domain(table)
        encoding = declared_encoding(domain)
        votes = self.noisy_votes(len(table))
        with one_thread():
            networks = start_training(layout_of(encoding), self.teachers, torch_generator(rng, place))
            parts = split_rows(encoding.encode(table, rng), self.teachers, rng)
            schedule = Schedule(self.rounds, self.teacher_steps, self.student_steps, self.batch)
            networks.learn(parts, schedule, votes, rng)
        return PateGanSampler(self._card_for(len(table), domain, votes, str(place)), encoding, networks.generator)

    def _card_for(self, rows: int, domain: Domain, votes: NoisyVotes, device: str) -> SamplerCard:
        return SamplerCard(
            self.name,
            rows,
            plain(self),
            Privacy(self.epsilon, votes.delta, ACCOUNTANT, domain.read_columns),
            {"device": device, "answers": votes.answers, "noise": votes.noise, "epsilon_spent": votes.epsilon_spent},
            (*domain_warnings(domain), *delta_warnings(votes.delta, rows)),
        )


@dataclass(frozen=True, eq=False)
class PateGanSampler:
    """A trained generator; what it draws costs nothing more."""

    card: SamplerCard
    encoding: Encoding
    generator: "Network"

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw rows."""
        from seethrough.synthesizers._deep.ensemble import generate_rows
        from seethrough.synthesizers._deep.layers import layout_of, one_thread, torch_generator

        source = torch_generator(rng, self.generator.layers[0].weights.device)
        with one_thread():
            drawn = generate_rows(self.generator, layout_of(self.encoding), rows, source)
        return self.encoding.decode(drawn)
