"""CTGAN's networks and their training: algorithm 1 of Xu et al. 2019, on torch.

Generator: noise of 128 numbers and the condition; two layers of 256 with batch normalisation and rectifiers, each of
which also hands on what it got; tanh for numbers, Gumbel softmax (0.2) for choices. Critic: two layers of 256 leaky
rectifiers (0.2) with dropout, which judge `pac` rows and their conditions at once. A step of the critic lowers

    mean critic(fake) - mean critic(real) + 10 mean (|gradient at mixtures of both| - 1)^2

and a step of the generator lowers - mean critic(fake) + the cross-entropy of the conditioned column with its condition.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from seethrough.kernels.arrays import Ints
from seethrough.synthesizers._deep.layers import (
    BLOCK,
    Dense,
    NetworkLayout,
    Normalised,
    adam,
    dense,
    drop_out,
    join_encoded,
    normal,
    normalised_layer,
    parameters_of,
    take_step,
    uniform,
)
from seethrough.synthesizers._models.conditions import Conditions
from seethrough.synthesizers._models.modes import Encoded

NOISE = 128
HIDDEN = 256
RATE = 2e-4
MOMENTS = (0.5, 0.9)
"""Of Adam; the paper leaves them open, these are usual with a gradient penalty."""
LEAK = 0.2
PENALTY = 10.0


@dataclass(frozen=True, eq=False)
class Generator:
    """Makes rows from noise and a condition."""

    first: Normalised
    second: Normalised
    last: Dense

    def raw(self, noise: Tensor, condition: Tensor, training: bool) -> Tensor:
        """Give the vectors before tanh and softmax."""
        rows = torch.cat([noise, condition], 1)
        rows = torch.cat([rows, self.first(rows, training)], 1)
        return self.last(torch.cat([rows, self.second(rows, training)], 1))


@dataclass(frozen=True, eq=False)
class Critic:
    """Judges packs of rows: the higher, the more like the table."""

    first: Dense
    second: Dense
    last: Dense

    def scores(self, packs: Tensor, source: torch.Generator) -> Tensor:
        """Score each pack."""
        found = drop_out(functional.leaky_relu(self.first(packs), LEAK), source)
        found = drop_out(functional.leaky_relu(self.second(found), LEAK), source)
        return self.last(found)[:, 0]


@dataclass(frozen=True, eq=False)
class Adversaries:
    """Both networks in training, the rows they learn from, and the random numbers of torch and ours."""

    layout: NetworkLayout
    conditions: Conditions
    categories: Ints
    rows: Encoded
    pac: int
    generator: Generator
    critic: Critic
    source: torch.Generator

    def learn(self, epochs: int, batch: int, rng: np.random.Generator) -> None:
        """Train both in turn, as many steps an epoch as the table has batches."""
        ours = adam(self._learnt(self.generator), RATE, MOMENTS)
        theirs = adam(self._learnt(self.critic), RATE, MOMENTS)
        for _ in range(epochs * (len(self.rows.picks) // batch)):
            columns, levels, real = self._dealt(batch, rng)
            condition = one_hot(levels, self.conditions.width, self.source.device, batch)
            take_step(theirs, self.critic_loss(real, condition))
            take_step(ours, self.generator_loss(columns, levels, condition))

    def critic_loss(self, real: Tensor, condition: Tensor) -> Tensor:
        """Compare what the critic says of real and of made rows, with the penalty on its slope."""
        with torch.no_grad():
            raw = self.generator.raw(normal((len(real), NOISE), self.source), condition, training=True)
            fake = self.layout.soften(raw, self.source)
        packs, fakes, conditions = (pack_rows(rows, self.pac) for rows in (real, fake, condition))

        def judged(rows: Tensor) -> Tensor:
            return self.critic.scores(torch.cat([rows, conditions], 1), self.source)

        mixing = uniform((len(packs), 1), self.source)
        penalty = gradient_penalty(judged, mixing * fakes + (1 - mixing) * packs)
        return judged(fakes).mean() - judged(packs).mean() + PENALTY * penalty

    def generator_loss(self, columns: Ints, levels: Ints, condition: Tensor) -> Tensor:
        """Say how far made rows are from pleasing the critic and from meeting their conditions."""
        raw = self.generator.raw(normal((len(condition), NOISE), self.source), condition, training=True)
        fake = torch.cat([self.layout.soften(raw, self.source), condition], 1)
        packs = torch.cat([pack_rows(part, self.pac) for part in fake.split([raw.shape[1], condition.shape[1]], 1)], 1)
        return -self.critic.scores(packs, self.source).mean() + self._missed(raw, columns, levels)

    def _missed(self, raw: Tensor, columns: Ints, levels: Ints) -> Tensor:
        """Average the cross-entropy of the conditioned columns."""
        total = raw.new_zeros(())
        blocks = list(self.layout.blocks(raw))
        for number, place in enumerate(self.categories.tolist()):
            asked = np.flatnonzero(columns == number)
            wanted = torch.from_numpy(levels[asked] - self.conditions.starts[number]).to(raw.device)
            rows = torch.from_numpy(asked).to(raw.device)
            total = total + functional.cross_entropy(blocks[place][rows], wanted, reduction="sum")
        return total / len(raw)

    def _dealt(self, batch: int, rng: np.random.Generator) -> tuple[Ints, Ints, Tensor]:
        """Draw conditions and rows that meet them; without categories, rows alone."""
        if not self.conditions.columns:
            none = np.empty(0, np.int64)
            chosen = rng.integers(0, len(self.rows.picks), batch)
            return none, none, self.layout.vectors(self.rows, chosen, self.source.device)
        columns, levels = self.conditions.draw_for_training(batch, rng)
        chosen = self.conditions.draw_rows(columns, levels, rng)
        return columns, levels, self.layout.vectors(self.rows, chosen, self.source.device)

    @staticmethod
    def _learnt(network: Generator | Critic) -> list[Tensor]:
        return parameters_of((network.first, network.second, network.last))


def start_training(
    layout: NetworkLayout, conditions: Conditions, categories: Ints, rows: Encoded, pac: int, source: torch.Generator
) -> Adversaries:
    """Start both networks."""
    width, asked = len(layout.numeric) + int(layout.sizes.sum()), conditions.width
    inputs = NOISE + asked
    generator = Generator(
        normalised_layer(inputs, HIDDEN, source),
        normalised_layer(inputs + HIDDEN, HIDDEN, source),
        dense(inputs + 2 * HIDDEN, width, source),
    )
    critic = Critic(
        dense(pac * (width + asked), HIDDEN, source), dense(HIDDEN, HIDDEN, source), dense(HIDDEN, 1, source)
    )
    return Adversaries(layout, conditions, categories, rows, pac, generator, critic, source)


def generate_rows(
    generator: Generator,
    layout: NetworkLayout,
    conditions: Conditions,
    rows: int,
    chance: tuple[np.random.Generator, torch.Generator],
) -> Encoded:
    """Draw rows under conditions as frequent as in the table, block by block."""
    rng, source = chance
    parts = []
    for begin in range(0, rows, BLOCK):
        count = min(BLOCK, rows - begin)
        levels = conditions.draw_as_observed(count, rng)[1] if conditions.columns else np.empty(0, np.int64)
        condition = one_hot(levels, conditions.width, source.device, count)
        with torch.no_grad():
            raw = generator.raw(normal((count, NOISE), source), condition, training=False)
            parts.append(layout.encode(*layout.draw(raw, source)))
    return join_encoded(parts, len(layout.sizes))


def one_hot(levels: Ints, width: int, place: torch.device, count: int) -> Tensor:
    """Write conditions as vectors with a single 1; without columns to condition on they are empty."""
    found = torch.zeros((count, width), device=place)
    if width:
        found[torch.arange(count, device=place), torch.from_numpy(levels).to(place)] = 1
    return found


def pack_rows(rows: Tensor, pac: int) -> Tensor:
    """Put every `pac` rows one beside the other."""
    return rows.reshape(len(rows) // pac, pac * rows.shape[1])


def gradient_penalty(judged: Callable[[Tensor], Tensor], mixtures: Tensor) -> Tensor:
    """Average the squared amount by which the slope of a critic, at given points, differs from 1."""
    mixtures = mixtures.detach().requires_grad_()
    (slopes,) = torch.autograd.grad(judged(mixtures).sum(), mixtures, create_graph=True)
    return ((slopes.norm(dim=1) - 1) ** 2).mean()
