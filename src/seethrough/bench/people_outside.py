"""People outside in the place of the real ones: what a score comes to for those who were not in the table.

Every attack on secrets says the same of a record whoever else is asked about, so its score on holdout records is what
anybody could have been guessed by: the base rate. What it scores more on real ones is the leak.
"""

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.rows import by_content
from seethrough.errors import NotApplicable

FEWEST = 10
"""Holdout records below which a share says nothing."""


def bench_of_outsiders(bench: Bench[Part], rng: np.random.Generator) -> Bench[Part] | None:
    """Give a bench whose real people are those of the holdout, at most as many; None where there are too few."""
    try:
        kept = bench.table(Part.HOLDOUT)
    except NotApplicable:
        return None
    if len(kept) < FEWEST:
        return None
    drawn = by_content(kept)[rng.permutation(len(kept))[: len(bench.table(Part.TRAIN))]]
    return bench.with_table(Part.TRAIN, kept.take(np.sort(drawn)), without=Part.HOLDOUT)
