"""The risks of all real people by every check, who is flagged by which, and who is exposed most."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.results.card import Card, Evidence
from seethrough.results.outcome import Measured
from seethrough.results.report import TableAudit


@dataclass(frozen=True, eq=False)
class RiskTable:
    """Risks by check (NaN: not known), for checks that have one for each person, in the order of the report.

    `attacked` are the rows of people who were drawn; None is everybody.
    """

    table: TableAudit
    people: int
    cards: Mapping[str, Card]
    risks: Mapping[str, Floats]
    attacked: Ints | None = None

    @staticmethod
    def of(table: TableAudit, people: int, attacked: Ints | None = None) -> "RiskTable":
        """Collect the risks of one released table."""
        measured = [each for each in table if isinstance(each, Measured) and each.measurement.per_record is not None]
        risks = {each.check: np.asarray(each.measurement.per_record) for each in measured}
        return RiskTable(table, people, {each.check: each.card for each in measured}, risks, attacked)

    @cached_property
    def was_attacked(self) -> Bools:
        """Tell who was attacked."""
        found = np.full(self.people, self.attacked is None)
        found[[] if self.attacked is None else self.attacked] = True
        return found

    @cached_property
    def flagged(self) -> Mapping[str, Bools]:
        """Tell who is flagged by each check that flags people at all."""
        limits = {name: card.flagged_from for name, card in self.cards.items()}
        return {name: self.risks[name] >= limit for name, limit in limits.items() if limit is not None}

    @cached_property
    def flags(self) -> Ints:
        """Count the checks that flag each person."""
        found = np.zeros(self.people, np.int64)
        for flagged in self.flagged.values():
            found += flagged
        return found

    @property
    def attacks(self) -> tuple[str, ...]:
        """Name the checks that attack and flag people."""
        return tuple(name for name in self.flagged if self.cards[name].evidence is Evidence.ATTACK)

    @cached_property
    def by_attacks(self) -> Bools:
        """Tell who is flagged by an attack."""
        found = np.zeros(self.people, bool)
        for name in self.attacks:
            found |= self.flagged[name]
        return found

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """Order people who were attacked: the list of exposed people first, then by flags of attacks, risk, flags."""
        listed = np.full(self.people, np.inf)
        for place, person in enumerate(self.table.evidence.people if self.table.evidence else ()):
            listed[person.row - 1] = min(listed[person.row - 1], place)
        attacks = [self.risks[name] for name in self.risks if self.cards[name].evidence is Evidence.ATTACK]
        known = np.nan_to_num(np.stack(attacks)) if attacks else np.zeros((1, self.people))
        by_attack = np.sum([self.flagged[name] for name in self.attacks], axis=0) if self.attacks else self.flags
        order = np.lexsort((np.arange(self.people), -self.flags, -known.mean(axis=0), -by_attack, listed))
        return tuple(order[self.was_attacked[order]].tolist())
