"""Rounds of a search for lists of neighbours: the nearest clusters of each person, near ones, then all that may matter.

After the first round every person has a list, and with it a limit; a cluster whose bound is beyond the limit is left
out. What is left of all clusters is compared at once, person by person. Where hardly anything is left out, clusters are
compared with all people together, which takes less for each pair.
"""

import numpy as np

from seethrough.kernels.arrays import Bools, Codes, Ints
from seethrough.kernels.neighbours.lists.growing_lists import GrowingLists
from seethrough.kernels.neighbours.lists.step_boxes import BoxPairs, StepBoxes
from seethrough.kernels.neighbours.whole_steps import NEVER, StepTotals
from seethrough.kernels.points import Points, add_numbers

FIRST, ROOMY = 4, 4
"""Clusters of the first round at least, and so many times as many places as a list has."""
DENSE = 0.4
"""Share of pairs from which on to compare all takes no longer: one by one a pair takes more than twice as long."""
TOGETHER = 3_840
"""Others that are compared with all people together."""


class ListRounds:
    """The search for the lists of some people among all others."""

    def __init__(self, people: Points, others: Points, boxes: StepBoxes, rows: Ints, lists: GrowingLists) -> None:
        self.people, self.others, self.boxes, self.rows, self.lists = people, others, boxes, rows, lists
        self.bounds = boxes.bounds(rows)

    def run(self) -> None:
        """Search in rounds."""
        self._compare_nearest()
        near = self.bounds <= self._border()[:, None]
        if np.count_nonzero(near) * self.boxes.width > DENSE * len(self.rows) * len(self.others):
            self._compare_together()
            return
        for part in (2, 1):
            border = self._border()
            near = self.bounds <= (border // part)[:, None]
            self.bounds[near] = NEVER
            for places, who, differing in self.boxes.members_within(self.rows, near, border):
                self._measure(who, places, differing)
            self.lists.settle()

    def _border(self) -> StepTotals:
        return self.boxes.whole.border(self.lists.limits)

    def _compare_nearest(self) -> None:
        """Fill the lists from the nearest clusters."""
        k, many = self.lists.k, len(self.rows)
        count = min(len(self.boxes), max(FIRST, -(-ROOMY * k // self.boxes.width)))
        boxes = self.boxes.nearest(self.bounds, count)
        everyone = np.repeat(np.arange(many), count)
        self.bounds[everyone, boxes.ravel()] = NEVER
        pairs = self.boxes.compare(self.rows[everyone], boxes.ravel())
        steps = pairs.steps.reshape(many, -1)
        last = min(k, steps.shape[1]) - 1
        first = np.partition(steps, last, axis=1)[:, last]
        self._offer(everyone, pairs, pairs.steps <= first[everyone][:, None])
        self.lists.settle()
        # What has no more steps than the first k was offered; the others may be as near all the same.
        beyond = pairs.steps > first[everyone][:, None]
        self._offer(everyone, pairs, beyond & (pairs.steps <= self._border()[everyone][:, None]))
        self.lists.settle()

    def _offer(self, who: Ints, pairs: BoxPairs, hits: Bools) -> None:
        places, pair, differing = self.boxes.members_at(pairs, hits & (pairs.steps < NEVER))
        self._measure(who[pair], places, differing)

    def _measure(self, who: Ints, places: Ints, differing: Codes) -> None:
        """Measure pairs and offer them to the lists.

        Weights are 1 where there are steps, so that the codes of a pair add up to a whole number, without rounding.
        """
        total = add_numbers(differing.astype(np.float64), self.people, self.rows[who], self.others, places)
        self.lists.take(who, total, places)

    def _compare_together(self) -> None:
        """Compare clusters, near ones first and several at once, with all people who may gain from one of them."""
        order = np.argsort(self.bounds.sum(axis=0, dtype=np.int64), kind="stable")
        batch = np.cumsum(self.boxes.sizes[order]) // TOGETHER
        for boxes in np.split(order, np.flatnonzero(np.diff(batch)) + 1):
            gaining = np.flatnonzero((self.bounds[:, boxes] <= self._border()[:, None]).any(axis=1))
            if not len(gaining):
                continue
            places = np.concatenate([self.boxes.places[box, : self.boxes.sizes[box]] for box in boxes])
            limits = self.lists.limits[gaining]
            who, which, differing = self.boxes.whole.pairs_within(limits, self.rows[gaining], places)
            # The nearest clusters were compared before.
            new = np.flatnonzero(self.bounds[gaining[who], self.boxes.box_of[places[which]]] < NEVER)
            self._measure(gaining[who[new]], places[which[new]], differing[new])
        self.lists.settle()
