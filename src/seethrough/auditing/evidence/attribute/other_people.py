"""Without people outside: an attack on the release beside the same attack on rows of other real people.

Real people, at most so many, are dealt into five folds by content and seed. The people of a fold are attacked from the
rows of the other four (keys and secret) as if these were the release; an attack that solves for a table has each of
them joined to the table of the other four. A forest that learnt from the other folds is the second baseline, and the
larger of the two counts:

    difference = mean of hit - hit' over the same people,   se = 1.3 sd / sqrt(people)

The factor 1.3 is there because a release is one draw, which the spread over people does not show; no p is given. It
says what the release gives beyond other real people. It is not a leak, and cannot say that there is none.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from seethrough.auditing.evidence.attribute.models import FOLDS, model_guesses
from seethrough.auditing.evidence.pool import Pool, without_members_scale
from seethrough.auditing.evidence.secrets import SecretQuestion, keys_for, question_about
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.intervals import normal_quantile
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.parameters import stream_name
from seethrough.results.attribute.figures import AttributeFigures, OtherPeopleComparison
from seethrough.results.estimate import Estimate
from seethrough.seeds import stream

MOST_COMPARED, FEWEST_COMPARED = 1_000, 50
WIDENED = 1.3
SAME_ATTACK, FOREST = "the same attack on rows of other real people", "a forest that learnt from other real people"


def against_other_people(
    real: Table, release: Table, attacks: Sequence[AttributeAttack], seed: int, budget: Budget, confidence: float = 0.95
) -> AttributeFigures | None:
    """Compare every attack on every named secret; None where no secret was named or people are too few."""
    drawn = by_content(real)[stream(seed, "other people").permutation(len(real))[:MOST_COMPARED]]
    if not real.schema.secrets or len(drawn) < FEWEST_COMPARED:
        return None
    people, released = without_members_scale([real.take(drawn), release])
    found = []
    for secret in real.schema.secrets:
        try:
            found += _compare(attacks, secret, _pool(people, released, budget), seed, confidence)
        except NotApplicable:  # a secret that nobody can be asked for has nothing to be compared
            continue
    few = len(drawn) < len(real)
    notes = (f"a sample of {len(drawn):,} of {len(real):,} real people was compared with other real people",)
    return AttributeFigures(against_other_people=tuple(found), notes=notes if few else ()) if found else None


def _pool(people: Table, released: Table, budget: Budget, inside: Bools | None = None) -> Pool:
    """Let attacks see real people, some of them as the members of a table, and what stands for the release."""
    shown = {Seen.PEOPLE: people, Seen.RELEASE: released, Seen.REFERENCE: people.take(slice(0, 0))}
    rows = np.arange(len(people))
    return Pool(Bench(shown, budget), np.ones(len(people), bool) if inside is None else inside, rows, rows, 0)


def _compare(
    attacks: Sequence[AttributeAttack], secret: str, pool: Pool, seed: int, confidence: float
) -> list[OtherPeopleComparison]:
    """Compare every attack that applies; the forest is the same for all."""
    question = question_about(pool, secret, keys_for(pool.people.schema, secret), pool.members)
    [forest] = model_guesses(pool, question, len(question.asked), seed, ("forest",))
    found = []
    for attack in attacks:
        try:
            hits = question.ask(attack, pool, stream(seed, f"{stream_name(attack)} {secret}")).hits[question.asked]
            others = _from_others(attack, question, pool, seed)[question.asked]
        except NotApplicable:  # an attack that does not apply here has nothing to be compared
            continue
        found.append(_compared(attack, secret, hits, {SAME_ATTACK: others, FOREST: forest.hits}, confidence))
    return found


def _compared(
    attack: AttributeAttack, secret: str, hits: Floats, baselines: dict[str, Floats], confidence: float
) -> OtherPeopleComparison:
    name, others = max(baselines.items(), key=lambda each: float(each[1].mean()))
    gained = hits - others
    half = normal_quantile(confidence) * WIDENED * float(gained.std(ddof=1)) / sqrt(len(gained))
    value = float(gained.mean())
    return OtherPeopleComparison(
        attack=attack.name,
        secret=secret,
        success=float(hits.mean()),
        others=float(others.mean()),
        baseline=name,
        difference=Estimate(value, value - half, value + half, confidence),
        people=len(gained),
    )


def _from_others(attack: AttributeAttack, question: SecretQuestion, pool: Pool, seed: int) -> Floats:
    """Attack the people of each fold from the rows of the other four; people come in an order that says nothing."""
    hits = np.zeros(len(question.asked))
    fold = np.arange(len(hits)) % FOLDS
    for part in range(FOLDS):
        others = pool.people.take(np.flatnonzero(fold != part))
        seen = _pool(pool.people, others, pool.bench.budget, fold != part)
        asked = question_about(seen, question.secret, question.known, question.asked)
        mine = (fold == part) & asked.asked
        rng = stream(seed, f"{stream_name(attack)} {question.secret} fold {part}")
        hits[mine] = asked.ask(attack, seen, rng).hits[mine]
    return hits
