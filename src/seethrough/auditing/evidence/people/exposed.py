"""Single people: who is rated as no person outside is.

The conformal p of a member is the share of people outside rated at least as high, the member counted with them. The
list of Benjamini and Hochberg at 10 % has at most one in ten people by chance. It may be empty: with h people outside
no p is below 1 / (h + 1), so that a list of k among n members needs h >= 10 n / k - 1.
"""

import numpy as np

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.pool import Pool
from seethrough.bench.pool import Neighbours, Seen
from seethrough.kernels.arrays import Ints
from seethrough.kernels.statistics.operating_points import conformal_p, false_discoveries
from seethrough.results.evidence import ExposedPerson, Finding, PeopleAtRisk

RATE = 0.10


def people_at_risk(finding: Finding, answer: AttackAnswers, pool: Pool, real_rows: int) -> PeopleAtRisk:
    """Rate members against people outside by one attack; nobody is listed where the family shows no leak.

    All rows of a person have the person's p.
    """
    scores = answer.scores if answer.exposure is None else answer.exposure
    mine = answer.asked & pool.member_people
    p, is_listed = np.full(pool.size, np.nan), np.zeros(pool.size, bool)
    p[mine] = conformal_p(scores[mine], scores[answer.asked & ~pool.member_people])
    if finding.grade.is_leak:
        is_listed[mine] = false_discoveries(p[mine], RATE)
    whole, listed = np.full(real_rows, np.nan), np.zeros(real_rows, bool)
    rows, who = pool.rows[pool.members], pool.persons[pool.members]
    whole[rows], listed[rows] = p[who], is_listed[who]
    return PeopleAtRisk(finding.family, answer.label, whole, listed)


def exposed_people(at_risk: list[PeopleAtRisk], pool: Pool) -> tuple[ExposedPerson, ...]:
    """List people of all families, the surest first, each with the released row nearest to one of theirs."""
    if not any(each.listed.any() for each in at_risk):
        return ()
    nearest = pool.bench.get(Neighbours(Seen.RELEASE)).nearest
    closest = _closest_rows(pool)
    found = [
        ExposedPerson(int(pool.rows[place]) + 1, each.family, each.attack, float(p), int(nearest[place]) + 1)
        for each in at_risk
        for place in closest
        if each.listed[pool.rows[place]]
        for p in (each.p[pool.rows[place]],)
    ]
    return tuple(sorted(found, key=lambda person: (person.p, person.row)))


def _closest_rows(pool: Pool) -> Ints:
    """Find for each member the row that lies nearest to the release, the first in the real table of several."""
    mine = np.flatnonzero(pool.members)
    distances = pool.bench.get(Neighbours(Seen.RELEASE)).distances[mine, 0]
    order = np.lexsort((pool.rows[mine], distances, pool.persons[mine]))
    _, first = np.unique(pool.persons[mine][order], return_index=True)
    return np.asarray(mine[order][first])
