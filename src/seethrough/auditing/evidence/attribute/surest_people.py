"""Abstention: success where an attack guesses about those people only of whom it is surest.

For a recall R the people are kept whose ranking is among the first R of *both groups together*, with all who tie with
the last. The cut does not see the groups, so that permuting labels is exact: a row enters with the vector
kept (hit - mean hit of the kept), whose sum over members is what members are guessed right beyond the kept as a whole.
A row is shown where at least 20 people outside are kept; p is adjusted over all rows with so many people kept at all.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.statistics.permutation import PermutationTest
from seethrough.results.attribute.figures import SurestPart

RECALLS = 1.0, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01
FEWEST_KEPT = 20
"""People outside who have to be kept."""


@dataclass(frozen=True, eq=False)
class KeptPeople:
    """Who is kept at a recall, and what was right about them."""

    recall: float
    kept: Bools
    hits: Floats

    @property
    def vector(self) -> Floats:
        """Give what enters the test; it does not know who is a member."""
        return np.where(self.kept, self.hits - self.hits[self.kept].mean(), 0.0)

    def part(self, members: Bools, p: float) -> SurestPart | None:
        """Compare the groups; None where too few people outside are kept, or no member."""
        mine, others = self.kept & members, self.kept & ~members
        if not mine.any() or others.sum() < FEWEST_KEPT:
            return None
        return SurestPart(
            recall=self.recall,
            members=float(self.hits[mine].mean()),
            outsiders=float(self.hits[others].mean()),
            kept_members=float(mine.sum() / members.sum()),
            kept_outsiders=float(others.sum() / (~members).sum()),
            p=p,
        )


def kept_people(hits: Floats, sureness: Ints) -> list[KeptPeople]:
    """Keep ever fewer people, the surest first, as long as enough are left.

    Ties of the last stay; a cut that drops nobody more is left out.
    """
    ordered = np.sort(sureness)[::-1]
    found: list[KeptPeople] = []
    for recall in RECALLS:
        kept = sureness >= ordered[ceil(recall * len(ordered) - 1e-9) - 1]
        if kept.sum() >= FEWEST_KEPT and (not found or kept.sum() < found[-1].kept.sum()):
            found.append(KeptPeople(recall, kept, hits))
    return found


def surest_parts(kept: list[KeptPeople], members: Bools, test: PermutationTest, places: Ints) -> tuple[SurestPart, ...]:
    """Compare the groups at every recall; `places` are those of the vectors in the test."""
    adjusted = test.adjust(places)
    parts = (each.part(members, float(p)) for each, p in zip(kept, adjusted, strict=True))
    return tuple(part for part in parts if part is not None)
