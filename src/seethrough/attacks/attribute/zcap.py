"""Zero CAP: released rows with all known columns of a person are asked for the secret; without one nothing is guessed.

For a person x let M(x) be the released rows that are equal to x in all known columns:

    score of v = #{z in M(x) : z[s] = v} / #M(x),      no guess where M(x) is empty

The guess is the most frequent secret of M(x); a person without a match counts as not guessed, a hit of 0. People are
ranked by the lead of the guess, then by #M(x); those without a guess come last. A number among the known columns has to
be equal, or, with `numeric_keys=bin`, in the same tenth of the people.

What it sees
------------
Rows that stand in the release with everything known about a person. Its leak counts that members are found more often
as well as that they are guessed better.

What it misses
--------------
Everybody without a matching row: its success is low where known columns have many values, for members and people
outside alike.

References
----------
Elliot 2014, "Final report on the disclosure risk associated with the synthetic data produced by the SYLLS team";
Hittmeir, Mayer, Ekelhart 2020, doi:10.1145/3374664.3375722.

Deviations
----------
The published figure is the mean share of right secrets, which the check zcap measures; as an attack it has to guess,
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
class Zcap:
    """Guesses the most frequent secret of the rows that have all known columns of a person."""

    name: ClassVar[str] = "zcap"
    title: ClassVar[str] = "Secrets of the rows that match in all columns"
    share_of: ClassVar[str] = "released rows with the same known columns"
    numeric_keys: NumericKeys = "exact"

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Count classes among the rows that match; shares are all 0 where none does."""
        near = nearest_by_keys(view, self.numeric_keys, equal=True)
        scores, sizes = near.shares, near.sizes
        matched = sizes > 0
        # Without a match there is no lead, even where the secret has a single class.
        ahead = lead(scores) * matched
        details = {"share of people matched": round(float(matched.mean()), 4)}
        return Guesses(scores, ahead, {**details}, np.column_stack([ahead, sizes]))
