"""Lists of neighbours while they are searched for."""

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.points import DIGITS, Norm

NAMED = 5
"""Of so many neighbours it is said which they are."""
WAITING = 16
"""Hits a person, on average, that are merged into the lists at once."""
_BYTE = 256


class GrowingLists:
    """Lists of some people while they are searched for: sorted by rounded distance, then place.

    `limits` says for each person up to which total a pair may still belong on the list.
    """

    def __init__(self, limits: Floats, k: int, counts: Ints) -> None:
        self.people, self.k, self.counts = len(limits), k, counts
        self.limits = self.known = limits
        self.found = np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
        self.waiting: list[tuple[Ints, Floats, Ints]] = []
        self.hits = 0

    def offer(self, rows: Ints, places: Ints, block: Floats | Codes) -> None:
        """Take what may belong on a list from a block of places (rows) and people (columns)."""
        limits = self.limits[rows]
        fresh = np.isinf(limits)
        if fresh.any() and len(places) > self.k:
            # The k-th of this block alone is an upper bound, which keeps most of it out.
            kth = np.partition(block[:, fresh], self.k - 1, axis=0)[self.k - 1]
            limits[fresh] = np.nextafter(kth * (1 + 1e-11), np.inf)
        border = np.floor(np.minimum(limits, _BYTE - 1)).astype(np.uint8) if block.dtype == np.uint8 else limits
        which, who = np.divmod(np.flatnonzero(block <= border), len(rows))
        if not len(which):
            return
        self.waiting.append((rows[who], block[which, who].astype(np.float64), places[which]))
        self.hits += len(which)
        if fresh.any() or self.hits > WAITING * self.people:
            self.merge()

    def take(self, rows: Ints, measured: Floats, places: Ints) -> None:
        """Take pairs of people who have a list already, those that may belong on it."""
        near = np.flatnonzero(measured <= self.limits[rows])
        if not len(near):
            return
        self.waiting.append((rows[near], measured[near], places[near]))
        self.hits += len(near)
        if self.hits > WAITING * self.people:
            self.merge()

    def settle(self) -> None:
        """Merge what waits, if anything does."""
        if self.waiting:
            self.merge()

    def merge(self) -> None:
        """Sort what waits into the lists, and lower the limits."""
        who, measured, places = (np.concatenate(parts) for parts in zip(*self.waiting, strict=True))
        who, places = np.concatenate([self.found[0], who]), np.concatenate([self.found[2], places])
        distances = np.concatenate([self.found[1], Norm.MANHATTAN.distance(measured)])
        order = _order(who, distances, places)
        who, distances, places = who[order], distances[order], places[order]
        ends = np.cumsum(self.counts[places])
        begins = ends - self.counts[places]
        # Copies of those who come before in the same list.
        starts = np.searchsorted(who, np.arange(self.people))
        before = begins - np.append(begins, 0)[starts][who]
        kept = before < self.k
        self.found = who[kept], distances[kept], places[kept]
        self.waiting, self.hits = [], 0
        self._lower(self._at(self.k - 1), self._at(min(NAMED, self.k) - 1))

    def _at(self, place: int) -> Floats:
        """Give the distance at a place of the unfolded list of each person; infinite where it is not filled."""
        who, distances, places = self.found
        ends = np.cumsum(self.counts[places])
        starts = np.searchsorted(who, np.arange(self.people))
        offset = np.append(ends - self.counts[places], ends[-1:])[starts]
        at = np.searchsorted(ends, offset + place, side="right")
        is_there = (at < len(who)) & (np.append(who, -1)[at] == np.arange(self.people))
        return np.where(is_there, np.append(distances, np.inf)[at], np.inf)

    def _lower(self, last: Floats, named: Floats) -> None:
        self.limits = np.minimum(list_limits(last, named), self.known)

    def finish(self) -> tuple[Floats, Ints]:
        """Unfold the lists."""
        self.settle()
        who, distances, places = self.found
        everyone = np.arange(self.people)
        ends = np.cumsum(self.counts[places])
        offset = np.append(ends - self.counts[places], ends[-1:] if len(ends) else 0)[np.searchsorted(who, everyone)]
        at = np.searchsorted(ends, offset[:, None] + np.arange(self.k), side="right")
        at[np.append(who, -1)[at] != everyone[:, None]] = len(who)  # a list that limits have kept short
        return np.append(distances, np.inf)[at], np.append(places, -1)[at[:, : min(self.k, NAMED)]]


def list_limits(last: Floats, named: Floats) -> Floats:
    """Let in what rounds to less than the last distance, or to no more than the last that is named."""
    with np.errstate(invalid="ignore"):
        limits = np.maximum(last - 0.04 * _granule(last), named + 0.6 * _granule(named))
    return np.where(np.isinf(last), np.inf, limits)


def _order(who: Ints, distances: Floats, places: Ints) -> Ints:
    """Sort by person, distance and place.

    All three fit into one whole number, distances cut to what is left of its bits; where that leaves two of a person in
    the wrong order, which is rare, they are sorted one after the other.
    """
    sizes = [int(each.max(initial=0)).bit_length() for each in (who, places)]
    bits = min(_FINEST, _WHOLE - sum(sizes))
    top = float(distances.max(initial=0))
    if bits > 0 and _SMALLEST < top < np.inf:
        steps = (distances * (((1 << bits) - 1) / top)).astype(np.int64)
        order = np.argsort((((who << bits) | np.minimum(steps, (1 << bits) - 1)) << sizes[1]) | places)
        sorted_ = distances[order]
        if not ((sorted_[1:] < sorted_[:-1]) & (np.diff(who[order]) == 0)).any():
            return order
    return np.lexsort((places, distances, who))


_WHOLE, _FINEST, _SMALLEST = 63, 48, 1e-200
"""Bits of a whole number without its sign, of a distance at most, and the largest distance at least."""


def _granule(distances: Floats) -> Floats:
    """Give the last digit that a rounded distance has."""
    known = np.isfinite(distances) & (distances > 0)
    exponent = np.ceil(np.log10(distances, out=np.zeros_like(distances), where=known))
    return np.where(known, 10.0 ** (exponent - DIGITS), 0.0)
