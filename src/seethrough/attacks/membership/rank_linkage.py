"""Linkage by ranks: each released row names the people nearest to it by ranks.

    d(x, l) = sum over columns of |rank of x - rank of l|        ranks over people and released rows together
    P(l)    = people at the smallest d from the released row l
    success = max over rows l that name x (x in P(l)) of 1 / |P(l)|, 0 where no row names x

The chance to name the right person for a row: the attacker knows all people, members and others alike.

What it sees
------------
Rows that stand for one person although no value is the same: numbers that were blurred, rounded or drawn near to them.
Of 700 members and 700 people outside of a census with six numbers, rows of a Bayesian network gave it 13 standard
errors and rows blurred by three tenths of a standard deviation 14; exact and near matches saw neither.

What it misses
--------------
A few copies among many rows: every row names somebody, where exact matches name hardly anybody by chance. A release in
other units.

References
----------
Ruiz, Muralidhar, Domingo-Ferrer 2018, On the Privacy Guarantees of Synthetic Data: A Reassessment from the
Maximum-Knowledge Attacker Perspective, section 3.2.

Deviations
----------
Categories without an order of their own stand by their frequency among people and released rows.
The paper ranks each table by itself, as many rows in both, and links people to rows. Here people and released rows are
ranked together, so that sizes may differ and equal values are at distance 0, and rows are linked to people: what is
asked is whom a row gives away. Links that hold both ways were tried: they cost twice as much and showed no more.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.ordering import orders
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.ranks.linkage import nearest_by_ranks
from seethrough.kernels.ranks.scale import doubled_ranks
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class LinkageOfPeople:
    """Finds people whom a released row names by ranks."""

    name: ClassVar[str] = "rank-linkage"
    title: ClassVar[str] = "Linkage by ranks"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.IDENTITY, LeakFamily.MEMBERSHIP)
    is_share: ClassVar[bool] = True
    measure: ClassVar[str] = "are picked out by a released row that is nearest to them"

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Search for the people nearest to every released row; the row counts that names fewest others."""
        mine, released = pooled_ranks(bench.table(Seen.PEOPLE), bench.table(Seen.RELEASE))
        found = nearest_by_ranks(released, mine, bench.budget)
        people = np.bincount(found.column_groups, minlength=found.links.shape[1])
        named = np.asarray(found.links @ people)
        of_people = found.links.T.tocsr()
        chances = np.zeros(of_people.shape[0])
        linked = np.repeat(np.arange(of_people.shape[0]), np.diff(of_people.indptr))
        np.maximum.at(chances, linked, 1.0 / named[of_people.indices])
        return chances[found.column_groups]


def pooled_ranks(people: Table, release: Table) -> tuple[Ints, Ints]:
    """Rank both tables together, doubled."""
    both = stack_tables([people, release])
    known = orders(both)
    columns = [doubled_ranks(known[column.name].keys(both.column(column.name))) for column in both.schema.used]
    ranks = np.column_stack(columns)
    return ranks[: len(people)], ranks[len(people) :]
