"""The steps of a reconstruction: the released counts that weigh most for one person, and the score they add up to."""

from dataclasses import dataclass, replace

import numpy as np

from seethrough.auditing.checks.targets import DealtPeople
from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, list_rows, say_number
from seethrough.data.release import Part
from seethrough.kernels.arrays import Ints
from seethrough.protocols.weighing import WeighedCount, WeighedCounts, Weighing
from seethrough.results.explained.worked import Step

HEAVIEST = 5
"""Counts that are shown one by one."""


@dataclass(frozen=True, eq=False)
class WeighingByPlace:
    """A weighing, and where in its view each person stands, real records first."""

    weighing: Weighing
    places: Ints

    def of(self, place: int, label: int) -> WeighedCounts:
        """Weigh the counts for a real record, by its place among those asked about."""
        return self.weighing.weigh(int(self.places[place]), label)


def score_steps(title: str, dealt: DealtPeople, value: float) -> tuple[Step, Step]:
    """Say what the attack was given, and the score of the true secret."""
    columns, rows = len(dealt.asked.known), len(dealt.released)
    given = f"{title}: the attack was given {columns} columns of this person and {rows:,} released rows."
    said = f"It scored each value of {dealt.asked.secret}, all together 1. The true one got"
    return (
        Step(given, numbers={"columns": float(columns), "released rows": float(rows)}),
        Step(said, f"score(y) = {say_number(value)}", {"score(y)": value}),
    )


def weighed_steps(
    bench: Bench[Part], example: Example, dealt: DealtPeople, weighed: WeighedCounts, value: float
) -> tuple[Step, ...]:
    """Show the five counts that weigh most, then how all of them add up to the score."""
    first, rest = weighed.counts[:HEAVIEST], weighed.counts[HEAVIEST:]
    secret, mine = dealt.asked.secret, len(weighed.counts)
    asked = Step(
        f"{weighed.asked:,} counts are taken from the release: of rows with certain values in a few columns, how many "
        f"have which {secret}? {mine:,} of them are about people like this one. These weigh most:",
        numbers={"counts": float(weighed.asked), "about this person": float(mine)},
    )
    shown = [_count_step(bench, example, dealt, count) for count in first]
    others = sum(count.adds for count in rest)
    terms = " ".join(f"{count.adds:+.4g}" for count in first)
    terms += f" {others:+.4g}" if rest else ""
    others_said = f", and then {len(rest):,} others together," if rest else ""
    total = f"t = {say_number(weighed.begins)} {terms} = {say_number(weighed.total)}"
    numbers = {"begins": weighed.begins, "others": others, "t": weighed.total, "score(y)": value}
    said = (
        "Without any count all values are alike. Where the attack settles, each count adds what is still missing in "
        f"it, weighted by how sure it is. These {len(first)}{others_said} give the share t of the true value; kept "
        "between 0 and 1 and divided by the sum over the values, it is the score:"
    )
    return (asked, *shown, Step(said, f"{total}; score(y) = {say_number(value)}", numbers))


def _count_step(bench: Bench[Part], example: Example, dealt: DealtPeople, count: WeighedCount) -> Step:
    known = dealt.asked.known
    names = "all known columns" if len(count.columns) == len(known) else " and ".join(count.columns)
    said = (
        f"Like this person in {names}: {count.released:,} released rows, of which {count.right:,} show the true "
        f"{dealt.asked.secret}; {count.people:,} people of the table."
    )
    numbers = {
        "released": float(count.released),
        "right": float(count.right),
        "people": float(count.people),
        "adds": count.adds,
    }
    places = dealt.released.places
    assert places is not None, "counts are weighed where the release is in memory"
    rows = places[np.array(count.rows, np.int64)]
    listed = replace(list_rows(bench, example, Part.SYNTHETIC, rows, names), total=count.released)
    return Step(said, f"{count.adds:+.4g}", numbers, (listed,))
