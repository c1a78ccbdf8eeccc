"""The place of one person among people outside, by a rating of nearness, and the curve that the ratings of all make."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.auditing.checks.holdout_halves import HoldoutHalf
from seethrough.bench.person.example import Example, say_number
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.results.explained.worked import Step

POINTS = 80
"""Points of a curve at most."""


@dataclass(frozen=True)
class PlaceOutside:
    """How many people of one half are rated lower than a person, how many alike, and how many there are."""

    lower: int
    alike: int
    people: int
    nearest: float

    @property
    def risk(self) -> float:
        """Give the share rated lower, alike by half, the person itself counted with them."""
        return self.above * self.people / (self.people + 1)

    @property
    def above(self) -> float:
        """Give the share rated lower, alike by half."""
        return (2 * self.lower + self.alike) / (2 * self.people)


def place_among_outsiders(mine: tuple[float, float], near: Floats, rare: Floats) -> PlaceOutside:
    """Compare a person's nearness and rarity with those of a half: nearer comes first, then rarer."""
    distance, apart = mine
    lower = (near > distance) | ((near == distance) & (rare < apart))
    alike = (near == distance) & (rare == apart)
    return PlaceOutside(int(lower.sum()), int(alike.sum()), len(near), apart)


def rating_steps(placed: Sequence[PlaceOutside], value: float) -> tuple[Step, ...]:
    """Say for both halves of the people outside how many are rated lower."""
    told, numbers = [], {}
    for number, each in enumerate(placed, 1):
        alike = f", {each.alike:,} alike" if each.alike else ""
        told.append(f"Of {each.people:,} people of half {number}, {each.lower:,} are rated lower{alike}")
        numbers[f"lower {number}"], numbers[f"people {number}"] = float(each.lower), float(each.people)
    said = (
        "People outside are rated like this person: the nearer to the release the higher, and of those equally near "
        f"the rarer first, by the other half of them. {'. '.join(told)}."
    )
    terms = [f"({say_number(each.lower + each.alike / 2)} / ({each.people:,} + 1))" for each in placed]
    written = f"membership(y) = ({' + '.join(terms)}) / {len(terms)} = {say_number(value)}"
    return (Step(said, written, {**numbers, "membership(y)": value}),)


def roc_of_halves(near: Floats, near_outside: Floats, halves: Sequence[HoldoutHalf]) -> tuple[tuple[float, float], ...]:
    """Give the share of members found at each rate of false alarms, averaged over the halves."""
    fewest = min(len(half.rows) for half in halves)
    rates = np.unique(np.append(np.geomspace(1 / fewest, 1, POINTS - 1), 1.0))
    found = []
    for half in halves:
        ranks = combine(
            [
                dense_codes(np.concatenate([-near, -near_outside[half.rows]])),
                dense_codes(np.concatenate([half.members, half.outside])),
            ]
        )
        members, others = ranks[: len(near)], np.sort(ranks[len(near) :])
        alarms = np.sort(1 - np.searchsorted(others, members, side="left") / len(others))
        found.append(np.searchsorted(alarms, rates * (1 + 1e-12), side="right") / len(alarms))
    return tuple(zip(rates.tolist(), np.mean(found, axis=0).tolist(), strict=True))


def membership_table_step(
    example: Example,
    value: float,
    placed: Sequence[PlaceOutside],
    curve: tuple[tuple[float, float], ...],
    alarms: float,
) -> Step:
    """Lead from the person to the area under the curve, the mean over people, and the curve itself."""
    risk, people = example.found.risk.value, example.found.n
    above = float(np.mean([each.above for each in placed]))
    called = "would" if value >= 1 - alarms else "would not"
    said = (
        f"The area under the ROC curve is the mean over {people:,} people of the share rated lower: "
        f"{say_number(risk)}; one half is no knowledge. At one false alarm in a hundred this person {called} be called "
        "a member. To the area this person adds"
    )
    numbers = {"person": above, "area": risk, "people": float(people), "false alarms": 1 - value}
    written = f"({say_number(above)} - {say_number(risk)}) / {people:,} = {say_number((above - risk) / people)}"
    if example.row is None:
        return Step(said.removesuffix(" To the area this person adds"), "", numbers, curve=curve)
    return Step(said, written, numbers, curve=curve)
