"""TVAE's networks and their training: section 4.5 of Xu et al. 2019, on torch.

Encoder: two layers of 128 rectifiers, then mean and log variance of 128 hidden numbers. Decoder: two layers of 128,
then for every number the tanh of an output as the mean of a Gaussian, whose spread is learnt for the column, and for
every choice a softmax. Trained on the evidence lower bound: cross-entropy of the choices, negative log density of the
numbers, and divergence of the hidden numbers from the standard normal.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from seethrough.synthesizers._deep.layers import (
    BLOCK,
    Dense,
    NetworkLayout,
    adam,
    dense,
    join_encoded,
    normal,
    parameters_of,
    take_step,
)
from seethrough.synthesizers._models.modes import Encoded

HIDDEN = 128
RATE = 1e-3
NARROWEST, WIDEST = 0.01, 1.0
"""Bounds of a number's spread within its mode, without which the density of a constant grows beyond all bounds."""
FIRST_SPREAD = 0.1


@dataclass(frozen=True, eq=False)
class Decoder:
    """Makes rows from hidden numbers; `spreads` are logarithms, one for each number."""

    layers: tuple[Dense, ...]
    spreads: Tensor

    def raw(self, hidden: Tensor) -> Tensor:
        """Give the vectors before tanh and softmax."""
        return pass_through(hidden, self.layers)

    def deviations(self) -> Tensor:
        """Give the spreads themselves."""
        return self.spreads.exp().clamp(NARROWEST, WIDEST)


@dataclass(frozen=True, eq=False)
class Autoencoder:
    """Both networks in training."""

    layout: NetworkLayout
    encoder: tuple[Dense, ...]
    decoder: Decoder
    source: torch.Generator

    def learn(self, rows: Encoded, epochs: int, batch: int, rng: np.random.Generator) -> None:
        """See every row once an epoch, in random order."""
        learnt = [*parameters_of((*self.encoder, *self.decoder.layers)), self.decoder.spreads]
        optimizer = adam(learnt, RATE)
        for _ in range(epochs):
            order = rng.permutation(len(rows.picks))
            for begin in range(0, len(order), batch):
                chosen = order[begin : begin + batch]
                vectors = self.layout.vectors(rows, chosen, self.source.device)
                choices = torch.from_numpy(rows.picks[chosen].astype(np.int64)).to(self.source.device)
                take_step(optimizer, self.loss(vectors, choices))

    def loss(self, vectors: Tensor, choices: Tensor) -> Tensor:
        """Give the negative evidence lower bound of an average row."""
        mean, logarithm = pass_through(vectors, self.encoder).chunk(2, 1)
        hidden = mean + (logarithm / 2).exp() * normal(mean.shape, self.source)
        divergence = (mean**2 + logarithm.exp() - 1 - logarithm).sum() / 2
        numbers = vectors[:, : len(self.layout.numeric)]
        return (self._unlike(self.decoder.raw(hidden), numbers, choices) + divergence) / len(vectors)

    def _unlike(self, raw: Tensor, numbers: Tensor, choices: Tensor) -> Tensor:
        """Give the negative log likelihood of rows, less a constant."""
        spreads = self.decoder.deviations()
        away = (numbers - torch.tanh(raw[:, : numbers.shape[1]])) / spreads
        total = (away**2 / 2).sum() + len(numbers) * spreads.log().sum()
        for place, block in enumerate(self.layout.blocks(raw)):
            total = total + functional.cross_entropy(block, choices[:, place], reduction="sum")
        return total


def start_training(layout: NetworkLayout, source: torch.Generator) -> Autoencoder:
    """Start both networks."""
    width = len(layout.numeric) + int(layout.sizes.sum())
    encoder = dense(width, HIDDEN, source), dense(HIDDEN, HIDDEN, source), dense(HIDDEN, 2 * HIDDEN, source)
    layers = dense(HIDDEN, HIDDEN, source), dense(HIDDEN, HIDDEN, source), dense(HIDDEN, width, source)
    spreads = torch.full((len(layout.numeric),), float(np.log(FIRST_SPREAD)), device=source.device)
    return Autoencoder(layout, encoder, Decoder(layers, spreads.requires_grad_()), source)


def pass_through(rows: Tensor, layers: tuple[Dense, ...]) -> Tensor:
    """Pass rows through layers, with rectifiers between them."""
    for layer in layers[:-1]:
        rows = torch.relu(layer(rows))
    return layers[-1](rows)


def decode_rows(decoder: Decoder, layout: NetworkLayout, rows: int, source: torch.Generator) -> Encoded:
    """Draw rows, block by block."""
    parts = []
    for begin in range(0, rows, BLOCK):
        with torch.no_grad():
            raw = decoder.raw(normal((min(BLOCK, rows - begin), HIDDEN), source))
            picks, numbers = layout.draw(raw, source)
            numbers = numbers + decoder.deviations() * normal(numbers.shape, source)
            parts.append(layout.encode(picks, numbers.clamp(-1, 1)))
    return join_encoded(parts, len(layout.sizes))
