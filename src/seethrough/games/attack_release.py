"""An attack on a release that is at hand, as an adversary runs it; the truth, if given, is compared afterwards."""

from dataclasses import dataclass

import numpy as np

from seethrough.data.reading.attack_tables import AttackInput
from seethrough.data.table import Array
from seethrough.errors import DataError
from seethrough.games.population import MANY_LEVELS, secret_levels
from seethrough.games.scoring import class_auc
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.intervals import wilson
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses
from seethrough.protocols.parameters import stream_name
from seethrough.results.estimate import Estimate
from seethrough.results.game import PersonGuess, TruthComparison
from seethrough.results.outcome import Value
from seethrough.seeds import stream


@dataclass(frozen=True, eq=False)
class AttackResult:
    """A guess for each person, how the attack went, and how right it was where the truth is known."""

    guesses: tuple[PersonGuess, ...]
    details: dict[str, Value]
    truth: TruthComparison | None
    notes: tuple[str, ...]


def attack_release(given: AttackInput, attack: AttributeAttack, seed: int, budget: Budget) -> AttackResult:
    """Show an attack what the adversary has; compare its guesses with the truth it was not shown."""
    first, classes = given.released[0], range(1, len(given.levels) + 1)
    levels = secret_levels(first.table.schema, given.secret, first.name)
    people = given.people.table
    view = AttributeView(people, given.tables, given.secret, tuple(classes), np.arange(len(people)), budget)
    rng = stream(seed, stream_name(attack))
    answer = attack.guess(view, rng)
    best = answer.best(rng)
    guesses = tuple(
        PersonGuess(row, levels[guess] if guess >= 0 else "", float(scores.max()), float(certainty))
        for row, (guess, scores, certainty) in enumerate(zip(best, answer.scores, answer.certainty, strict=True), 1)
    )
    truth = None if given.truth is None else _verified(given.truth, best, answer)
    return AttackResult(guesses, dict(answer.details), truth, (*given.notes, *_remarks(given, levels)))


def _remarks(given: AttackInput, levels: tuple[str, ...]) -> tuple[str, ...]:
    found = []
    if len(levels) > MANY_LEVELS:
        found.append(f"{given.secret!r} has {len(levels)} values: chance is {1 / len(levels):.4f}")
    for each in given.released[1:]:
        if (each.table.column(given.secret).astype(np.int64) > len(levels)).any():
            first = given.released[0].name
            found.append(f"{each.name} has values of {given.secret!r} that {first} has not; they are never guessed")
    return tuple(found)


def _verified(truth: Array, best: np.ndarray[tuple[int, ...], np.dtype[np.int64]], answer: Guesses) -> TruthComparison:
    """Compare with the truth of those who have one; a value that the release does not have cannot be guessed."""
    codes = truth.astype(np.int64)
    there = np.flatnonzero(codes > 0)
    if not len(there):
        raise DataError("the truth has no value at all")
    hits = (best + 1 == codes)[there]
    share = float(hits.mean())
    low, high = wilson(float(hits.sum()), len(there), 0.95)
    rateable = there[codes[there] <= answer.scores.shape[1]]
    auc = class_auc(codes[rateable] - 1, answer.scores[rateable]) if len(rateable) else None
    majority = float(np.bincount(codes[there]).max() / len(there))
    return TruthComparison(Estimate(share, min(low, share), max(high, share)), majority, auc, len(there))
