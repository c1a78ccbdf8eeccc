"""Generalized CAP: the released rows that differ from a person in the fewest known columns are asked for the secret.

For a person x let T(x) be the released rows that differ from x in the fewest known columns, all ties kept, with
multiplicity:

    score of v = #{z in T(x) : z[s] = v} / #T(x)

The guess is the most frequent secret of T(x). People are ranked by how few columns differ, then by the lead of the
guess, then by #T(x): by the lead alone most people of whom one row is nearest would tie at the top. A number among the
known columns has to be equal, or, with `numeric_keys=bin`, in the same tenth of the people.

What it sees
------------
Rows that were copied, whole or in most columns. It asks about one person at a time, so nobody else's answer depends on
who is asked about.

What it misses
--------------
What is spread over many rows that differ in several columns each: counts that overlap, which recon puts together.
Columns count alike, whether they say something about the secret or not.

Strong against
--------------
Records drawn with replacement and a network: on two tables its leak was as large as that of a forest and of least
squares, 7 and 13 in 100 from drawn records, 4 and 9 from the network. Nothing was found in independent histograms and
in PrivBayes with epsilon 1. The table is in docs/results/attribute-attacks.md.

References
----------
Hittmeir, Mayer, Ekelhart 2020, doi:10.1145/3374664.3375722.

Deviations
----------
The published figure is the mean share of right secrets, which the check gcap measures; as an attack it has to guess,
and its success is the mean of right guesses, ties shared.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.attacks.attribute._nearest_rows import nearest_by_keys
from seethrough.data.encoding import NumericKeys
from seethrough.kernels.learning.scores import lead
from seethrough.protocols.attack import AttributeView, Guesses


@dataclass(frozen=True)
class Gcap:
    """Guesses the most frequent secret of the rows that differ in the fewest known columns."""

    name: ClassVar[str] = "gcap"
    title: ClassVar[str] = "Secrets of the rows that differ in the fewest columns"
    share_of: ClassVar[str] = "nearest released rows"
    numeric_keys: NumericKeys = "exact"

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Count classes among the nearest rows."""
        near = nearest_by_keys(view, self.numeric_keys)
        scores, sizes = near.shares, near.sizes
        ahead = lead(scores)
        details = {
            "mean number of columns that differ": round(float(near.distances.mean()), 4),
            "mean number of nearest rows": round(float(sizes.mean()), 4),
        }
        return Guesses(scores, ahead, {**details}, np.column_stack([-near.distances, ahead, sizes]))
