"""The evidence on one release: everything from the mixed pool to the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seethrough.auditing.evidence.attribute.joint_answers import with_joint_answers
from seethrough.auditing.evidence.attribute.secret_figures import adjust_over_secrets, attribute_figures
from seethrough.auditing.evidence.battery import AttackAnswers, Attacking, Battery, attack_unheard, run_battery
from seethrough.auditing.evidence.comparability import DIFFERENT, population_p
from seethrough.auditing.evidence.grading import attack_evidence, findings
from seethrough.auditing.evidence.headlines import HEADLINES, name_headlines, turned_round
from seethrough.auditing.evidence.people.epsilon import epsilon_bound
from seethrough.auditing.evidence.people.exposed import RATE, exposed_people, people_at_risk
from seethrough.auditing.evidence.people.persons import by_person
from seethrough.auditing.evidence.pool import MOST_RATED, Pool, make_pool
from seethrough.auditing.evidence.recoding import recoded_columns, untestable_columns
from seethrough.auditing.evidence.significance import Significance, compare_groups
from seethrough.auditing.evidence.supervised.attack import supervised_answers
from seethrough.auditing.evidence.verdict import verdict
from seethrough.bench.isolation import Isolation
from seethrough.data.release import ONE_ROW_EACH, PeopleDesign
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.permutation import PERMUTATIONS
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.rating import Rating
from seethrough.results.attribute.figures import AttributeFigures
from seethrough.results.evidence import (
    AttackEvidence,
    EpsilonBound,
    Finding,
    Grade,
    GradeLimits,
    LeakFamily,
    PoolSizes,
    ReleaseEvidence,
)
from seethrough.seeds import stream

DIFFERENT_PEOPLE = (
    "members and people outside differ without any release, so what tells them apart on the release is no evidence "
    "of a leak; the holdout has to be drawn at random from the same people"
)


@dataclass(frozen=True)
class Arsenal:
    """The attacks of an audit; `is_supervised` adds the one that learns from labels.

    `isolation` says how it is measured who stands alone.
    """

    ratings: Sequence[Rating]
    attacks: Sequence[AttributeAttack]
    is_supervised: bool = False
    isolation: Isolation = Isolation()  # noqa: RUF009  a frozen value


@dataclass(frozen=True)
class EvidenceRules:
    """How answers are judged: grades, confidence, how many permutations, which seed.

    At most so many rows of members, and of people outside, are rated, or so many people as `targets` says. `figures`
    asks for what is shown beside the leak and decides nothing: studies of verdicts go without.
    """

    seed: int
    limits: GradeLimits = GradeLimits()  # noqa: RUF009  a frozen value
    confidence: float = 0.95
    permutations: int = PERMUTATIONS
    most_rated: int = MOST_RATED
    targets: int | None = None
    figures: bool = True


@dataclass(frozen=True, eq=False)
class Assessment:
    """The evidence, and the answers that it rests on; no pool where nothing could be tested.

    Answers are one for each person; `pool.member_people` says who of them is a member. Those of an attack that was told
    labels are not among them: they must not be permuted, which is what all further comparisons do.
    """

    evidence: ReleaseEvidence
    pool: Pool | None = None
    answers: tuple[AttackAnswers, ...] = ()


def assess(
    tables: tuple[Table, Table, Table],
    arsenal: Arsenal,
    rules: EvidenceRules,
    budget: Budget,
    attacking: Attacking = attack_unheard,
    design: PeopleDesign = ONE_ROW_EACH,
) -> Assessment:
    """Attack one release for members and people outside alike; `tables` are real, outside and released rows."""
    real, outside, release = tables
    people = stack_tables([real, outside])
    recoded = recoded_columns(people, release)
    kept = [column.name for column in real.schema.used if column.name not in recoded]
    if not kept:
        return Assessment(untestable(tuple(recoded.values())))
    try:
        # Drawn with all columns, so that it is the same people in the same order for every release.
        pool = make_pool(tables, rules.seed, budget, design, rules.most_rated, rules.targets).project(kept)
    except NotApplicable as reason:
        return Assessment(untestable((str(reason),)))
    return assess_pool(pool, arsenal, rules, untestable_columns(people, recoded), attacking, real_rows=len(real))


def assess_pool(  # noqa: PLR0913  what a caller may say about it
    pool: Pool,
    arsenal: Arsenal,
    rules: EvidenceRules,
    lacking: tuple[str, ...] = (),
    attacking: Attacking = attack_unheard,
    *,
    real_rows: int,
    different: float | None = None,
) -> Assessment:
    """Attack the people of a pool; `lacking` are reasons why columns cannot be compared.

    `different` is the p of the blind control, where it is known: it does not depend on the release.
    """
    different, battery = _attack(pool, arsenal, rules.seed, attacking, different)
    battery = by_person(with_joint_answers(battery, pool), pool)
    evidence = judge(pool, battery.without(lacking), different, rules, real_rows)
    if different < DIFFERENT:
        return Assessment(evidence)
    return Assessment(evidence, pool, tuple(answer for answer in battery.answers if answer.p_forward is None))


BLIND_CONTROL = 0.05
"""Its share of the time of all attacks, about."""


def _attack(
    pool: Pool, arsenal: Arsenal, seed: int, attacking: Attacking, different: float | None
) -> tuple[float, Battery]:
    """Run the blind control, unless its p is known, and all attacks beside it."""
    learner = supervised_answers if arsenal.is_supervised else None

    def compare() -> float:
        with attacking("members against people outside", BLIND_CONTROL):
            return population_p(pool, seed)

    def attack() -> Battery:
        return run_battery(pool, arsenal.ratings, arsenal.attacks, seed, attacking, learner)

    return pool.bench.budget.both(compare, attack) if different is None else (different, attack())


def judge(pool: Pool, battery: Battery, different: float, rules: EvidenceRules, real_rows: int) -> ReleaseEvidence:
    """Test, grade and list people; nothing is graded where the two groups differ without any release."""
    members = pool.member_people
    significance, figures = _test(pool, battery, different, rules)
    attacks = attack_evidence(battery.answers, members, significance, rules.confidence)
    sizes = PoolSizes(int(members.sum()), int((~members).sum()), pool.reference_people)
    if different < DIFFERENT:
        withheld = tuple(replace(attack, p=None, p_adjusted=None) for attack in attacks)
        untested, why = untestable((DIFFERENT_PEOPLE,)), (DIFFERENT_PEOPLE,)
        untested = replace(untested, permutations=rules.permutations, failed=battery.failed)
        return replace(untested, attacks=withheld, population_p=different, warnings=why, sizes=sizes)
    found = name_headlines(findings(battery, attacks, rules.limits), attacks)
    told = [finding for finding in found if finding.attack is not None]
    at_risk = [people_at_risk(finding, _headline(finding, attacks, battery), pool, real_rows) for finding in told]
    return ReleaseEvidence(
        verdict=verdict(found),
        findings=found,
        attacks=attacks,
        people=exposed_people(at_risk, pool),
        at_risk=tuple(at_risk),
        false_discovery_rate=RATE,
        permutations=rules.permutations,
        sizes=sizes,
        failed=battery.failed,
        limits=rules.limits,
        population_p=different,
        warnings=turned_round(battery.answers, significance),
        is_designed=pool.is_designed,
        epsilon=_epsilon(pool, battery, rules),
        secrets=adjust_over_secrets(figures, battery, significance),
    )


def _test(
    pool: Pool, battery: Battery, different: float, rules: EvidenceRules
) -> tuple[Significance, AttributeFigures | None]:
    """Test all attacks by permutations, and beside that state what is shown with them, where it is."""
    budget, rng = pool.bench.budget, stream(rules.seed, "label permutations")

    def compare() -> Significance:
        return compare_groups(battery.answers, pool.member_people, rng, rules.permutations, budget.device)

    def state() -> AttributeFigures | None:
        is_shown = rules.figures and different >= DIFFERENT
        return attribute_figures(pool, battery, rules.seed, rules.confidence) if is_shown else None

    return budget.both(compare, state)


def _epsilon(pool: Pool, battery: Battery, rules: EvidenceRules) -> EpsilonBound | None:
    """Bound epsilon by the rating that is named in advance, where coins decided who was in the data."""
    named = [answer for answer in battery.answers if answer.name == HEADLINES[LeakFamily.MEMBERSHIP]]
    if not named:
        return None
    return epsilon_bound(named[0], pool, stream(rules.seed, "ties of the audit set"), rules.confidence)


def _headline(finding: Finding, attacks: Sequence[AttackEvidence], battery: Battery) -> AttackAnswers:
    """Pick the attack that single people are rated by: the one named in advance, else the one that shows most."""
    labels = [attack.label for attack in attacks]
    return battery.answers[labels.index(finding.headline or str(finding.attack))]


def untestable(reasons: tuple[str, ...]) -> ReleaseEvidence:
    """Say that nothing could be told, and why."""
    blank = tuple(Finding(family, Grade.CANNOT_TELL, cannot_tell=reasons) for family in LeakFamily)
    return ReleaseEvidence(verdict(blank), blank)


NO_OUTSIDERS = (
    "no people outside were given (--holdout), so members cannot be compared with anybody; "
    "`seethrough split` sets people aside before a release is made"
)


def without_outsiders() -> ReleaseEvidence:
    """Say what is missing where no people outside were given."""
    return untestable((NO_OUTSIDERS,))
