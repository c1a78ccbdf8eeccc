"""PATE-GAN's networks and their training: algorithm 1 of Jordon et al. 2019, on torch.

What touches the table is `Parts` alone: it deals rows of part i to teacher i. Teachers learn to tell them from made
rows; all stand side by side in one array, of which each slice is a teacher by itself. The student sees made rows only,
and as labels the noisy majorities that a ledger sells. The generator sees the student's gradient only. So the noisy
majorities are all that leaves the table, and everything else is computed from them.

A made row is shown as it would be released: one choice for each column. Its gradient is that of the Gumbel softmax.
"""

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
    adam,
    dense,
    join_encoded,
    normal,
    parameters_of,
    take_step,
)
from seethrough.synthesizers._models.modes import Encoded
from seethrough.synthesizers._privacy.vote_noise import NoisyVotes

NOISE = 64
HIDDEN = 128
JUDGES = 64
"""Rectifiers of the student and of each teacher."""
RATE = 1e-3
SLOW_RATE = 5e-5
"""Of the generator: as fast as the others it runs away from them into a corner."""
MOMENTS = (0.5, 0.9)
"""The paper leaves sizes and rates to the reader; these are ours."""


@dataclass(frozen=True)
class Schedule:
    """How long to train: rounds, steps of the teachers and of the student in each, rows in a step."""

    rounds: int
    teacher_steps: int
    student_steps: int
    batch: int

    @property
    def queries(self) -> int:
        """How often the teachers are asked in all."""
        return self.rounds * self.student_steps * self.batch


@dataclass(frozen=True, eq=False)
class Parts:
    """The rows of the table in parts of equal size, give or take one; the order does not depend on what they hold."""

    rows: Encoded
    order: Ints
    bounds: Ints

    def deal(self, batch: int, layout: NetworkLayout, rng: np.random.Generator, place: torch.device) -> Tensor:
        """Draw rows for each teacher from its own part, with replacement."""
        sizes = np.diff(self.bounds)[:, None]
        places = self.bounds[:-1, None] + (rng.random((len(sizes), batch)) * sizes).astype(np.int64)
        vectors = layout.vectors(self.rows, self.order[places.ravel()], place)
        return vectors.reshape(len(sizes), batch, -1)


def split_rows(rows: Encoded, teachers: int, rng: np.random.Generator) -> Parts:
    """Deal the rows out, each to one teacher."""
    count = len(rows.picks)
    return Parts(rows, rng.permutation(count), np.arange(teachers + 1) * count // teachers)


@dataclass(frozen=True, eq=False)
class Network:
    """Layers with rectifiers between them."""

    layers: tuple[Dense, ...]

    def __call__(self, rows: Tensor) -> Tensor:
        """Pass rows through."""
        for layer in self.layers[:-1]:
            rows = torch.relu(layer(rows))
        return self.layers[-1](rows)

    def optimizer(self, rate: float) -> torch.optim.Optimizer:
        """Start its training."""
        return adam(parameters_of(self.layers), rate, MOMENTS)


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Teachers, student and generator."""

    layout: NetworkLayout
    teachers: Network
    student: Network
    generator: Network
    source: torch.Generator

    @property
    def voters(self) -> int:
        """How many teachers there are."""
        return len(self.teachers.layers[0].weights)

    def learn(self, parts: Parts, schedule: Schedule, noisy_votes: NoisyVotes, rng: np.random.Generator) -> None:
        """Train all three in turn."""
        lessons = self.teachers.optimizer(RATE), self.student.optimizer(RATE), self.generator.optimizer(SLOW_RATE)
        for _ in range(schedule.rounds):
            for _ in range(schedule.teacher_steps):
                take_step(lessons[0], self.teachers_loss(parts, schedule.batch, rng))
            for _ in range(schedule.student_steps):
                take_step(lessons[1], self.student_loss(schedule.batch, noisy_votes, rng))
            take_step(lessons[2], functional.softplus(-self.student(self.generate(schedule.batch))).mean())

    def generate(self, count: int) -> Tensor:
        """Make rows as they would be released, that gradients pass through."""
        soft = self.layout.soften(self.generator(normal((count, NOISE), self.source)), self.source)
        fixed = soft.detach()
        hard = [functional.one_hot(block.argmax(-1), block.shape[-1]) for block in self.layout.blocks(fixed)]
        # The difference is zero, but its gradient is not.
        return torch.cat([fixed[:, : len(self.layout.numeric)], *hard], 1) + (soft - fixed)

    def teachers_loss(self, parts: Parts, batch: int, rng: np.random.Generator) -> Tensor:
        """Add up, over teachers, how badly each tells its part from made rows."""
        real = parts.deal(batch, self.layout, rng, self.source.device)
        with torch.no_grad():
            made = self.generate(self.voters * batch).reshape(real.shape)
        errors = functional.softplus(-self.teachers(real)) + functional.softplus(self.teachers(made))
        return errors.mean(dim=(1, 2)).sum()

    def votes(self, rows: Tensor) -> Ints:
        """Count, for each row, the teachers that take it for real."""
        with torch.no_grad():
            found: Ints = (self.teachers(rows)[..., 0] > 0).sum(0).cpu().numpy().astype(np.int64)
        return found

    def student_loss(self, batch: int, noisy_votes: NoisyVotes, rng: np.random.Generator) -> Tensor:
        """Say how badly the student foretells the noisy majority on made rows."""
        with torch.no_grad():
            made = self.generate(batch)
        answers = noisy_votes.majority(self.votes(made), self.voters, rng)
        labels = torch.from_numpy(answers.astype(np.float32)).to(made.device)
        return functional.binary_cross_entropy_with_logits(self.student(made)[:, 0], labels)


def start_training(layout: NetworkLayout, teachers: int, source: torch.Generator) -> Ensemble:
    """Start all networks; the table is not looked at."""
    width = len(layout.numeric) + int(layout.sizes.sum())
    copies = (teachers,)
    return Ensemble(
        layout,
        Network((dense(width, JUDGES, source, copies), dense(JUDGES, 1, source, copies))),
        Network((dense(width, JUDGES, source), dense(JUDGES, 1, source))),
        Network((dense(NOISE, HIDDEN, source), dense(HIDDEN, HIDDEN, source), dense(HIDDEN, width, source))),
        source,
    )


def generate_rows(generator: Network, layout: NetworkLayout, rows: int, source: torch.Generator) -> Encoded:
    """Draw rows, block by block."""
    parts = []
    for begin in range(0, rows, BLOCK):
        with torch.no_grad():
            raw = generator(normal((min(BLOCK, rows - begin), NOISE), source))
            parts.append(layout.encode(*layout.draw(raw, source)))
    return join_encoded(parts, len(layout.sizes))
