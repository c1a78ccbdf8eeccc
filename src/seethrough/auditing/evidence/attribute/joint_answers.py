"""Answers that rest on several attacks or on none: whole rows of secrets, and secrets looked up by all keys.

Both are linear statistics that do not know who is a member, so they enter the test of all attacks like any other
answer, and the verdict with them.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from seethrough.auditing.evidence.attribute.copying import SetFound, whole_key_sets
from seethrough.auditing.evidence.battery import AttackAnswers, Battery
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.secrets import FEWEST_ASKED, SecretQuestion
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools
from seethrough.results.evidence import LeakFamily

LOOKUP = "key-lookup"


def with_joint_answers(battery: Battery, pool: Pool) -> Battery:
    """Add whole rows, where several secrets were named, and look-ups of named secrets by all keys.

    An audit that guesses no secrets looks none up.
    """
    guessed = {answer.secret for answer in battery.answers}
    named = [each for each in battery.questions if each.secret in guessed and not each.is_one_of_many]
    if not named:
        return battery
    whole = tuple(_whole_rows(battery.answers, pool))
    try:
        found = (*battery.answers, *whole, *_lookups(pool, named))
    except NotApplicable as reason:
        missing = (*battery.missing, (LeakFamily.ATTRIBUTE, f"{LOOKUP}: {reason}"))
        return replace(battery, answers=(*battery.answers, *whole), missing=missing)
    return replace(battery, answers=found)


def _whole_rows(answers: Sequence[AttackAnswers], pool: Pool) -> Iterator[AttackAnswers]:
    """Multiply the successes of one attack on all secrets: all of them right at once."""
    by_attack: dict[str, list[AttackAnswers]] = {}
    for answer in answers:
        if answer.secret is not None:
            by_attack.setdefault(answer.name, []).append(answer)
    for name, mine in by_attack.items():
        asked = np.logical_and.reduce([answer.asked for answer in mine])
        if len(mine) < 2 or not _are_enough(pool, asked):
            continue
        yield AttackAnswers(
            name,
            (LeakFamily.ATTRIBUTE,),
            np.where(asked, np.prod([answer.scores for answer in mine], axis=0), 0.0),
            is_share=True,
            measure=f"have all {len(mine)} secrets guessed right",
            asked=asked,
            seconds=0.0,
            secret=f"all {len(mine)} secrets",
            secrets_at_once=len(mine),
        )


def _lookups(pool: Pool, questions: Sequence[SecretQuestion]) -> Iterator[AttackAnswers]:
    """Look secrets up by all keys; where people have several rows, nobody's rows are alone in a way that tells."""
    if not pool.has_one_row_each:
        return
    for question in questions:
        begun = time.perf_counter()
        for each in whole_key_sets(pool, question):
            if _are_enough(pool, each.found.alone):
                yield _lookup(each, time.perf_counter() - begun)
            begun = time.perf_counter()


def _lookup(each: SetFound, seconds: float) -> AttackAnswers:
    secret, grain = each.question.secret, each.chosen.grain
    return AttackAnswers(
        LOOKUP if grain is None else f"{LOOKUP}-{grain}",
        (LeakFamily.ATTRIBUTE,),
        each.found.right.astype(np.float64),
        is_share=True,
        measure=f"who are alone with their keys have their {secret!r} given by released rows",
        asked=each.found.alone,
        seconds=seconds,
        secret=secret,
    )


def _are_enough(pool: Pool, asked: Bools) -> bool:
    return min(pool.count_people(asked & kind) for kind in (pool.members, ~pool.members)) >= FEWEST_ASKED
