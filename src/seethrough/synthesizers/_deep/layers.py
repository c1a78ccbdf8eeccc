"""Layers on torch with random numbers from a generator that is passed in: torch's own, global one is never used.

Weights start uniform within 1 / sqrt(inputs), as is usual for dense layers. While networks are trained or asked torch
runs on one thread, so that sums do not depend on how many there are; the number of threads is put back afterwards.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Ints
from seethrough.synthesizers._models.modes import Encoded, Encoding

TEMPERATURE = 0.2
"""Of the Gumbel softmax."""
TINY = 1e-30
BLOCK = 8192
"""Rows that are sampled at a time."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch to one thread for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def device_for(device: str) -> torch.device:
    """Choose where to compute: `auto` takes a GPU where there is one."""
    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise ConfigError("device is cuda, but torch sees no such device; say cpu or auto")
    return torch.device("cuda" if there and device != "cpu" else "cpu")


def torch_generator(rng: np.random.Generator, place: torch.device) -> torch.Generator:
    """Make torch's source of random numbers from ours."""
    source = torch.Generator(place)
    source.manual_seed(int(rng.integers(2**63 - 1)))
    return source


@dataclass(frozen=True, eq=False)
class Dense:
    """A dense layer; with `copies` it is as many layers side by side that know nothing of each other."""

    weights: Tensor
    offsets: Tensor

    def __call__(self, rows: Tensor) -> Tensor:
        """Pass rows through."""
        return torch.matmul(rows, self.weights) + self.offsets

    @property
    def parameters(self) -> tuple[Tensor, ...]:
        """What is learnt."""
        return self.weights, self.offsets


def dense(inputs: int, outputs: int, source: torch.Generator, copies: tuple[int, ...] = ()) -> Dense:
    """Start a layer."""
    bound = 1 / sqrt(inputs) if inputs else 0.0
    weights = uniform((*copies, inputs, outputs), source) * 2 * bound - bound
    offsets = uniform((*copies, 1, outputs), source) * 2 * bound - bound
    return Dense(weights.requires_grad_(), offsets.requires_grad_())


@dataclass(frozen=True, eq=False)
class Normalised:
    """A dense layer, batch normalisation and rectifiers; once trained, rows do not depend on each other."""

    layer: Dense
    scale: Tensor
    shift: Tensor
    mean: Tensor
    variance: Tensor

    def __call__(self, rows: Tensor, training: bool) -> Tensor:
        """Pass rows through; while training, the averages of the batch are used and remembered."""
        found = functional.batch_norm(
            self.layer(rows), self.mean, self.variance, self.scale, self.shift, training=training
        )
        return torch.relu(found)

    @property
    def parameters(self) -> tuple[Tensor, ...]:
        """What is learnt."""
        return *self.layer.parameters, self.scale, self.shift


def normalised_layer(inputs: int, outputs: int, source: torch.Generator) -> Normalised:
    """Start a layer with batch normalisation."""
    place = source.device
    ones, zeros = torch.ones(outputs, device=place), torch.zeros(outputs, device=place)
    return Normalised(
        dense(inputs, outputs, source), ones.requires_grad_(), zeros.requires_grad_(), zeros.detach().clone(),
        ones.detach().clone(),
    )  # fmt: skip


def parameters_of(layers: Sequence[Dense | Normalised]) -> list[Tensor]:
    """Collect what is learnt."""
    return [parameter for layer in layers for parameter in layer.parameters]


def adam(parameters: Sequence[Tensor], rate: float, moments: tuple[float, float] = (0.9, 0.999)) -> torch.optim.Adam:
    """Start Adam, in the form that updates all parameters in one pass: a third less time for a step of CTGAN."""
    return torch.optim.Adam(list(parameters), rate, moments, fused=True)


def take_step(optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    """Take one step down."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def uniform(shape: Sequence[int], source: torch.Generator) -> Tensor:
    """Draw numbers from 0 to 1."""
    return torch.rand(tuple(shape), generator=source, device=source.device)


def normal(shape: Sequence[int], source: torch.Generator) -> Tensor:
    """Draw standard normal numbers."""
    return torch.randn(tuple(shape), generator=source, device=source.device)


def gumbel(like: Tensor, source: torch.Generator) -> Tensor:
    """Draw Gumbel noise."""
    # A drawn zero would become infinite, and infinity less infinity is no number.
    return -torch.empty_like(like).exponential_(generator=source).clamp_min(TINY).log()


def drop_out(rows: Tensor, source: torch.Generator) -> Tensor:
    """Set half of the numbers to zero and double the others."""
    return rows * (uniform(rows.shape, source) < 0.5) * 2


@dataclass(frozen=True, eq=False)
class NetworkLayout:
    """Where the columns stand in the vector of a row."""

    numeric: Ints
    starts: Ints
    sizes: Ints

    def vectors(self, encoded: Encoded, rows: Ints, place: torch.device) -> Tensor:
        """Write some rows as vectors."""
        found = np.zeros((len(rows), len(self.numeric) + int(self.sizes.sum())), np.float32)
        found[:, : len(self.numeric)] = encoded.numbers[np.ix_(rows, self.numeric)]
        np.put_along_axis(found, self.starts + encoded.picks[rows], 1.0, axis=1)
        return torch.from_numpy(found).to(place)

    def blocks(self, vectors: Tensor) -> Iterator[Tensor]:
        """Give the choices of each column."""
        for start, size in zip(self.starts.tolist(), self.sizes.tolist(), strict=True):
            yield vectors[..., start : start + size]

    def soften(self, raw: Tensor, source: torch.Generator) -> Tensor:
        """Turn what a generator says into vectors that gradients pass through: tanh, and the Gumbel softmax."""
        noisy = (raw + gumbel(raw, source)) / TEMPERATURE
        chosen = [functional.softmax(block, -1) for block in self.blocks(noisy)]
        return torch.cat([torch.tanh(raw[..., : len(self.numeric)]), *chosen], -1)

    def draw(self, raw: Tensor, source: torch.Generator) -> tuple[Tensor, Tensor]:
        """Draw a choice of each column, in proportion to its softmax; and give the numbers."""
        noisy = raw + gumbel(raw, source)
        picks = torch.stack([block.argmax(-1) for block in self.blocks(noisy)], -1)
        return picks, torch.tanh(raw[..., : len(self.numeric)])

    def encode(self, picks: Tensor, numbers: Tensor) -> Encoded:
        """Bring choices and numbers back from the device."""
        wide = np.zeros(tuple(picks.shape), np.float32)
        wide[:, self.numeric] = numbers.cpu().numpy()
        return Encoded(picks.cpu().numpy().astype(np.int32), wide)


def layout_of(encoding: Encoding) -> NetworkLayout:
    """Take the places from an encoding."""
    return NetworkLayout(encoding.numeric, encoding.starts, encoding.sizes)


def join_encoded(parts: Sequence[Encoded], columns: int) -> Encoded:
    """Put blocks of rows together."""
    nothing = Encoded(np.empty((0, columns), np.int32), np.empty((0, columns), np.float32))
    every = [nothing, *parts]
    return Encoded(np.concatenate([part.picks for part in every]), np.concatenate([part.numbers for part in every]))
