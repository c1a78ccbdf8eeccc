"""TVAE: a variational autoencoder for tables.

Rows are encoded as for CTGAN (`shared/modes.py`); encoder and decoder are in `synthesizers/deep/autoencoder.py`. Dates
are numbers. Missing is a level or a mode of its own. A row is drawn from the decoder's distribution, it is not its most
likely one: choices in proportion to their softmax, numbers from the Gaussian around the output, cut at the mode's ends.

References
----------
Xu, Skoularidou, Cuesta-Infante, Veeramachaneni 2019, Modeling tabular data using conditional GAN, section 4.5,
arXiv:1907.00503. Kingma and Welling 2014, arXiv:1312.6114.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from seethrough.data.table import Table
from seethrough.kernels.device.torch_extra import EXTRA, need_torch
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard
from seethrough.results.outcome import Value
from seethrough.synthesizers._deep.training_checks import check_rows, check_training, training_notes
from seethrough.synthesizers._models.modes import Encoding, observed_encoding

if TYPE_CHECKING:
    from seethrough.synthesizers._deep.autoencoder import Decoder


@dataclass(frozen=True)
class Tvae:
    """Learns to write rows as a few numbers and back."""

    name: ClassVar[str] = "tvae"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Tabular variational autoencoder",
        "A variational autoencoder with numbers encoded by their modes.",
        cites=("Xu et al. 2019, arXiv:1907.00503",),
        extra=EXTRA,
    )
    epochs: int = 300
    batch: int = 500
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        """Refuse what is no training."""
        check_training(self.name, self.epochs, self.batch)

    def fit(self, table: Table, rng: np.random.Generator) -> "TvaeSampler":
        """Train the networks."""
        need_torch(self.name)
        from seethrough.synthesizers._deep.autoencoder import start_training
        from seethrough.synthesizers._deep.layers import device_for, layout_of, one_thread, torch_generator

        check_rows(self.name, len(table), self.batch)
        place = device_for(self.device)
        encoding = observed_encoding(table, rng)
        rows = encoding.encode(table, rng)
        with one_thread():
            networks = start_training(layout_of(encoding), torch_generator(rng, place))
            networks.learn(rows, self.epochs, self.batch, rng)
        steps = self.epochs * -(-len(table) // self.batch)
        details: dict[str, Value] = {"device": str(place), "steps": steps, "width": encoding.width}
        card = SamplerCard(
            self.name, len(table), plain(self), details=details, warnings=training_notes(encoding.unsettled)
        )
        return TvaeSampler(card, encoding, networks.decoder)


@dataclass(frozen=True, eq=False)
class TvaeSampler:
    """A trained decoder."""

    card: SamplerCard
    encoding: Encoding
    decoder: "Decoder"

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw hidden numbers, and rows from them."""
        from seethrough.synthesizers._deep.autoencoder import decode_rows
        from seethrough.synthesizers._deep.layers import layout_of, one_thread, torch_generator

        with one_thread():
            drawn = decode_rows(
                self.decoder, layout_of(self.encoding), rows, torch_generator(rng, self.decoder.spreads.device)
            )
        return self.encoding.decode(drawn)
