"""Attribute inference by the nearest rows: the released rows nearest to a person in distance tell the secret.

For a person x let N(x) be the released rows nearest to x in the distance space of the known columns (numbers by their
range, a category that differs adds 1 to the squared distance), all ties kept; with `neighbours` the few nearest:

    score of v = #{z in N(x) : z[s] = v} / #N(x)

The guess is the most frequent secret of N(x). People are ranked by nearness, then by the lead of the guess. Of a secret
that is a number the guess is the median of N(x), which is right within `tolerance` times the size of the truth; the
lead is then the share of N(x) that is so near to the guess.

What it sees
------------
Copied rows, whole or in most columns, also where numbers were blurred: values that are nearly equal count as near,
which they do not for gcap. Numbers are guessed as such.

What it misses
--------------
What is spread over many rows that differ in several columns each, as gcap does.

References
----------
Yan et al. 2022, doi:10.1038/s41467-022-35295-1.

Deviations
----------
The published figure is a weighted F1, which the check air measures; as an attack its success is the mean of right
guesses, ties shared.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.attacks.attribute._nearest_rows import nearest_by_distance, nearest_numbers
from seethrough.errors import ConfigError
from seethrough.kernels.learning.scores import lead
from seethrough.protocols.attack import AttributeView, Guesses, NumberGuesses


@dataclass(frozen=True)
class Air:
    """Guesses the most frequent secret of the rows nearest in distance."""

    name: ClassVar[str] = "air"
    title: ClassVar[str] = "Secrets of the nearest rows"
    neighbours: int = 1
    tolerance: float = 0.1

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.neighbours < 1:
            raise ConfigError(f"parameter air.neighbours is {self.neighbours}; 1 or more is expected")
        if not self.tolerance >= 0:
            raise ConfigError(f"parameter air.tolerance is {self.tolerance}; a number from 0 on is expected")

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Count classes among the nearest rows."""
        near = nearest_by_distance(view, self.neighbours)
        scores = near.shares
        ahead = lead(scores)
        details = {
            "mean distance": round(float(near.distances.mean()), 4),
            "mean number of nearest rows": round(float(near.sizes.mean()), 4),
        }
        return Guesses(scores, ahead, {**details}, np.column_stack([-near.distances, ahead]))

    def guess_number(self, view: AttributeView, rng: np.random.Generator) -> NumberGuesses:
        """Take the medians of the nearest rows."""
        near = nearest_numbers(view, self.neighbours, self.tolerance)
        return NumberGuesses(near.medians, self.tolerance, np.column_stack([-near.distances, near.agreeing]))
