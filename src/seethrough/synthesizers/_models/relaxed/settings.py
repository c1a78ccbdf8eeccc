"""What the fit of one table (`fit`) and of many at once (`batch`) share: settings, and the logits to begin with."""

from dataclasses import dataclass

import numpy as np

from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries

SMALLEST = 1e-30
"""Stands in for the norm of errors that are all 0."""


@dataclass(frozen=True)
class FitSettings:
    """How many relaxed rows there are, how many queries are drawn for a step, and the rate of learning."""

    rows: int = 1000
    batch: int = 1024
    rate: float = 0.1


def first_logits(three_way: ThreeWayQueries, rows: int, rng: np.random.Generator) -> Matrix:
    """Draw the logits to begin with."""
    return rng.standard_normal((three_way.width, rows)).astype(np.float32)
