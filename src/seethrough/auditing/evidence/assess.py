"""The evidence on one release: everything from the mixed pool to the verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from seethrough.auditing.evidence.battery import Answers, Battery, run_battery
from seethrough.auditing.evidence.comparability import DIFFERENT, population_p
from seethrough.auditing.evidence.exposed import RATE, PeopleAtRisk, exposed_people, people_at_risk
from seethrough.auditing.evidence.grading import attack_evidence, findings
from seethrough.auditing.evidence.pool import Pool, make_pool
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.auditing.evidence.verdict import verdict
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.permutation import PERMUTATIONS
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.rating import Rating
from seethrough.results.evidence import (
    AttackEvidence,
    Family,
    Finding,
    Grade,
    GradeLimits,
    ReleaseEvidence,
)
from seethrough.seeds import stream

DIFFERENT_PEOPLE = (
    "members and people outside differ without any release (p = {p:.2g}), so that what tells them apart on the release "
    "is no evidence of a leak"
)


@dataclass(frozen=True)
class Arsenal:
    """The attacks of an audit."""

    ratings: Sequence[Rating]
    attacks: Sequence[AttributeAttack]


@dataclass(frozen=True)
class EvidenceRules:
    """How answers are judged: grades, confidence, how many permutations, which seed."""

    seed: int
    limits: GradeLimits = GradeLimits()  # noqa: RUF009  a frozen value
    confidence: float = 0.95
    permutations: int = PERMUTATIONS


@dataclass(frozen=True, eq=False)
class Assessment:
    """The evidence, and what it rests on person by person: all answers, who is at risk in each family."""

    evidence: ReleaseEvidence
    pool: Pool | None = None
    answers: tuple[Answers, ...] = ()
    at_risk: tuple[PeopleAtRisk, ...] = ()


def assess(
    tables: tuple[Table, Table, Table],
    arsenal: Arsenal,
    rules: EvidenceRules,
    budget: Budget,
    progress: Callable[[str], None] = lambda _: None,
) -> Assessment:
    """Attack one release for members and people outside alike; `tables` are real, outside and released rows."""
    real, outside, release = tables
    pool = make_pool(real, outside, release, rules.seed, budget)
    progress("comparing members with people outside")
    different = population_p(pool, stream(rules.seed, "comparability"))
    battery = run_battery(pool, arsenal.ratings, arsenal.attacks, rules.seed, progress)
    return judge(pool, battery, different, rules, len(real))


def judge(pool: Pool, battery: Battery, different: float, rules: EvidenceRules, real_rows: int) -> Assessment:
    """Test, grade and list people; nothing is graded where the two groups differ without any release."""
    rng = stream(rules.seed, "label permutations")
    significance = compare_groups(battery.answers, pool.members, rng, rules.permutations)
    attacks = attack_evidence(battery.answers, pool.members, significance, rules.confidence)
    found = findings(battery, attacks, rules.limits)
    if different < DIFFERENT:
        return _withheld(pool, different, attacks)
    at_risk = [
        people_at_risk(finding.family, _leading(finding, attacks, battery), pool, real_rows)
        for finding in found
        if finding.grade.is_leak
    ]
    evidence = ReleaseEvidence(
        verdict=verdict(found),
        findings=found,
        attacks=attacks,
        people=exposed_people(at_risk, pool),
        false_discovery_rate=RATE,
        permutations=rules.permutations,
        n_members=int(pool.members.sum()),
        n_outsiders=int((~pool.members).sum()),
        n_reference=len(pool.reference),
        limits=rules.limits,
        population_p=different,
    )
    return Assessment(evidence, pool, battery.answers, tuple(at_risk))


def _leading(finding: Finding, attacks: Sequence[AttackEvidence], battery: Battery) -> Answers:
    labels = [attack.label for attack in attacks]
    return battery.answers[labels.index(str(finding.attack))]


def _withheld(pool: Pool, different: float, attacks: Sequence[AttackEvidence]) -> Assessment:
    """Grade nothing where members and people outside are told apart without the release."""
    reason = DIFFERENT_PEOPLE.format(p=different)
    blank = tuple(Finding(family, Grade.CANNOT_TELL, cannot_tell=(reason,)) for family in Family)
    withheld = tuple(replace(attack, p=float("nan"), p_adjusted=float("nan")) for attack in attacks)
    return Assessment(
        ReleaseEvidence(
            verdict(blank),
            blank,
            withheld,
            population_p=different,
            warnings=(reason,),
            n_members=int(pool.members.sum()),
            n_outsiders=int((~pool.members).sum()),
        ),
        pool,
    )
