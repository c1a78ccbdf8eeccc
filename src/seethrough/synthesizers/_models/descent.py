"""What moves relaxed rows, one table at a time (`relaxed`) or many (`relaxed_batch`): the numbers both share."""

from dataclasses import dataclass

import numpy as np

from seethrough.synthesizers._models.triples import Matrix, Triples

DECAYS = (0.9, 0.999)
TINY = 1e-8
"""Added to the root of the second moment, as in Adam's paper."""
SMALLEST = 1e-30
"""Stands in for the norm of errors that are all 0."""


@dataclass(frozen=True)
class Descent:
    """How many relaxed rows there are, how many queries are drawn for a step, and the rate of learning."""

    rows: int = 1000
    batch: int = 1024
    rate: float = 0.1


def first_logits(triples: Triples, rows: int, rng: np.random.Generator) -> Matrix:
    """Draw the logits to begin with."""
    return rng.standard_normal((triples.width, rows)).astype(np.float32)
