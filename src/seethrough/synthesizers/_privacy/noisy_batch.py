"""Relaxed rows of many tables, fitted at once in torch to marginals that are chosen and measured with noise.

The rounds of `rap-softmax`. The largest error of each marginal is found on the device; choices, measurements and the
ledger are those of each table by itself, on the processor, with the random numbers of `fit` in the same order. Results
differ from it by rounding, which after many rounds decides which of two marginals is chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Ints
from seethrough.kernels.device.torch_extra import torch_device
from seethrough.synthesizers._models.relaxed.batch import RelaxedBatch, room_for, torch
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._models.relaxed.settings import FitSettings
from seethrough.synthesizers._privacy.noisy_marginals import NoisyMarginals


@dataclass(frozen=True)
class Rounds:
    """How many rounds there are, and how many marginals and steps each has."""

    count: int
    marginals: int
    steps: int


@dataclass(frozen=True, eq=False)
class PrivateTable:
    """A table to be fitted: its true answers, what has been bought of them, and its random numbers."""

    truth: Matrix
    known: NoisyMarginals
    rng: np.random.Generator


def fit_noisy_batch(
    three_way: ThreeWayQueries, tables: Sequence[PrivateTable], settings: FitSettings, rounds: Rounds, device: str
) -> list[Matrix]:
    """Fit relaxed rows to each table and give their probabilities; as many at once as memory allows."""
    torch_device(device)
    at_once = room_for(three_way, settings, device)
    found: list[Matrix] = []
    for start in range(0, len(tables), at_once):
        found += _NoisyFit(three_way, tables[start : start + at_once], settings, device).run(rounds)
    return found


class _NoisyFit:
    """Fits under way: what is known of all tables, on the device."""

    def __init__(
        self, three_way: ThreeWayQueries, tables: Sequence[PrivateTable], settings: FitSettings, device: str
    ) -> None:
        self.tables = tables
        self.batch = RelaxedBatch(three_way, np.stack([table.truth for table in tables]), settings, device)
        self.batch.begin([table.rng for table in tables])
        shape = len(tables), three_way.count
        self.values = torch().zeros(shape, device=device)
        self.measured = torch().zeros(shape, dtype=torch().bool, device=device)
        self.marginal_of = torch().from_numpy(_marginals_of_pairs(three_way)).to(device)

    def run(self, rounds: Rounds) -> list[Matrix]:
        """Choose, measure and move, round by round."""
        answers = self.batch.answers()
        for _ in range(rounds.count):
            self._buy(self._largest_errors(answers), rounds.marginals)
            for _ in range(rounds.steps):
                uniform = np.stack([table.rng.random(self.batch.settings.batch) for table in self.tables])
                errors = torch().where(self.measured, answers - self.values, 0.0)
                self.batch.move(errors, torch().from_numpy(uniform).to(self.batch.device))
                answers = self.batch.answers()
        return list(self.batch.softmax().cpu().numpy())

    def _buy(self, largest: Matrix, count: int) -> None:
        """Choose and measure marginals of every table, and bring what was measured to the device."""
        places, values = list[Ints](), list[Matrix]()
        for number, table in enumerate(self.tables):
            for marginal in table.known.choose_by(partial(_row, largest, number), count, table.rng):
                cells = table.known.measure(marginal, table.rng)
                places.append(cells + number * self.values.shape[1])
                values.append(table.known.values[cells])
        where = torch().from_numpy(np.concatenate(places)).to(self.batch.device)
        self.values.view(-1)[where] = torch().from_numpy(np.concatenate(values)).to(self.batch.device)
        self.measured.view(-1)[where] = True

    def _largest_errors(self, answers: Any) -> Matrix:
        """Find the largest absolute error of each marginal, of each table."""
        three_way, apart = self.batch.three_way, (self.batch.wanted - answers).abs_()
        parts = []
        for place, (start, end) in enumerate(zip(three_way.offsets[:-1], three_way.offsets[1:], strict=True)):
            shape = len(apart), int(three_way.starts[place + 1]), three_way.sizes[place + 1], -1
            parts.append(apart[:, start:end].reshape(shape).amax(2).flatten(1))
        pairs = torch().cat(parts, 1)
        found = torch().zeros((len(apart), len(three_way.columns)), device=self.batch.device)
        found.scatter_reduce_(1, self.marginal_of.expand(len(apart), -1), pairs, "amax")
        numbers: Matrix = found.cpu().numpy()
        return numbers


def _marginals_of_pairs(three_way: ThreeWayQueries) -> Ints:
    """Name the marginal of each pair of a value before and a value after, for all columns in the middle in turn."""
    number = {columns: place for place, columns in enumerate(three_way.columns)}
    column = np.repeat(np.arange(len(three_way.sizes)), three_way.sizes)
    found = []
    for middle in range(1, len(three_way.sizes) - 1):
        before, after = column[: three_way.starts[middle]], column[three_way.starts[middle + 1] :]
        found += [number[int(i), middle, int(k)] for i in before for k in after]
    return np.array(found, np.int64)


def _row(numbers: Matrix, place: int) -> Matrix:
    found: Matrix = numbers[place]
    return found
