"""All checks on one synthetic table, and what is shown of the searches that they made."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from seethrough.auditing.audit_work import AuditWork
from seethrough.auditing.controls import Trials
from seethrough.auditing.diagnostics.collection import show_distances
from seethrough.auditing.diagnostics.people_map import PlacedPeople, place_people
from seethrough.auditing.measuring import measure_outcome
from seethrough.protocols.check import Check
from seethrough.results.card import Card, Evidence
from seethrough.results.diagnostics import Distances
from seethrough.results.outcome import Outcome


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """What became of every check on a synthetic table, in their order; distances and a map where checks made them."""

    outcomes: tuple[Outcome, ...]
    distances: Distances | None
    places: PlacedPeople | None


def measure_table(work: AuditWork, trial: Trials, *, slow_last: bool = False) -> MeasuredTable:
    """Measure the checks, then draw what they searched for; without such a check no search is made for a picture.

    Where more threads come later, checks that are slow, which use them best, come last.
    """
    line = sorted(
        enumerate(work.checks), key=lambda each: _slow_last(each[1]) if slow_last else _attacks_first(each[1])
    )
    outcomes = _outcomes(work, trial, line)
    outside = trial.independent if work.release.holdout is not None else None
    with work.watch.step("exhibits", trial.synthetic):
        places = place_people(trial.described, outside) if work.arsenal is not None else None
        return MeasuredTable(outcomes, show_distances(trial.release, trial.independent), places)


def _attacks_first(check: Check) -> tuple[bool, bool]:
    """Put checks that attack first, because the report opens with them, and slow ones before others."""
    return not _is_attack(check.card), not check.card.slow


def _slow_last(check: Check) -> tuple[bool, bool]:
    return check.card.slow, not _is_attack(check.card)


def _outcomes(work: AuditWork, trial: Trials, line: Iterable[tuple[int, Check]]) -> tuple[Outcome, ...]:
    """Measure the checks in line; gives them in the order in which they were asked for."""
    found: dict[int, Outcome] = {}
    hearing = _HeldBack(work, trial.synthetic, sum(_is_attack(check.card) for check in work.checks))

    def measure(place: int, check: Check) -> None:
        with work.steps.step(check.card.name):
            outcome = measure_outcome(check, trial, work.seed, work.watch)
            if work.people is not None:
                outcome = work.people.spread(outcome, len(work.release.train.table))
            found[place] = outcome
        hearing.take(outcome)

    work.budget.silent.run([partial(measure, *each) for each in line])
    return tuple(found[place] for place in range(len(work.checks)))


def _is_attack(card: Card) -> bool:
    return card.evidence is Evidence.ATTACK


@dataclass(eq=False)
class _HeldBack:
    """Tells outcomes as they come, but none before those of all checks that attack."""

    work: AuditWork
    synthetic: str
    attacks: int
    waiting: list[Outcome] = field(default_factory=list)

    def take(self, outcome: Outcome) -> None:
        """Tell an outcome, or keep it until the attacks are told."""
        with self.work.steps.lock:  # one thread tells at a time
            if _is_attack(outcome.card):
                self.attacks -= 1
                self.work.told(self.synthetic, outcome)
            else:
                self.waiting.append(outcome)
            while self.waiting and not self.attacks:
                self.work.told(self.synthetic, self.waiting.pop(0))
