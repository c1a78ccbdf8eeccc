"""Linkage dealt and compared: the attack sees a view, the truth stays here."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.data.ordering import ColumnOrder, orders
from seethrough.data.rows import aligned_rows, by_content
from seethrough.data.table import Table
from seethrough.games.linkage.rank_intervals import LinkageAnswer
from seethrough.kernels.arrays import Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.ranks.scale import RankScale
from seethrough.protocols.linkage import LinkageView, Linked


@dataclass(frozen=True, eq=False)
class LinkageSubject:
    """The real side of a linkage: who is looked for, by which columns, and the truth about the hidden ones.

    `truths` has for each hidden column the place of its true value on the scale, for each target.
    """

    known: Table
    hidden: tuple[str, ...]
    orders: dict[str, ColumnOrder]
    scales: dict[str, RankScale]
    truths: dict[str, Ints]
    targets: Ints

    def __len__(self) -> int:
        """Count the real records."""
        return len(self.known)

    def view(self, released: Table, budget: Budget) -> LinkageView:
        """Show a table that has as many rows as the real one, without the truth."""
        columns = [*(column.name for column in self.known.schema.used), *self.hidden]
        return LinkageView(self.known, released.project(columns), self.orders, self.scales, self.targets, budget)


def linkage_subject(real: Table, known: Sequence[str], hidden: Sequence[str], targets: Ints) -> LinkageSubject:
    """Take the hidden columns away from the real table."""
    placed = orders(real)
    keys = {name: placed[name].keys(real.column(name)) for name in hidden}
    scales = {name: RankScale.of(keys[name]) for name in hidden}
    truths = {name: scales[name].places(keys[name])[targets] for name in hidden}
    used = {name: placed[name] for name in (*known, *hidden)}
    return LinkageSubject(real.project(known), tuple(hidden), used, scales, truths, targets)


def is_constant(real: Table, name: str) -> bool:
    """Tell whether all records hold the same, so that there is nothing to disclose."""
    return len(RankScale.of(orders(real.project([name]))[name].keys(real.column(name))).keys) == 1


def compare_with_truth(linked: Linked, who: LinkageSubject) -> LinkageAnswer:
    """Compare what was read off with the truth."""
    parts = []
    for name in who.hidden:
        found, truth = linked.found[name], who.truths[name]
        low, high = found.span()
        chance, ranks = found.chances(truth), found.scale.doubled
        parts.append((chance, chance == 1, found.errors(truth), low / 2, high / 2, ranks[truth] / 2))
    return LinkageAnswer(len(who), *(np.stack(part) for part in zip(*parts, strict=True)))


def permute_columns(table: Table, rng: np.random.Generator) -> Table:
    """Permute every column by itself: the columns stay, what they have to do with each other goes."""
    ordered = table.take(by_content(table))
    return Table(table.schema, tuple(rng.permutation(values) for values in ordered.columns))


def sample_holdout(holdout: Table, rows: int, number: int, rng: np.random.Generator) -> Table:
    """Draw a table from records kept out: parts of a large holdout that share no record, where it is large enough.

    Otherwise the first has as many different records as there are, and further ones are drawn with replacement, so
    that no two are the same table.
    """
    shuffled = by_content(holdout)[rng.permutation(len(holdout))]
    if (number + 1) * rows <= len(holdout):
        return holdout.take(shuffled[number * rows : (number + 1) * rows])
    if number == 0:
        return holdout.take(aligned_rows(holdout, rows, rng))
    return holdout.take(shuffled[rng.integers(0, len(holdout), (number, rows))[-1]])
