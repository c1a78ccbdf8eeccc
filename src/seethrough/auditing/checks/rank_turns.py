"""Linkage by ranks as requests: what is known and what is hidden, who is looked for, and against which table."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from seethrough.auditing.checks.linked_rows import linkable_rows
from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.rows import aligned_rows, by_content
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.games.linkage.rank_intervals import LinkageAnswer
from seethrough.games.linkage.subject import (
    compare_with_truth,
    is_constant,
    linkage_subject,
    permute_columns,
    sample_holdout,
)
from seethrough.kernels.arrays import Ints
from seethrough.protocols.linkage import LinkageAttack, TurnLinkingAttack
from seethrough.seeds import stream

MOST_COLUMNS = 6
"""Columns that are hidden in turn where none is named."""

Against = Literal["release", "permuted", "holdout"]
Turn = tuple[tuple[str, ...], tuple[str, ...]]
"""The columns known and those hidden."""


@dataclass(frozen=True)
class RankLinkage:
    """Request: what linkage to one table says, for each turn of known and hidden columns."""

    attack: LinkageAttack
    turns: tuple[Turn, ...]
    most_records: int
    salt: int
    against: Against = "release"
    number: int = 0

    def to(self, against: Against, number: int = 0) -> "RankLinkage":
        """Ask the same of another table."""
        # Which rows of a table are drawn must not depend on its number, so that a release is linked to once.
        return replace(self, against=against, number=number if against == "holdout" else 0)

    def compute(self, bench: Bench[Part]) -> tuple[LinkageAnswer, ...]:
        """Bring the tables to one size, link, compare; one answer a turn."""
        real = bench.table(Part.TRAIN)
        places = targets(real, self.most_records, self.salt)
        people = [linkage_subject(real, known, hidden, places) for known, hidden in self.turns]
        released = self._released(bench, len(real))
        views = [who.view(released, bench.budget) for who in people]
        attack = self.attack
        linked = attack.link_in_turn(views) if isinstance(attack, TurnLinkingAttack) else map(attack.link, views)
        return tuple(map(compare_with_truth, linked, people))

    def _released(self, bench: Bench[Part], rows: int) -> Table:
        rng = stream(self.salt, f"{self.against} {self.number}")
        if self.against == "holdout":
            return sample_holdout(bench.table(Part.HOLDOUT), rows, self.number, rng)
        table = linkable_rows(bench.table(Part.SYNTHETIC), rows)
        aligned = table.take(aligned_rows(table, rows, stream(self.salt, "release")))
        return permute_columns(aligned, rng) if self.against == "permuted" else aligned


def comparison_tables(bench: Bench[Part]) -> tuple[Against, ...]:
    """Name the tables that disclose nobody: permuted columns, and the holdout where there is one."""
    try:
        bench.table(Part.HOLDOUT)
    except NotApplicable:
        return ("permuted",)
    return "permuted", "holdout"


def choose_turns(real: Table, salt: int) -> tuple[Turn, ...]:
    """Choose what is known and what is hidden."""
    schema = real.schema
    names = [column.name for column in schema.used]
    hidden = [name for name in names if name in schema.secrets] or [
        name for name in names if schema.keys and name not in schema.keys
    ]
    hidden = [name for name in hidden or names if not is_constant(real, name)]
    if not hidden:
        raise NotApplicable("all columns to be hidden are constant, so there is nothing to disclose")
    if schema.secrets or schema.keys:
        known = schema.keys or [name for name in names if name not in schema.secrets]
        turns = [(tuple(known), tuple(hidden))]
    else:
        drawn = stream(salt, "columns").permutation(sorted(hidden))[:MOST_COLUMNS].tolist()
        turns = [(tuple(name for name in names if name != each), (each,)) for each in sorted(drawn)]
    if not turns[0][0]:
        raise NotApplicable("no column is left to link by")
    return tuple(turns)


def targets(real: Table, most: int, salt: int) -> Ints:
    """Choose the records to look for; which ones is decided by content."""
    order = by_content(real)
    if len(order) <= most:
        return np.arange(len(order))
    return np.sort(order[stream(salt, "records").permutation(len(order))[:most]])
