"""Error profile: how much better each value of a person is told by models of the release than by models of others.

    rating = sum over columns of (loss by a model of the reference - loss by a model of the release)
    loss of a number = ln(1 + |x - guess| / q), q: mean absolute error on the rows learnt from
    loss of a category = -ln(probability of x + 0.0001)

For each column boosted trees learn it from the other columns, once from the released rows and once from the reference.
It is optional: audits do not run it unless it is named.

What it sees
------------
Values that follow from a person's other values in the release more than among other people.

What it misses
--------------
Single copies: a model of the release smooths over them.

Strong against
--------------
Nothing that other ratings are not. Measured on one release each of a diffusion model, and of a network on Adult and on
ACS, areas were .544, .558 and .594, and members found at 1 % false alarms .026, .015 and .051; as further features of
the supervised attack the losses changed nothing that exceeds chance.

References
----------
The program eyalgerman/MIA-EPT (error profile).

Deviations
----------
The difference of two models' losses instead of a learner on the losses of one.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.membership.released_trees import RowsForTrees
from seethrough.bench.pool import FEWEST_REFERENCE, Seen
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.learning.column_losses import column_losses
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class ErrorProfile:
    """Rates people by how much better their values are told by the release than by other people."""

    name: ClassVar[str] = "error-profile"
    title: ClassVar[str] = "Losses of models of each column, learnt from other people and from the release"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""
    is_optional: ClassVar[bool] = True

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Add up the differences of losses."""
        if len(bench.table(Seen.REFERENCE)) < FEWEST_REFERENCE:
            raise NotApplicable(f"fewer than {FEWEST_REFERENCE} people of the holdout are left as a reference")
        rows = bench.get(RowsForTrees())
        if rows.people.shape[1] < 2:
            raise NotApplicable("one column cannot be told from others")
        total = np.zeros(len(rows.people))
        for column in range(rows.people.shape[1]):
            total += column_losses(rows.reference, rows.people, column, rows.categories)
            total -= column_losses(rows.release, rows.people, column, rows.categories)
        return total
