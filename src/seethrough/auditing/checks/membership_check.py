"""Membership by nearness: an attacker who holds records, some of the real table and some of others, and sorts them.

The attacker looks for the released row that is nearest to each record: the nearer, the likelier a member. Of records
that are equally near, those whose like is rarer among other people come first: that a common record is met again says
little. Other people are records of the holdout.

- The risk is the area under the ROC curve: the chance that a real record is rated above one that was kept out, a
  tie counting half. 1/2 is no knowledge at all.
- The risk of a record is the share of people outside who are rated lower, the record itself counted with them. A
  record counts as exposed from 0.99 on: it would be called a member at one false alarm in a hundred.
- The raw value is the area minus 1/2.

One half of the holdout is rated, the other half tells how rare a record is; then they change places, and the two areas
are averaged. Of more than 100,000 holdout records as many are drawn at random. For the independent control a half of
the holdout stands for the release and the rest is left to be compared with.

References
----------
Hayes, Melis, Danezis, De Cristofaro 2019, doi:10.2478/popets-2019-0008 (the game); Chen, Yu, Zhang, Fritz 2020,
doi:10.1145/3372297.3417238 (nearness to the release, and calibration by other records).

Deviations
----------
Chen et al. subtract the distance to a reference model. Here other people only break ties of nearness, which was best or
nearly so on every release compared; differences, densities and a classifier were not (docs/attacks/membership.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.auditing.checks.holdout_halves import HoldoutHalf, HoldoutHalves, NearestOutside
from seethrough.auditing.checks.rated_place import (
    membership_table_step,
    place_among_outsiders,
    rating_steps,
    roc_of_halves,
)
from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestFrom
from seethrough.bench.person.example import Example
from seethrough.bench.person.nearness import around_step, rows_around
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.kernels.statistics.intervals import area
from seethrough.kernels.statistics.roc import placements
from seethrough.results.card import Card, Category, Evidence, Need, RestsOn
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Worked
from seethrough.results.outcome import Measurement

LEAST = 20
"""Records of either kind below which an area says nothing."""
ALARMS = 0.01
"""False alarms at which found members are counted."""


@dataclass(frozen=True)
class MembershipCheck:
    """How well nearness to the release tells real records from records that were kept out."""

    card: ClassVar[Card] = Card(
        name="membership",
        title="Membership by nearness",
        question="Can an attacker tell by nearness to the release who was in the real table and who was not?",
        cannot_tell="Whether people outside differ for another reason: records of another year or place are told apart "
        "without any leak.",
        category=Category.TRACING,
        evidence=Evidence.ATTACK,
        raw_unit="area under the ROC curve minus one half",
        formula="P( (-d_YZ, d_YR) of a real record > that of a holdout record ) + P( = ) / 2, compared in that order",
        cites=("doi:10.2478/popets-2019-0008", "doi:10.1145/3372297.3417238"),
        needs=(Need.HOLDOUT,),
        chance=0.5,
        stochastic=True,
        looks_at="The released row nearest to a person, the nearest people outside, and how these people rate.",
        flagged_from=0.99,
        rests_on=RestsOn.DISTANCE,
    )
    most_outside: int = 100_000
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.most_outside < LEAST:
            raise ConfigError(f"parameter membership.most_outside is {self.most_outside}; at least {LEAST} are needed")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Rate everybody, compare members with people outside."""
        real, outside = (len(bench.table(part)) for part in (Part.TRAIN, Part.HOLDOUT))
        if min(real, outside) < LEAST:
            raise NotApplicable(f"there are {real} real records and {outside} kept out; {LEAST} of each are needed")
        drawn = self.most_outside, int(rng.integers(1 << 32))
        halves = bench.get(HoldoutHalves(*drawn))
        near = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC))
        near_outside = bench.get(NearestOutside(*drawn))
        rated = [_rated(near, near_outside[half.rows], half) for half in halves]
        return self._measured(rated, outside)

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show how near the release comes, and how many people outside are rated lower."""
        drawn = self.most_outside, int(example.rng.integers(1 << 32))
        halves = bench.get(HoldoutHalves(*drawn))
        across, outside = (rows_around(bench, example, part) for part in (Part.SYNTHETIC, Part.HOLDOUT))
        near_outside = bench.get(NearestOutside(*drawn))
        rare = [float(outside.distances[half.rows].min()) for half in halves[::-1]]
        placed = [
            place_among_outsiders((across.smallest, apart), near_outside[half.rows], half.outside)
            for apart, half in zip(rare, halves, strict=True)
        ]
        value = float(np.mean([np.array([each.risk]) for each in placed], axis=0)[0])
        near = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC))
        points = roc_of_halves(near, near_outside, halves)
        steps = around_step(bench, example, across, outside), *rating_steps(placed, value)
        last = membership_table_step(example, value, placed, points, ALARMS)
        return Worked(self.card.name, (*steps, last), value)

    def _measured(self, rated: Sequence[tuple[Floats, Floats]], outside: int) -> Measurement:
        members = np.mean([above for above, _ in rated], axis=0)
        others = np.concatenate([below for _, below in rated])
        found = float(members.mean())
        low, high = area(members, others, self.confidence)
        found_at = _found_at_few_alarms(rated)
        drawn = f"{len(others)} of {outside} holdout records were drawn"
        few = f"{len(others)} people outside are too few to tell one false alarm in a hundred, so more may be flagged"
        return Measurement(
            risk=Estimate(found, low, high, self.confidence),
            raw=found - 0.5,
            n=len(members),
            base_rate=0.5,
            per_record=np.mean([above * len(below) / (len(below) + 1) for above, below in rated], axis=0),
            details={
                "people outside": len(others),
                **({} if found_at is None else {"members found at one false alarm in a hundred": round(found_at, 4)}),
            },
            warnings=((drawn,) if len(others) < outside else ()) + ((few,) if found_at is None else ()),
        )


def _found_at_few_alarms(rated: Sequence[tuple[Floats, Floats]]) -> float | None:
    """Give the share of members that are found, or nothing where people outside are too few to say.

    The member is counted among those whom it is compared with, so that one who is like them is found as rarely as said.
    """
    sizes = [len(below) for _, below in rated]
    if ALARMS * (min(sizes) + 1) < 1:
        return None
    # Ranks are multiples of one half, but for rounding.
    found = [
        ((1 - above) * size + 1 <= ALARMS * (size + 1) + 1e-9) for (above, _), size in zip(rated, sizes, strict=True)
    ]
    return float(np.mean([each.mean() for each in found]))


def _rated(near: Floats, near_outside: Floats, half: HoldoutHalf) -> tuple[Floats, Floats]:
    """Give for each member the share of people outside rated lower, and for those the share of members rated higher."""
    nearness, rarity = np.concatenate([-near, -near_outside]), np.concatenate([half.members, half.outside])
    # Combined codes keep the order of the first column, and that of the second among equals.
    ranks = combine([dense_codes(nearness), dense_codes(rarity)])
    members, others = ranks[: len(near)], ranks[len(near) :]
    return placements(members, others), 1 - placements(others, members)
