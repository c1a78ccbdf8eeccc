"""CTGAN: a conditional adversarial network for tables.

Numbers are encoded by the modes of a mixture (`shared/modes.py`), batches are drawn by conditions on one category at a
time (`kernels/conditions.py`), and a generator learns against a critic that judges ten rows at once
(`synthesizers/deep/adversarial.py`). Dates are numbers. Missing is a level or a mode of its own. Columns without
categories are learnt from plain random batches, for there is nothing to condition on.

Deviations from the paper: the weight of a level in a condition is log(1 + count), not log(count), which would never
show a level that occurs once; the cross-entropy of the condition is taken before the Gumbel noise, not after it; rows
are sampled with the averages that batch normalisation remembered, so that they do not depend on each other.

References
----------
Xu, Skoularidou, Cuesta-Infante, Veeramachaneni 2019, Modeling tabular data using conditional GAN, arXiv:1907.00503.
Gulrajani et al. 2017, arXiv:1704.00028 (gradient penalty). Lin et al. 2018, arXiv:1712.04086 (packs of rows).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.device.torch_extra import EXTRA, need_torch
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard
from seethrough.results.outcome import Value
from seethrough.synthesizers._deep.training_checks import check_rows, check_training, training_notes
from seethrough.synthesizers._models.conditions import Conditions, conditions_of
from seethrough.synthesizers._models.modes import Encoding, observed_encoding

if TYPE_CHECKING:
    from seethrough.synthesizers._deep.adversarial import Adversaries, Generator


TOGETHER = 128
"""Tables whose networks are trained at once."""


@dataclass(frozen=True)
class Ctgan:
    """Learns against a critic, with the paper's sizes; `pac` rows are judged at once."""

    name: ClassVar[str] = "ctgan"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Conditional GAN",
        "An adversarial network trained on one category at a time, with numbers encoded by their modes.",
        cites=("Xu et al. 2019, arXiv:1907.00503",),
        extra=EXTRA,
    )
    epochs: int = 300
    batch: int = 500
    pac: int = 10
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        """Refuse what is no training."""
        check_training(self.name, self.epochs, self.batch)
        if self.pac < 1 or self.batch % self.pac:
            raise ConfigError(f"ctgan.batch is {self.batch}, which packs of {self.pac} rows do not divide")

    def fit(self, table: Table, rng: np.random.Generator) -> "CtganSampler":
        """Train the networks."""
        need_torch(self.name)
        from seethrough.synthesizers._deep.layers import one_thread

        with one_thread():
            encoding, networks = self._started(table, rng, self.device)
            networks.learn(self.epochs, self.batch, rng)
        return self._sampler(len(table), encoding, networks)

    def fit_many(
        self, tables: Sequence[Table], rngs: Sequence[np.random.Generator], device: str | None = None
    ) -> tuple["CtganSampler", ...]:
        """Train the networks of tables with one schema and as many rows each together; without a device, one by one.

        Random numbers are those of `fit` on that device, from which it differs by rounding.
        """
        alike = len({len(table) for table in tables}) <= 1
        if device is None or not alike or not any(column.kind.has_levels for column in tables[0].schema.used):
            return tuple(self.fit(table, rng) for table, rng in zip(tables, rngs, strict=True))
        need_torch(self.name)
        from seethrough.synthesizers._deep.adversarial_batch import train_together
        from seethrough.synthesizers._deep.layers import one_thread

        found: list[CtganSampler] = []
        for begin in range(0, len(tables), TOGETHER):
            some = slice(begin, begin + TOGETHER)
            with one_thread():
                started = [self._started(*each, device) for each in zip(tables[some], rngs[some], strict=True)]
                train_together([networks for _, networks in started], self.epochs, self.batch, rngs[some])
            found += [self._sampler(len(table), *each) for table, each in zip(tables[some], started, strict=True)]
        return tuple(found)

    def _started(self, table: Table, rng: np.random.Generator, device: str) -> "tuple[Encoding, Adversaries]":
        """Start the networks of a table."""
        from seethrough.synthesizers._deep.adversarial import start_training
        from seethrough.synthesizers._deep.layers import device_for, layout_of, torch_generator

        check_rows(self.name, len(table), self.batch)
        place = device_for(device)
        encoding = observed_encoding(table, rng)
        rows = encoding.encode(table, rng)
        categories = encoding.categories
        conditions = conditions_of(rows.picks[:, categories], encoding.sizes[categories])
        source = torch_generator(rng, place)
        return encoding, start_training(layout_of(encoding), conditions, categories, rows, self.pac, source)

    def _sampler(self, rows: int, encoding: Encoding, networks: "Adversaries") -> "CtganSampler":
        card = self._card_for(rows, encoding, str(networks.source.device))
        return CtganSampler(card, encoding, networks.conditions, networks.generator)

    def _card_for(self, rows: int, encoding: Encoding, device: str) -> SamplerCard:
        details: dict[str, Value] = {
            "device": device,
            "steps": self.epochs * (rows // self.batch),
            "width": encoding.width,
        }
        return SamplerCard(self.name, rows, plain(self), details=details, warnings=training_notes(encoding.unsettled))


@dataclass(frozen=True, eq=False)
class CtganSampler:
    """A trained generator."""

    card: SamplerCard
    encoding: Encoding
    conditions: Conditions
    generator: "Generator"

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw rows under conditions as frequent as in the table."""
        from seethrough.synthesizers._deep.adversarial import generate_rows
        from seethrough.synthesizers._deep.layers import layout_of, one_thread, torch_generator

        chance = rng, torch_generator(rng, self.generator.last.weights.device)
        with one_thread():
            drawn = generate_rows(self.generator, layout_of(self.encoding), self.conditions, rows, chance)
        return self.encoding.decode(drawn)
