"""Lists of the k nearest points on an accelerator, by torch; distances and names are those of `k_nearest`, bit by bit.

1. The k smallest totals of a row are in the k groups with the smallest minima (`pair_totals`), whatever the order of
   points and however many are equally near.
2. Of equally near points the one that comes first is named. Where the last that is named is equally near as others, at
   most `NAMED` - 1 groups have a smaller minimum, so the first 2 `NAMED` - 1 groups that come so near hold enough.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.device.pair_totals import DevicePairs
from seethrough.kernels.device.torch_extra import device_memory
from seethrough.kernels.points import DIGITS, Points

_EXPONENTS = np.arange(-281.0, 309.0)
_POWERS, _SCALES = 10.0**_EXPONENTS, 10.0 ** (DIGITS - _EXPONENTS)


@dataclass(frozen=True)
class ListLengths:
    """How many distances a list has, and of how many it is said whose they are."""

    k: int
    named: int


def lists_on_device(
    people: Points, others: Points, counts: Ints, lengths: ListLengths, name: str
) -> tuple[Floats, Ints]:
    """Make lists of distinct people among distinct others, which stand for `counts` rows each: distances and places."""
    import torch

    with device_memory(name):
        lists = _DeviceLists(DevicePairs(people, others, name), counts, lengths)
        step = lists.pairs.affordable(lists.bytes_per_row)
        parts = [lists.of(rows) for rows in torch.arange(len(people), device=lists.pairs.device).split(step)]
    distances, places = (np.concatenate([part.cpu().numpy() for part in each]) for each in zip(*parts, strict=True))
    return distances, places


class _DeviceLists:
    """A search for lists; `counts` tells how many copies a point stands for."""

    def __init__(self, pairs: DevicePairs, counts: Ints, lengths: ListLengths) -> None:
        import torch

        self.pairs, self.lengths = pairs, lengths
        self.counts = torch.as_tensor(counts, device=pairs.device)
        self.powers, self.scales = (torch.as_tensor(each, device=pairs.device) for each in (_POWERS, _SCALES))

    @property
    def bytes_per_row(self) -> int:
        """Bound what a row takes while its list is made."""
        looked_at = max(min(self.lengths.k, self.pairs.groups), 2 * self.lengths.named) * self.pairs.group
        return 24 * (looked_at + self.pairs.groups)

    def of(self, rows: Any) -> tuple[Any, Any]:
        """Make the lists of some people."""
        pairs = self.pairs
        minima = pairs.minima(rows).T.contiguous()
        groups = minima.topk(min(self.lengths.k, pairs.groups), 1, largest=False, sorted=False).indices
        totals = pairs.totals(rows, groups).flatten(1)
        smallest, at = totals.topk(min(self.lengths.k, pairs.size), 1, largest=False)
        places = groups.gather(1, at // pairs.group) * pairs.group + at % pairs.group
        distances = self._rounded(smallest)
        listed = distances.gather(1, self._copies(self.counts[places], self.lengths.k))
        last = listed[:, self.lengths.named - 1 : self.lengths.named]
        return listed, self._named(distances, places, last, self._tied(rows, minima, last))

    def _tied(self, rows: Any, minima: Any, last: Any) -> Any:
        """Find the first points that are as near as the last that is named; a place beyond all where there is none."""
        import torch

        pairs, named = self.pairs, self.lengths.named
        near = minima <= last + self._granule(last)
        numbers = torch.arange(pairs.groups, dtype=torch.int32, device=pairs.device)
        first = torch.where(near, numbers, pairs.groups).topk(
            min(2 * named - 1, pairs.groups), 1, largest=False, sorted=False
        )
        groups = first.values.clamp_max(pairs.groups - 1).long()
        totals = self._rounded(pairs.totals(rows, groups))
        is_tied = (totals == last[:, :, None]) & (first.values < pairs.groups)[:, :, None]
        places = torch.where(is_tied, pairs.places(groups), pairs.size).flatten(1)
        return places.topk(min(named, places.shape[1]), 1, largest=False).values

    def _named(self, distances: Any, places: Any, last: Any, tied: Any) -> Any:
        """Name those who are nearer than the last, by distance and place, and then those who are as near."""
        import torch

        nearer = distances[:, : self.lengths.named] < last
        first = torch.where(nearer, distances[:, : self.lengths.named], torch.inf)
        every = torch.cat([places[:, : self.lengths.named], tied], 1)
        how_far = torch.cat([first, torch.where(tied < self.pairs.size, last, torch.inf)], 1)
        for key in ("place", "distance"):
            order = (every if key == "place" else how_far).argsort(dim=1, stable=True)
            every, how_far = every.gather(1, order), how_far.gather(1, order)
        copies = torch.where(how_far < torch.inf, self.counts[every.clamp_max(self.pairs.size - 1)], 0)
        return every.gather(1, self._copies(copies, self.lengths.named))

    def _copies(self, counts: Any, length: int) -> Any:
        """Say where each place of an unfolded list stands in a folded one."""
        import torch

        wanted = torch.arange(length, device=self.pairs.device).expand(len(counts), -1).contiguous()
        return torch.searchsorted(counts.cumsum(1), wanted, right=True)

    def _rounded(self, totals: Any) -> Any:
        """Turn totals of the Manhattan norm into distances, as `Norm.distance` does."""
        import torch

        if self.pairs.is_whole:
            return totals
        scale = self.scales[self._exponent(totals)]
        known = torch.isfinite(totals) & (totals > _POWERS[1])
        return torch.where(known, (totals * scale).round() / scale, totals)

    def _granule(self, distances: Any) -> Any:
        """Give the last digit that a rounded distance has."""
        return (distances > 0) / self.scales[self._exponent(distances)]

    def _exponent(self, values: Any) -> Any:
        import torch

        return torch.searchsorted(self.powers, values.contiguous()).clamp_max(len(_POWERS) - 1)
