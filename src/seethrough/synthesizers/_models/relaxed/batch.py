"""Relaxed rows of many tables at once, in torch: the steps of `fit`, with dense products that suit a GPU.

The products p_a p_b of all pairs of values, for all tables, are one tensor Z. Its product with the probabilities
answers all queries; its product with a tensor W gives the whole gradient, where W holds the weight of each query drawn
in three places: at (a, b) for c, at (a, c) for b, at (b, c) for a. Where the order of additions could change, whole
numbers are added, so that a device repeats its own results. Random numbers come from the generators given, the same
ones in the same order as in `fit`; results differ from it by rounding, which after many steps decides which of two
queries is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Ints
from seethrough.kernels.device.torch_extra import need_torch, torch_device
from seethrough.synthesizers._models.relaxed.adam import TorchAdam
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._models.relaxed.settings import SMALLEST, FitSettings, first_logits

STEPS_AT_ONCE = 32
"""Steps whose random numbers travel to the device together."""
FINE = 2.0**40
"""Parts of 1 in which errors are added up; float32 has fewer."""
CPU_BYTES = 1 << 30
"""Memory for tensors where there is no device."""


def torch() -> Any:
    """Import torch; an error says what to install."""
    return need_torch("fitting many tables at once")


def device_there() -> bool:
    """Tell whether torch can be imported and has a GPU."""
    try:
        return bool(torch().cuda.is_available())
    except ConfigError:
        return False


def fit_batch(
    three_way: ThreeWayQueries,
    targets: Sequence[Matrix],
    rngs: Sequence[np.random.Generator],
    settings: FitSettings,
    steps: int,
    device: str = "cuda",
) -> list[Matrix]:
    """Fit relaxed rows to the answers of each table; gives their probabilities. As many at once as memory allows."""
    torch_device(device)
    at_once = room_for(three_way, settings, device)
    found: list[Matrix] = []
    for start in range(0, len(targets), at_once):
        some = slice(start, start + at_once)
        found += _fitted(RelaxedBatch(three_way, np.stack(targets[some]), settings, device), rngs[some], steps)
    return found


def room_for(three_way: ThreeWayQueries, settings: FitSettings, device: str) -> int:
    """Count the tables that fit: three tensors of pairs by rows, four of pairs by values, a few of all queries."""
    free = torch().cuda.mem_get_info(device)[0] * 0.8 if device.startswith("cuda") else CPU_BYTES
    pairs = len(_pairs(three_way))
    bytes_each = 4 * pairs * (3 * settings.rows + 4 * three_way.width) + 40 * three_way.count
    return max(1, int(free // bytes_each))


def _pairs(three_way: ThreeWayQueries) -> Ints:
    """List the pairs of values of different columns, the earlier value first."""
    column = np.repeat(np.arange(len(three_way.sizes)), three_way.sizes)
    return np.argwhere(column[:, None] < column[None, :])


def _fitted(batch: "RelaxedBatch", rngs: Sequence[np.random.Generator], steps: int) -> list[Matrix]:
    batch.begin(rngs)
    for start in range(0, steps, STEPS_AT_ONCE):
        count = min(STEPS_AT_ONCE, steps - start)
        uniform = np.stack([rng.random((count, batch.settings.batch)) for rng in rngs], axis=1)
        for numbers in torch().from_numpy(uniform).to(batch.device):
            batch.step(numbers)
    return list(batch.softmax().cpu().numpy())


@dataclass(eq=False)
class RelaxedBatch:
    """Relaxed rows of many tables under way."""

    three_way: ThreeWayQueries
    targets: Matrix
    settings: FitSettings
    device: str

    @cached_property
    def places(self) -> tuple[Any, Any, Any]:
        """Give the values of each pair, and the place of each query among pairs by values, in its three roles."""
        pairs, width = _pairs(self.three_way), self.three_way.width
        number = np.zeros((width, width), np.int64)
        number[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
        a, b, c = self.three_way.values(np.arange(self.three_way.count))
        roles = np.stack([number[a, b] * width + c, number[a, c] * width + b, number[b, c] * width + a])
        left, right, places = (torch().from_numpy(np.ascontiguousarray(x)).to(self.device) for x in (*pairs.T, roles))
        return left, right, places

    def begin(self, rngs: Sequence[np.random.Generator]) -> None:
        """Draw the first logits."""
        logits = np.stack([first_logits(self.three_way, self.settings.rows, rng) for rng in rngs])
        self.logits = torch().from_numpy(logits).to(self.device)
        self.adam = TorchAdam(self.logits, self.settings.rate)
        self.wanted = torch().from_numpy(self.targets).to(self.device)
        pairs = len(self.places[0])
        self.weights = torch().zeros((len(logits), pairs * self.three_way.width), device=self.device)

    def softmax(self) -> Any:
        """Make probabilities of the logits of each column."""
        return torch().cat([torch().softmax(part, dim=1) for part in self.logits.split(self.three_way.sizes, dim=1)], 1)

    def step(self, uniform: Any) -> None:
        """Move all tables by one step."""
        self.move(self.answers().sub_(self.wanted), uniform)

    def answers(self) -> Any:
        """Answer all queries; what they are made of is kept for the step that follows."""
        self._rows = self.softmax()
        left, right, places = self.places
        self._products = self._rows.index_select(1, left).mul_(self._rows.index_select(1, right))
        sums = torch().bmm(self._products, self._rows.transpose(1, 2)).flatten(1)
        return sums.index_select(1, places[0]).div_(self.settings.rows)

    def move(self, errors: Any, uniform: Any) -> None:
        """Make the errors of the last answers smaller; a query whose error is given as 0 is never drawn."""
        self._weigh(errors, uniform, self.places[2])
        weights = self.weights.view(len(errors), -1, self.three_way.width)
        self.adam.step(self._to_logits(self._rows, torch().bmm(weights.transpose(1, 2), self._products)))

    def _weigh(self, errors: Any, uniform: Any, places: Any) -> None:
        """Draw queries in proportion to their errors, and put their weights at their three places."""
        # whole numbers add up to the same sum in any order
        reach = errors.abs().double().mul_(FINE).long().cumsum(1)
        ends = (uniform * reach[:, -1:].double()).long()
        queries = torch().searchsorted(reach, ends, right=True).clamp_(max=errors.shape[1] - 1)
        times = torch().zeros(errors.shape, dtype=torch().int32, device=self.device)
        times.scatter_add_(1, queries, torch().ones_like(queries, dtype=torch().int32))
        own = errors.gather(1, queries)
        norm = own.double().norm(dim=1, keepdim=True).clamp_(min=SMALLEST)
        weights = (times.gather(1, queries) * own / norm / self.settings.rows).float()
        self.weights.zero_()
        for role in places:  # a query drawn twice writes the same number twice
            self.weights.scatter_(1, role[queries], weights)

    def _to_logits(self, rows: Any, upstream: Any) -> Any:
        weighted = rows * upstream
        parts = zip(rows.split(self.three_way.sizes, 1), weighted.split(self.three_way.sizes, 1), strict=True)
        return torch().cat([part - own * part.sum(1, keepdim=True) for own, part in parts], 1)
