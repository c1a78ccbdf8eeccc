"""Advice: what to do next, each line by a stated rule from a finding, with the command that measures it.

The rules are in docs/advice.md. Plain frozen values; sentences name columns and counts, never a value of a record.
`labels` are levels of a column and stay out of the JSON form unless the user asked for values.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from seethrough.results.estimate import Estimate


class AdviceRule(Enum):
    """The rules, in the order in which their lines are shown."""

    NO_OUTSIDERS = "no-outsiders"
    LEAST_LEAK = "least-leak"
    FEWER_FILES = "fewer-files"
    IDENTIFIERS = "identifiers"
    ROW_ORDER = "row-order"
    COPIED_ROWS = "copied-rows"
    ATTRIBUTE_KEYS = "attribute-keys"
    FEWER_ROWS = "fewer-rows"
    SMALL_GROUPS = "small-groups"
    EXPOSED_PEOPLE = "exposed-people"
    MEASURE_CHANGES = "measure-changes"
    MORE_OUTSIDERS = "more-outsiders"


@dataclass(frozen=True)
class Advice:
    """One line: the rule that it follows from, what to do, the command that measures it, and what else to know.

    `rows` are numbers of released rows, from 1 on; `columns` those concerned, `number` how many rows, files or people
    it takes.
    """

    rule: AdviceRule
    action: str
    command: str
    reason: str = ""
    rows: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    number: int | None = None

    def to_dict(self, *, shows_values: bool = False) -> dict[str, Any]:
        """Give the JSON form."""
        form = {
            "rule": self.rule.value,
            "action": self.action,
            "reason": self.reason,
            "command": self.command,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "number": self.number,
        }
        return {**form, "labels": list(self.labels)} if shows_values else form


@dataclass(frozen=True)
class RowsLeak:
    """The leak by one attack where so many released rows are left."""

    rows: int
    leak: Estimate
