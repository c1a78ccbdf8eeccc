"""The networks of many CTGANs side by side: the steps of `adversarial`, for all of them in one tensor program.

Tables of one schema differ in the levels that occur, and so do their vectors and conditions. Here a column is as wide
as in the table that has most of it: weights of what a table lacks are zero and stay so, and its choices are never
taken. Each pair of networks draws its random numbers from its own generator, the same ones in the same order as alone;
results differ from those of training alone by rounding.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from seethrough.kernels.arrays import Ints
from seethrough.synthesizers._deep.adversarial import (
    HIDDEN,
    LEAK,
    MOMENTS,
    NOISE,
    PENALTY,
    RATE,
    Adversaries,
    gradient_penalty,
)
from seethrough.synthesizers._deep.layers import TEMPERATURE, TINY, Dense, Normalised, adam, take_step

STEPS_AT_ONCE = 32
"""Steps whose conditions travel to the device together."""


def train_together(models: Sequence[Adversaries], epochs: int, batch: int, rngs: Sequence[np.random.Generator]) -> None:
    """Train pairs of networks whose tables have one schema and as many rows each; all have categories to ask for."""
    places = _SharedPlaces(models)
    networks = _Networks(places, batch)
    ours, theirs = (adam(_learnt(layers), RATE, MOMENTS) for layers in (networks.generator, networks.critic))
    steps = epochs * (len(models[0].rows.picks) // batch)
    for start in range(0, steps, STEPS_AT_ONCE):
        for conditions, chosen in _dealt(models, places, min(STEPS_AT_ONCE, steps - start), batch, rngs):
            condition = networks.one_hot(conditions)
            take_step(theirs, networks.critic_loss(networks.real_rows(chosen), condition))
            take_step(ours, networks.generator_loss(conditions, condition))
    networks.hand_back()


def _learnt(layers: Sequence["_Stacked | _StackedNormalised"]) -> list[Tensor]:
    return [parameter for layer in layers for parameter in layer.parameters]


def _dealt(
    models: Sequence[Adversaries], places: "_SharedPlaces", steps: int, batch: int, rngs: Sequence[np.random.Generator]
) -> Iterator[tuple[Tensor, Tensor]]:
    """Draw conditions, by their shared places, and rows that meet them, for some steps of all models."""
    levels, rows = np.empty((2, steps, len(models), batch), np.int64)
    for number, (model, rng) in enumerate(zip(models, rngs, strict=True)):
        for step in range(steps):
            columns, asked = model.conditions.draw_for_training(batch, rng)
            levels[step, number] = places.conditions[number][asked]
            rows[step, number] = model.conditions.draw_rows(columns, asked, rng)
    yield from zip(*(torch.from_numpy(part).to(models[0].source.device) for part in (levels, rows)), strict=True)


class _SharedPlaces:
    """Where the columns of all models stand, and where those of each model stand among them."""

    def __init__(self, models: Sequence[Adversaries]) -> None:
        self.models, self.device = models, models[0].source.device
        first = models[0].layout
        self.numeric, self.categories = first.numeric, models[0].categories
        self.sizes: Ints = np.max([model.layout.sizes for model in models], axis=0)
        self.starts: Ints = len(self.numeric) + np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)
        self.width = len(self.numeric) + int(self.sizes.sum())
        asked = self.sizes[self.categories]
        self.asked = int(asked.sum())
        begins = np.concatenate([[0], np.cumsum(asked)[:-1]]).astype(np.int64)
        self.vectors = [self._own(model.layout.sizes, self.starts, len(self.numeric)) for model in models]
        self.conditions = [self._own(model.layout.sizes[self.categories], begins, 0) for model in models]

    @staticmethod
    def _own(sizes: Ints, starts: Ints, before: int) -> Ints:
        parts = [start + np.arange(size) for start, size in zip(starts, sizes, strict=True)]
        return np.concatenate([np.arange(before), *parts]).astype(np.int64)

    @cached_property
    def lacking(self) -> Tensor:
        """Tell which choices a model does not have."""
        found = np.ones((len(self.models), 1, self.width), bool)
        for number, own in enumerate(self.vectors):
            found[number, 0, own] = False
        return torch.from_numpy(found).to(self.device)

    def blocks(self, vectors: Tensor) -> Iterator[Tensor]:
        """Give the choices of each column."""
        for start, size in zip(self.starts.tolist(), self.sizes.tolist(), strict=True):
            yield vectors[..., start : start + size]

    def inputs(self, number: int, layers: int) -> Ints:
        """Place what a layer of the generator gets: noise, the condition, and what layers before it found."""
        found = np.arange(layers * HIDDEN) + NOISE + self.asked
        return np.concatenate([np.arange(NOISE), NOISE + self.conditions[number], found])

    def pack_places(self, number: int, pac: int) -> Ints:
        """Place what the critic gets: `pac` rows, then their conditions."""
        rows = self.vectors[number] + self.width * np.arange(pac)[:, None]
        asked = pac * self.width + self.conditions[number] + self.asked * np.arange(pac)[:, None]
        return np.concatenate([rows.ravel(), asked.ravel()])


@dataclass(frozen=True, eq=False)
class _Stacked:
    """A layer of every model, one above the other, and where the weights of each stand in it."""

    layer: Dense
    parts: Sequence[tuple[Dense, Tensor, Tensor]]

    @property
    def parameters(self) -> tuple[Tensor, ...]:
        return self.layer.parameters

    def __call__(self, rows: Tensor) -> Tensor:
        return torch.baddbmm(self.layer.offsets, rows, self.layer.weights)

    def hand_back(self) -> None:
        with torch.no_grad():
            for number, (own, rows, columns) in enumerate(self.parts):
                own.weights.copy_(self.layer.weights[number][rows][:, columns])
                own.offsets.copy_(self.layer.offsets[number][:, columns])


def _stacked(
    layers: Sequence[Dense], rows: Sequence[Ints], columns: Sequence[Ints], shape: tuple[int, int]
) -> _Stacked:
    place = layers[0].weights.device
    weights, offsets = (
        torch.zeros((len(layers), *shape), device=place),
        torch.zeros((len(layers), 1, shape[1]), device=place),
    )
    parts = []
    for number, (layer, its_rows, its_columns) in enumerate(zip(layers, rows, columns, strict=True)):
        down, along = torch.from_numpy(its_rows).to(place), torch.from_numpy(its_columns).to(place)
        weights[number, down[:, None], along] = layer.weights.detach()
        offsets[number][:, along] = layer.offsets.detach()
        parts.append((layer, down, along))
    return _Stacked(Dense(weights.requires_grad_(), offsets.requires_grad_()), parts)


class _StackedNormalised:
    """A layer with batch normalisation of every model: the averages are over the rows of each model by itself."""

    def __init__(self, layers: Sequence[Normalised], rows: Sequence[Ints], inputs: int) -> None:
        everything = [np.arange(HIDDEN)] * len(layers)
        self.own = layers
        self.dense = _stacked([layer.layer for layer in layers], rows, everything, (inputs, HIDDEN))
        self.scale, self.shift, self.mean, self.variance = (
            torch.cat([getattr(layer, name).detach() for layer in layers])
            for name in ("scale", "shift", "mean", "variance")
        )
        self.scale.requires_grad_()
        self.shift.requires_grad_()

    @property
    def parameters(self) -> tuple[Tensor, ...]:
        return *self.dense.parameters, self.scale, self.shift

    def __call__(self, rows: Tensor) -> Tensor:
        found = self.dense(rows)
        beside = found.transpose(0, 1).reshape(found.shape[1], -1)
        normal = functional.batch_norm(beside, self.mean, self.variance, self.scale, self.shift, training=True)
        return torch.relu(normal).reshape(found.shape[1], len(found), -1).transpose(0, 1)

    def hand_back(self) -> None:
        self.dense.hand_back()
        with torch.no_grad():
            for name in ("scale", "shift", "mean", "variance"):
                for layer, part in zip(self.own, getattr(self, name).split(HIDDEN), strict=True):
                    getattr(layer, name).copy_(part)


class _Networks:
    """The generators and critics of all models, and the rows that they learn from."""

    def __init__(self, places: _SharedPlaces, batch: int) -> None:
        self.places, self.batch = places, batch
        models = places.models
        self.pac, self.device = models[0].pac, places.device
        self.sources = [model.source for model in models]
        self.generator = self._makers()
        self.critic = self._judges()

    def _makers(self) -> tuple["_StackedNormalised", "_StackedNormalised", "_Stacked"]:
        places, makers = self.places, [model.generator for model in self.places.models]
        inputs = NOISE + places.asked
        before = [[places.inputs(number, layers) for number in range(len(makers))] for layers in range(3)]
        return (
            _StackedNormalised([each.first for each in makers], before[0], inputs),
            _StackedNormalised([each.second for each in makers], before[1], inputs + HIDDEN),
            _stacked([each.last for each in makers], before[2], places.vectors, (inputs + 2 * HIDDEN, places.width)),
        )

    def _judges(self) -> tuple["_Stacked", "_Stacked", "_Stacked"]:
        places, judges = self.places, [model.critic for model in self.places.models]
        packs = [places.pack_places(number, self.pac) for number in range(len(judges))]
        hidden, width = [np.arange(HIDDEN)] * len(judges), self.pac * (places.width + places.asked)
        return (
            _stacked([each.first for each in judges], packs, hidden, (width, HIDDEN)),
            _stacked([each.second for each in judges], hidden, hidden, (HIDDEN, HIDDEN)),
            _stacked([each.last for each in judges], hidden, [np.arange(1)] * len(judges), (HIDDEN, 1)),
        )

    @cached_property
    def _rows(self) -> tuple[Tensor, Tensor]:
        """Give where the ones of each row stand, and its numbers."""
        models = self.places.models
        picks = np.stack([self.places.starts + model.rows.picks for model in models])
        numbers = np.stack([model.rows.numbers[:, self.places.numeric] for model in models])
        return torch.from_numpy(picks).to(self.device), torch.from_numpy(numbers).to(self.device)

    def real_rows(self, chosen: Tensor) -> Tensor:
        """Write some rows of every table as vectors."""
        picks, numbers = self._rows
        number = torch.arange(len(chosen), device=self.device)[:, None]
        found = torch.zeros((*chosen.shape, self.places.width), device=self.device)
        found.scatter_(2, picks[number, chosen], 1.0)
        found[..., : numbers.shape[2]] = numbers[number, chosen]
        return found

    def one_hot(self, conditions: Tensor) -> Tensor:
        """Write conditions as vectors with a single 1."""
        found = torch.zeros((*conditions.shape, self.places.asked), device=self.device)
        return found.scatter_(2, conditions[..., None], 1.0)

    def critic_loss(self, real: Tensor, condition: Tensor) -> Tensor:
        """Compare what the critics say of real and of made rows, with the penalty on their slopes."""
        with torch.no_grad():
            fake = self._soften(self._raw(condition))
        packs, fakes, conditions = (self._pack(rows) for rows in (real, fake, condition))

        def judged(rows: Tensor) -> Tensor:
            return self._scores(torch.cat([rows, conditions], 2))

        mixing = self._drawn((packs.shape[1], 1), Tensor.uniform_)
        mixtures = (mixing * fakes + (1 - mixing) * packs).flatten(0, 1)
        penalty = gradient_penalty(lambda rows: judged(rows.reshape(packs.shape)), mixtures)
        apart = judged(fakes).mean(1) - judged(packs).mean(1)
        # The penalty is a mean over the packs of all models, the loss a sum over models.
        return apart.sum() + PENALTY * penalty * len(packs)

    def generator_loss(self, conditions: Tensor, condition: Tensor) -> Tensor:
        """Say how far made rows are from pleasing the critics and from meeting their conditions."""
        raw = self._raw(condition)
        packs = torch.cat([self._pack(self._soften(raw)), self._pack(condition)], 2)
        return (self._missed(raw, conditions) - self._scores(packs).mean(1)).sum()

    def hand_back(self) -> None:
        """Give every model what its networks have learnt."""
        for layer in (*self.generator, *self.critic):
            layer.hand_back()

    def _raw(self, condition: Tensor) -> Tensor:
        first, second, last = self.generator
        rows = torch.cat([self._drawn((self.batch, NOISE), Tensor.normal_), condition], 2)
        rows = torch.cat([rows, first(rows)], 2)
        return last(torch.cat([rows, second(rows)], 2))

    def _soften(self, raw: Tensor) -> Tensor:
        noisy = ((raw + self._gumbel()) / TEMPERATURE).masked_fill(self.places.lacking, -torch.inf)
        chosen = [functional.softmax(block, -1) for block in self.places.blocks(noisy)]
        return torch.cat([torch.tanh(raw[..., : len(self.places.numeric)]), *chosen], -1)

    def _missed(self, raw: Tensor, conditions: Tensor) -> Tensor:
        """Average the cross-entropy of the conditioned columns, for each model."""
        blocks = list(self.places.blocks(raw.masked_fill(self.places.lacking, -torch.inf)))
        told = torch.cat([functional.log_softmax(blocks[place], -1) for place in self.places.categories.tolist()], -1)
        return -told.gather(2, conditions[..., None])[..., 0].sum(1) / self.batch

    def _scores(self, packs: Tensor) -> Tensor:
        first, second, last = self.critic
        found = self._drop_out(functional.leaky_relu(first(packs), LEAK))
        found = self._drop_out(functional.leaky_relu(second(found), LEAK))
        return last(found)[..., 0]

    def _pack(self, rows: Tensor) -> Tensor:
        return rows.reshape(len(rows), self.batch // self.pac, -1)

    def _drop_out(self, rows: Tensor) -> Tensor:
        return rows * (self._drawn(tuple(rows.shape[1:]), Tensor.uniform_) < 0.5) * 2

    def _drawn(self, shape: tuple[int, ...], draw: Callable[..., Tensor]) -> Tensor:
        """Draw numbers for every model from its own generator."""
        found = torch.empty((len(self.sources), *shape), device=self.device)
        for part, source in zip(found, self.sources, strict=True):
            draw(part, generator=source)
        return found

    @cached_property
    def _spread(self) -> tuple[list[int], Tensor]:
        """Tell how many numbers each model draws for its choices, and where each goes among the choices of all."""
        widths = [len(own) for own in self.places.vectors]
        begins = self.batch * np.concatenate([[0], np.cumsum(widths)])
        found = np.full((len(widths), self.batch, self.places.width), begins[-1], np.int64)
        for number, own in enumerate(self.places.vectors):
            found[number][:, own] = begins[number] + np.arange(self.batch * len(own)).reshape(self.batch, -1)
        return [self.batch * width for width in widths], torch.from_numpy(found).to(self.device)

    def _gumbel(self) -> Tensor:
        counts, places = self._spread
        drawn = torch.ones(sum(counts) + 1, device=self.device)
        for part, source in zip(drawn[:-1].split(counts), self.sources, strict=True):
            part.exponential_(generator=source)
        return -drawn.clamp_min_(TINY).log_()[places]
