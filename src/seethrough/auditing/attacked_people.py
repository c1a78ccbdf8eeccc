"""Targets: people who are drawn and attacked against the whole release, where not everybody is.

A release is never sampled: a copied row that is not drawn would not be found, and every leak would look smaller. People
may be: what is said of some thousand who were drawn holds for all within its interval. Members are drawn, and as many
people outside beside the reference, by content and seed, so that the same seed gives the same people whatever the order
of rows; they are the people of the evidence (auditing/evidence/drawing.py). Checks are measured for the same members.
What is searched for them is whole, the real table too, so that the nearest other person is the nearest of all.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from seethrough.auditing.evidence.drawing import DrawnPeople, draw_members, draw_outsiders
from seethrough.auditing.evidence.pool import MOST_RATED
from seethrough.bench.bench import Bench, DrawnFrom
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.release import Part, Release
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Ints
from seethrough.results.outcome import Measured, Outcome
from seethrough.results.provenance import MOST_ATTACKED, TargetSizes
from seethrough.seeds import stream

USUAL_TARGETS = 10_000
"""Members, and as many people outside, who are attacked where there are more; a share of them is known to within one in
a hundred, and a false alarm rate of 0.1 % is that of ten people."""
FEWEST_TARGETS = 30
CONTROL_PEOPLE = 10_000
"""People for whom controls are measured in an audit of everybody where there are twice as many real rows, or rows of
people outside: controls describe and decide nothing, and would take most of the time of the checks. As of targets, a
share of these people is known to within one in a hundred."""

Targets = int | Literal["all"] | None
"""How many are attacked; None is everybody where there are few, and some where there are many."""


@dataclass(frozen=True)
class TargetRule:
    """How many members, and as many people outside, are attacked; None is everybody."""

    people: int | None
    is_default: bool


def decide_targets(targets: Targets, release: Release) -> TargetRule:
    """Decide how many people of a release are attacked."""
    if targets == "all":
        return TargetRule(None, is_default=False)
    if targets is not None:
        if isinstance(targets, bool) or not isinstance(targets, int) or targets < FEWEST_TARGETS:
            raise ConfigError(f"targets is {targets!r}; a number from {FEWEST_TARGETS} on, or 'all', is expected")
        return TargetRule(targets, is_default=False)
    design, holdout = release.design, release.holdout
    members = _count(release.train.table, design.real)
    outside = 0 if holdout is None else _count(holdout.table, design.outside)
    return TargetRule(USUAL_TARGETS if max(members, outside) > MOST_ATTACKED else None, is_default=True)


def _count(table: Table, persons: Ints | None) -> int:
    return len(table) if persons is None else len(np.unique(persons))


@dataclass(frozen=True, eq=False)
class AttackedPeople:
    """Rows of the people who are attacked, in the order of the real table and of the holdout, and how many they are.

    Rows of the holdout are those of the reference too.
    """

    members: Ints
    outside: Ints | None
    sizes: TargetSizes

    def put_on(self, bench: Bench[Part], release: Release) -> Bench[Part]:
        """Give a bench whose real people, and people outside where it has any, are those who are attacked."""
        real, holdout = release.train.table, release.holdout
        found = bench.with_drawn(Part.TRAIN, real.take(self.members), DrawnFrom(real, self.members))
        if holdout is None or self.outside is None:
            return found
        drawn = DrawnFrom(holdout.table, self.outside)
        return found.with_drawn(Part.HOLDOUT, holdout.table.take(self.outside), drawn)

    def show(self, bench: Bench[Part], released: Table, *, without: Part | None = None) -> Bench[Part]:
        """Put a released table on a bench: as many of its rows ask for their nearest real ones as people are attacked.

        They are drawn by their number; which rows these are decides nothing but what describes the release.
        """
        return _let_ask(bench.with_table(Part.SYNTHETIC, released, without=without), released, len(self.members))

    def spread(self, outcome: Outcome, rows: int) -> Outcome:
        """Put the risks of an outcome at the places of their people among all real rows, NaN elsewhere."""
        if not isinstance(outcome, Measured) or outcome.measurement.per_record is None:
            return outcome
        found = np.full(rows, np.nan)
        found[self.members] = outcome.measurement.per_record
        return replace(outcome, measurement=replace(outcome.measurement, per_record=found))


def show_to(
    people: AttackedPeople | None, bench: Bench[Part], released: Table, *, without: Part | None = None
) -> Bench[Part]:
    """Put a released table on a bench, for people who were drawn or for everybody."""
    if people is not None:
        return people.show(bench, released, without=without)
    found = bench.with_table(Part.SYNTHETIC, released, without=without)
    return _let_ask(found, released, USUAL_TARGETS) if isinstance(released, ChunkedTable) else found


def _let_ask(bench: Bench[Part], released: Table, most: int) -> Bench[Part]:
    """Let so many released rows ask at most; those of a release in chunks are of its drawn rows."""
    asking = len(released.drawn if isinstance(released, ChunkedTable) else released)
    if asking <= most:
        return bench
    rows = stream(0, "released rows that ask").permutation(asking)[:most]
    return bench.with_asking(Part.SYNTHETIC, np.sort(rows))


def draw_people(release: Release, rule: TargetRule, seed: int) -> AttackedPeople | None:
    """Draw who is attacked; None where everybody is."""
    if rule.people is None:
        return None
    design, holdout = release.design, release.holdout
    mine = draw_members(release.train.table, design, seed)
    drawn = mine.beyond(0, MOST_RATED, rule.people)
    sizes = TargetSizes(rule.people, rule.is_default, _people(drawn), mine.people)
    outside: Ints | None = None
    if holdout is not None:
        others, aside = draw_outsiders(holdout.table, design, seed)
        kept = others.upto(aside + rule.people)
        outside = np.sort(kept.rows)
        sizes = replace(sizes, outside=_people(kept) - aside, of_outside=others.people - aside)
    if sizes.members == sizes.of_members and sizes.outside == sizes.of_outside:
        return None
    return AttackedPeople(np.sort(drawn.rows), outside, sizes)


def people_of_controls(release: Release, seed: int) -> AttackedPeople | None:
    """Draw the people for whom controls are measured in an audit of everybody; None where that is not much work."""
    people = (release.train, release.holdout)
    if max(len(named.table) for named in people if named) < 2 * CONTROL_PEOPLE:
        return None
    return draw_people(release, TargetRule(CONTROL_PEOPLE, is_default=True), seed)


def _people(drawn: DrawnPeople) -> int:
    return len(np.unique(drawn.places))
