"""Single people: who is rated as no person outside is.

The conformal p of a member is the share of people outside rated at least as high, the member counted with them. The
list of Benjamini and Hochberg at 10 % has at most one in ten people by chance. It may be empty: with h people outside
no p is below 1 / (h + 1), so that a list of k among n members needs h >= 10 n / k - 1.
"""

import numpy as np

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.pool import Pool
from seethrough.bench.pool import Neighbours, Seen
from seethrough.kernels.statistics.operating_points import conformal_p, false_discoveries
from seethrough.results.evidence import ExposedPerson, Finding, PeopleAtRisk

RATE = 0.10


def people_at_risk(finding: Finding, answer: AttackAnswers, pool: Pool, real_rows: int) -> PeopleAtRisk:
    """Rate members against people outside by one attack; nobody is listed where the family shows no leak."""
    scores = answer.scores if answer.exposure is None else answer.exposure
    mine = np.flatnonzero(answer.asked & pool.members)
    p = conformal_p(scores[mine], scores[answer.asked & ~pool.members])
    whole, listed = np.full(real_rows, np.nan), np.zeros(real_rows, bool)
    whole[pool.rows[mine]] = p
    if finding.grade.is_leak:
        listed[pool.rows[mine]] = false_discoveries(p, RATE)
    return PeopleAtRisk(finding.family, answer.name, whole, listed)


def exposed_people(at_risk: list[PeopleAtRisk], pool: Pool) -> tuple[ExposedPerson, ...]:
    """List people of all families, the surest first, each with the released row nearest to it."""
    if not any(each.listed.any() for each in at_risk):
        return ()
    place = {int(row): number for number, row in enumerate(pool.rows) if pool.members[number]}
    nearest = pool.bench.get(Neighbours(Seen.RELEASE)).nearest
    found = [
        ExposedPerson(int(row) + 1, each.family, each.attack, float(each.p[row]), int(nearest[place[int(row)]]) + 1)
        for each in at_risk
        for row in np.flatnonzero(each.listed)
    ]
    return tuple(sorted(found, key=lambda person: (person.p, person.row)))
