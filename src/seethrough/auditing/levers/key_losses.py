"""Which keys carry an attribute leak: how much the attack loses when a key is hidden from it.

The attack that shows most on a secret, of those that are quick, is run again with every key hidden in turn, on the same
people with the same seed. What it loses is its leak before minus its leak after; intervals are paired and hold for all
keys at once. A key that another one can stand in for shows no loss, however much it tells by itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seethrough.auditing.checks.targets import average_over_twins
from seethrough.auditing.evidence.assess import Arsenal, Assessment, EvidenceRules
from seethrough.auditing.evidence.attribute.copying import SetFound, key_sets_without
from seethrough.auditing.evidence.attribute.joint_answers import LOOKUP
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.people.persons import mean_of
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.secrets import SecretQuestion, keys_for, question_about
from seethrough.auditing.levers.leaks import StatedLeak, changes, leak_of_all
from seethrough.data.rows import row_numbers
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.statistics.influence import smallest_error, success_influence
from seethrough.protocols.attack import AttributeAttack, HidingAttack
from seethrough.protocols.parameters import stream_name
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.levers.less import KeyLoss
from seethrough.seeds import stream

MOST_KEYS = 40
"""Keys that are hidden in turn; of more, the first so many."""


def key_losses(found: Assessment, arsenal: Arsenal, rules: EvidenceRules) -> tuple[KeyLoss, ...]:
    """Hide every key of the secret that is guessed best; the largest loss comes first.

    Nothing where no secret was guessed, or there is one key only.
    """
    led = _leading(found, arsenal)
    if found.pool is None or led is None:
        return ()
    asked = _AskedAgain(found.pool, *led, rules)
    keys = asked.hidden
    leaks = zip(keys, asked.leaks_without(), strict=True) if len(keys) > 1 else ()
    without = [(key, leak) for key, leak in leaks if leak is not None]
    estimates = changes([(leak, asked.whole) for _, leak in without], rules.seed, rules.confidence, "keys hidden")
    losses = [
        KeyLoss(str(led[0].secret), led[0].label, key, asked.whole.leak.value, leak.leak.value, loss)
        for (key, leak), loss in zip(without, estimates, strict=True)
    ]
    return tuple(sorted(losses, key=lambda each: (-each.loss.value, each.key)))


def _leading(found: Assessment, arsenal: Arsenal) -> tuple[AttackAnswers, AttributeAttack | None] | None:
    """Pick the answers on one secret that show the largest leak, by a look-up or by an attack that is quick."""
    quick = {each.name: each for each in arsenal.attacks if getattr(each, "is_quick", False)}
    leaks = {each.label: each.lower for each in found.evidence.attacks}
    mine = [
        answer
        for answer in found.answers
        if answer.secret and answer.secrets_at_once == 1 and (answer.name in quick or answer.name.startswith(LOOKUP))
    ]
    best = max(mine, key=lambda answer: leaks[answer.label], default=None)
    return None if best is None else (best, quick.get(best.name))


@dataclass(frozen=True, eq=False)
class _AskedAgain:
    """One attack on one secret, asked again with less known."""

    pool: Pool
    answer: AttackAnswers
    attack: AttributeAttack | None
    rules: EvidenceRules

    @cached_property
    def known(self) -> tuple[str, ...]:
        return keys_for(self.pool.people.schema, str(self.answer.secret))

    @property
    def hidden(self) -> tuple[str, ...]:
        """Name the keys that are hidden in turn."""
        return self.known[:MOST_KEYS]

    @cached_property
    def whole(self) -> StatedLeak:
        if self.attack is None:
            return self._looked_up[0]
        found = self._leak(self.known)
        assert found is not None, "the attack was run with all keys before"
        return found

    def leaks_without(self) -> Iterable[StatedLeak | None]:
        """Hide each key in turn, in one pass for all where the attack can do that; None where it cannot guess then."""
        if self.attack is None:
            return self._looked_up[1:]
        shared = self._shared_without(self.attack) if isinstance(self.attack, HidingAttack) else None
        if shared is not None:
            return shared
        return (self._leak(tuple(name for name in self.known if name != key)) for key in self.hidden)

    def _leak(self, known: tuple[str, ...]) -> StatedLeak | None:
        assert self.attack is not None
        try:
            question = self._question(known)
            found = question.ask(self.attack, self.pool, self._fresh())
        except NotApplicable:
            return None
        return self._stated(found.hits, question.asked)

    def _question(self, known: tuple[str, ...]) -> SecretQuestion:
        return question_about(self.pool, str(self.answer.secret), known, self.answer.asked[self.pool.persons])

    def _stated(self, rows: Floats, is_asked: Bools) -> StatedLeak:
        """State the leak of the success of rows, of which some were asked about; a person's is the mean of theirs."""
        hits = mean_of(rows[is_asked], self.pool.persons[is_asked], self.pool.size)
        asked, inside = self.pool.of_people(is_asked), self.pool.member_people
        influence = np.zeros(len(inside))
        influence[asked] = success_influence(hits[asked], inside[asked])
        leak = leak_of_all(hits[asked], inside[asked], influence[asked], self.rules.confidence)
        floor = smallest_error(int((asked & inside).sum()), int((asked & ~inside).sum()))
        return StatedLeak(LeakFamily.ATTRIBUTE, Grade.NO_LEAK_FOUND, self.answer.label, leak, 0.0, influence, floor)

    @cached_property
    def _looked_up(self) -> list[StatedLeak]:
        """Look the secret up by all keys, then with each hidden; a look-up speaks of all who show the secret."""
        everybody = np.ones(len(self.pool.members), bool)
        question = question_about(self.pool, str(self.answer.secret), self.known, everybody)
        sets = key_sets_without(self.pool, question, self.hidden)
        return [self._stated(self._at_grain(each), question.asked) for each in sets]

    def _at_grain(self, sets: Sequence[SetFound]) -> Floats:
        """Pick the grain of the answers; exactly, where no number is left among the keys."""
        right = {each.chosen.grain: each.found.right for each in sets}
        grain = self.answer.name.removeprefix(f"{LOOKUP}-")
        return right.get(int(grain) if grain.isdigit() else None, right[None]).astype(np.float64)

    def _shared_without(self, attack: HidingAttack) -> Iterator[StatedLeak] | None:
        """Ask the attack with each key hidden, for all of them at once."""
        question = self._question(self.known)
        people, view = question.view(self.pool)
        try:
            guesses = attack.guess_without(view, self.hidden, self._fresh)
        except NotApplicable:
            return None
        if guesses is None:
            return None
        rest = (row_numbers(view.known.project(name for name in self.known if name != key)) for key in self.hidden)
        return (
            self._stated(question.answers_of(average_over_twins(each, twins), people).hits, question.asked)
            for each, twins in zip(guesses, rest, strict=True)
        )

    def _fresh(self) -> np.random.Generator:
        """Begin the random numbers of the attack anew."""
        assert self.attack is not None
        return stream(self.rules.seed, f"{stream_name(self.attack)} {self.answer.secret}")
