"""Every attack on the pool: ratings of who was in the data, and guesses of secrets."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from seethrough.auditing.evidence.joint_question import JointQuestion, joint_question
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.secrets import SecretAnswers, SecretQuestion, questions
from seethrough.errors import ClusterError, NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.protocols.attack import AttributeAttack, JointAttack
from seethrough.protocols.parameters import stream_name
from seethrough.protocols.rating import Rating
from seethrough.results.evidence import LeakFamily
from seethrough.seeds import stream

SUPERVISED = "supervised"
"""The attack that is told who is a member."""
Attacking = Callable[[str, float], AbstractContextManager[None]]
"""Called with the name of an attack and its share of the time of all; what it gives is entered while it runs."""
PARTS = {SUPERVISED: 12.0, "long": 4.0, "quick": 0.5}
"""How attacks share the time, about, in tables of 5,000 to 25,000 people: a progress that counts each alike says for
most of the time that there is three times as much to come."""


def attack_unheard(_: str, __: float) -> AbstractContextManager[None]:
    """Tell nobody which attack runs."""
    return nullcontext()


@dataclass(frozen=True, eq=False)
class AttackAnswers:
    """What an attack answered for everybody: a rating each, or a success from 0 to 1; `asked` is who was asked about.

    `exposure` is what single people are listed by, where that is not `scores`: the probability given to the truth.
    `truth` (classes, -1 where not asked) and `ranking` (how sure the attack is of each, people x parts) come with
    guesses of a secret, where a row is a person. `secrets_at_once` counts the secrets that all have to be right. An
    attack that was told labels has a p of its own, `p_forward`, and its scores must not be permuted.
    `share_of` says what `exposure` is a share of, where its mean is told too.
    """

    name: str
    families: tuple[LeakFamily, ...]
    scores: Floats
    is_share: bool
    measure: str
    asked: Bools
    seconds: float
    secret: str | None = None
    exposure: Floats | None = None
    truth: Ints | None = None
    ranking: Floats | None = None
    secrets_at_once: int = 1
    share_of: str = ""
    notes: tuple[str, ...] = ()
    p_forward: float | None = None

    @property
    def label(self) -> str:
        """Name the attack, with the column that it is after."""
        return f"{self.name} ({self.secret})" if self.secret else self.name


@dataclass(frozen=True, eq=False)
class Battery:
    """All answers, why some attacks gave none, by family, and which columns all of them went without.

    `questions` are the secrets that were asked for.
    """

    answers: tuple[AttackAnswers, ...]
    questions: tuple[SecretQuestion, ...] = ()
    missing: tuple[tuple[LeakFamily, str], ...] = ()
    untestable: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    def without(self, reasons: tuple[str, ...]) -> "Battery":
        """Note what the attacks had to go without."""
        return replace(self, untestable=reasons)


def run_battery(
    pool: Pool,
    ratings: Sequence[Rating],
    attacks: Sequence[AttributeAttack],
    seed: int,
    attacking: Attacking = attack_unheard,
    learner: Callable[[Pool, int], AttackAnswers] | None = None,
) -> Battery:
    """Run ratings, then attribute attacks on each secret or on all together; an attack that does not apply says why.

    They run side by side on the threads of the pool's budget; answers have the order in which they stand here.
    `learner` is an attack that is told who is a member, and so sees the pool itself; it is called `supervised`.
    """
    missing: list[tuple[LeakFamily, str]] = []
    asked: list[SecretQuestion] = []
    jobs = [_Job(rating.name, rating.families, partial(_rated, rating, pool, seed)) for rating in ratings]
    try:
        asked = questions(pool, seed)
    except NotApplicable as reason:
        missing.append((LeakFamily.ATTRIBUTE, str(reason)))
    jobs += _guesses(asked, attacks, pool, seed)
    if learner is not None:
        jobs.append(_Job(SUPERVISED, (LeakFamily.MEMBERSHIP,), partial(_learnt, learner, pool, seed), is_long=True))
    longest_first = sorted(jobs, key=lambda job: not job.is_long)
    parts = sum(job.parts for job in jobs)
    pool.bench.budget.silent.run([partial(job.do, attacking, job.parts / parts) for job in longest_first])
    answers = [answer for job in jobs for answer in job.answers]
    missing += [lacking for job in jobs for lacking in job.missing]
    failed = [said for job in jobs for said in job.failed]
    return Battery(tuple(answers), tuple(asked), tuple(missing), failed=tuple(failed))


@dataclass(frozen=True, eq=False)
class _Job:
    """One attack on one question, or on all of them together; what it comes to is kept apart from the other jobs'.

    One that is long begins before the others, so that no thread is left alone with it at the end.
    """

    label: str
    families: tuple[LeakFamily, ...]
    work: Callable[[], Sequence[AttackAnswers]]
    is_long: bool = False
    answers: list[AttackAnswers] = field(default_factory=list)
    missing: list[tuple[LeakFamily, str]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def parts(self) -> float:
        """Give the time that it takes, in parts."""
        return PARTS.get(self.label, PARTS["long" if self.is_long else "quick"])

    def do(self, attacking: Attacking, share: float) -> None:
        """Attack; it takes about that share of the time of all attacks."""
        try:
            with attacking(self.label, share):
                self.answers.extend(self.work())
        except NotApplicable as reason:
            self.missing.extend((family, f"{self.label}: {reason}") for family in self.families)
        except ClusterError:
            raise
        except Exception as error:  # noqa: BLE001  a broken attack must not hide what the others find
            self.failed.append(f"{self.label}: {type(error).__name__}: {error}")


def _guesses(asked: Sequence[SecretQuestion], attacks: Sequence[AttributeAttack], pool: Pool, seed: int) -> list[_Job]:
    """Ask for one secret after the other; attacks that answer for several are asked for all of them at once."""
    families, joint = (LeakFamily.ATTRIBUTE,), joint_question(asked)
    together = [attack for attack in attacks if isinstance(attack, JointAttack)] if joint else []
    jobs = [
        _Job(
            f"{attack.name} ({question.secret})",
            families,
            partial(_guessed, attack, question, pool, seed),
            is_long=not is_quick(attack),
        )
        for question in asked
        for attack in (quick(attacks) if question.is_one_of_many else attacks)
        if attack not in together
    ]
    if joint:
        jobs += [
            _Job(attack.name, families, partial(_guessed_together, attack, joint, pool, seed), is_long=True)
            for attack in together
        ]
    return jobs


def quick(attacks: Sequence[AttributeAttack]) -> Sequence[AttributeAttack]:
    """Pick the attacks that are fast enough to be run on many columns in turn."""
    return [attack for attack in attacks if is_quick(attack)]


def is_quick(attack: AttributeAttack) -> bool:
    """Tell whether an attack says that it is fast."""
    return bool(getattr(attack, "is_quick", False))


def _learnt(learner: Callable[[Pool, int], AttackAnswers], pool: Pool, seed: int) -> Sequence[AttackAnswers]:
    return [learner(pool, seed)]


def _rated(rating: Rating, pool: Pool, seed: int) -> Sequence[AttackAnswers]:
    begun = time.perf_counter()
    scores = rating.rate(pool.bench, stream(seed, stream_name(rating)))
    if not np.isfinite(scores).all():
        raise ArithmeticError(
            f"rating {rating.name} is not a number for {np.count_nonzero(~np.isfinite(scores))} people"
        )
    everybody = np.ones(len(pool.members), bool)
    taken = time.perf_counter() - begun
    return [AttackAnswers(rating.name, rating.families, scores, rating.is_share, rating.measure, everybody, taken)]


def _guessed(attack: AttributeAttack, question: SecretQuestion, pool: Pool, seed: int) -> Sequence[AttackAnswers]:
    begun = time.perf_counter()
    found = question.ask(attack, pool, stream(seed, f"{stream_name(attack)} {question.secret}"))
    return [_as_answers(attack, question, found, time.perf_counter() - begun)]


def _guessed_together(attack: JointAttack, joint: JointQuestion, pool: Pool, seed: int) -> Sequence[AttackAnswers]:
    begun = time.perf_counter()
    found = joint.ask(attack, pool, stream(seed, stream_name(attack)))
    each = (time.perf_counter() - begun) / len(found)
    return [_as_answers(attack, part, one, each) for part, one in zip(joint.parts, found, strict=True)]


def _as_answers(
    attack: AttributeAttack | JointAttack, question: SecretQuestion, found: SecretAnswers, seconds: float
) -> AttackAnswers:
    return AttackAnswers(
        attack.name,
        (LeakFamily.ATTRIBUTE,),
        found.hits,
        is_share=True,
        measure=f"have their {question.secret!r} guessed right{question.grain if found.grain is None else found.grain}",
        asked=question.asked,
        seconds=seconds,
        secret=question.secret,
        exposure=found.given,
        truth=found.truth,
        ranking=found.ranking,
        share_of=getattr(attack, "share_of", ""),
        notes=question.notes,
    )
