"""Isolated people: what those who are furthest from all others risk, beside everybody else.

Isolation (bench/isolation.py) is no risk by itself: a release that holds nobody's row gives away nobody, however alone.

By check: the mean risk of the most isolated 1 % of real rows, at least 20, each measured against the other real rows.
By leak: members against people outside within the most isolated tenth, by one attack of each family, chosen before
anything is seen. Here isolation is measured within the pool, each person against all others of it, members or not, so
that who is isolated does not depend on who is a member: permuted labels test the leak exactly, and the intervals of all
families hold at once. Measured against members alone, whoever lost a twin to the holdout would be isolated, and no test
would be exact.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from seethrough.auditing.diagnostics.exposure import mean_rate
from seethrough.auditing.diagnostics.leak_groups import NO_OUTSIDERS, NOT_TESTED, PeopleGroup, headlines, leak_of_group
from seethrough.auditing.evidence.assess import Assessment, EvidenceRules
from seethrough.auditing.evidence.contrasts import compare_contrasts
from seethrough.auditing.evidence.pool import Pool
from seethrough.bench.isolation import Isolation, most_isolated
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats
from seethrough.results.diagnostics import IsolatedPeople, IsolatedRisk
from seethrough.results.evidence import ExposedPerson, LeakFamily
from seethrough.results.outcome import Measured, Outcome
from seethrough.seeds import stream

SHARE_OF_ROWS, SHARE_OF_PEOPLE = 0.01, 0.1
"""Of the real rows, by their risks; of the pool, by its leak."""
FEWEST = 10
"""Members, and people outside, among the isolated ones."""
PERMUTATIONS = 1_999
COLUMN, ISOLATED, OTHERS = "isolation", "most isolated tenth", "all others"
TOO_FEW = f"fewer than {FEWEST} members or people outside are among the most isolated tenth"


def isolated_risks(outcomes: Sequence[Outcome], isolation: Floats) -> tuple[IsolatedRisk, ...]:
    """Give the mean risk of the most isolated real rows beside the rest, by every check that has a risk for each.

    Rows whose isolation is not a number were not looked at.
    """
    known = np.flatnonzero(~np.isnan(isolation))
    chosen = most_isolated(isolation[known], SHARE_OF_ROWS)
    found = []
    for outcome in outcomes:
        risks = outcome.measurement.per_record if isinstance(outcome, Measured) else None
        if risks is None:
            continue
        risks = risks[known]
        mine, others = (risks[some & np.isfinite(risks)] for some in (chosen, ~chosen))
        if len(mine) and len(others):
            found.append(IsolatedRisk(outcome.check, mean_rate(mine), mean_rate(others)))
    return tuple(found)


def isolated_leaks(found: Assessment, rules: EvidenceRules, how: Isolation, *, has_outsiders: bool) -> IsolatedPeople:
    """Compare members with people outside among the most isolated tenth of the pool, and among the others."""
    blank = IsolatedPeople(distance=how.distance)
    if found.pool is None:
        return replace(blank, reason=NOT_TESTED if has_outsiders else NO_OUTSIDERS)
    try:
        isolation = isolation_in_pool(found.pool, how, rules.seed)
    except NotApplicable as reason:
        return replace(blank, reason=str(reason))
    members = found.pool.member_people
    chosen = most_isolated(isolation, SHARE_OF_PEOPLE)
    groups = [
        PeopleGroup(COLUMN, label, 1, family, answer, np.flatnonzero(answer.asked & some))
        for family, answer in headlines(found.answers)
        for label, some in ((ISOLATED, chosen), (OTHERS, ~chosen))
    ]
    groups = _comparable(groups, members)
    if not groups:
        return replace(blank, reason=TOO_FEW)
    permutations = min(PERMUTATIONS, rules.permutations)
    contrasts = [group.contrast for group in groups]
    rng = stream(rules.seed, "isolated people")
    device = found.pool.bench.budget.device
    tested = compare_contrasts(contrasts, members, rng, permutations, rules.confidence, device)
    leaks = tuple(leak_of_group(*each, members) for each in zip(groups, contrasts, tested, strict=True))
    return replace(blank, leaks=leaks, permutations=permutations)


def isolation_in_pool(pool: Pool, how: Isolation, seed: int) -> Floats:
    """Measure each person against all others of the pool, by the row of theirs that comes first in it."""
    first = np.unique(pool.persons, return_index=True)[1]
    return how.measure(pool.people.take(first), pool.bench.budget, stream(seed, "isolation in the pool"))


def order_exposed(people: Sequence[ExposedPerson], isolation: Floats) -> tuple[ExposedPerson, ...]:
    """List exposed people, the surest first; of those who are equally sure, the most isolated first."""
    return tuple(sorted(people, key=lambda person: (person.p, -isolation[person.row - 1], person.row)))


def _comparable(groups: Sequence[PeopleGroup], members: Bools) -> list[PeopleGroup]:
    """Keep the families that have enough isolated people on both sides, each with its others."""
    few: set[LeakFamily] = set()
    for group in groups:
        inside = int(members[group.who].sum())
        if min(inside, len(group.who) - inside) < FEWEST:
            few.add(group.family)
    return [group for group in groups if group.family not in few]
