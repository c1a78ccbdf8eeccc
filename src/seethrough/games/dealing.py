"""One deal: a table to make releases from, what the adversary knows, and the truth, which stays here.

D is drawn from the population, and targets from the records whose known columns are unique within D: any of them, or
the most isolated (bench/isolation.py, measured within D), of which one in a hundred records of D, at least 20, are so
called. The secret of each
target is replaced by a value drawn uniformly from all its values, so nothing that holds of people in general says
anything about it. The adversary gets the known columns in another order than the records have in D.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from seethrough.bench.isolation import FEWEST_ISOLATED, Isolation, most_isolated
from seethrough.data.table import Table
from seethrough.errors import DataError
from seethrough.games.population import Population
from seethrough.kernels.arrays import Ints
from seethrough.kernels.budget import Budget

DRAWS = 100
"""Tables drawn before giving up on finding unique records."""
ISOLATED_SHARE = 0.01
"""Of the records of a table that targets are drawn from where the isolated ones are attacked."""
Aim = Literal["random", "isolated"]
"""Whom a game attacks among the unique records."""


@dataclass(frozen=True, eq=False)
class Deal:
    """What a round is played with.

    `training` is D with the targets' secrets replaced, `known` its known columns in random order, `targets` rows of
    `known`, `truth` the places of their secrets among the classes, `others` the rows of the population outside D.
    """

    training: Table
    known: Table
    targets: Ints
    truth: Ints
    others: Ints


def deal(population: Population, rows: int, targets: int, rng: np.random.Generator, aim: Aim = "random") -> Deal:
    """Draw a table, targets, and their new secrets."""
    drawn, unique = _drawn(population, rows, targets, rng)
    among = unique if aim == "random" else _isolated(population.table.take(drawn), unique, targets, rng)
    chosen = rng.choice(among, targets, replace=False)
    truth = rng.integers(0, len(population.classes), targets)
    secrets = population.secrets[drawn].copy()
    secrets[chosen] = np.array(population.classes, secrets.dtype)[truth]
    order = rng.permutation(rows)
    known = population.known.take(drawn)
    outside = np.ones(len(population.table), bool)
    outside[drawn] = False
    return Deal(
        training=Table(population.table.schema, (*known.columns, secrets)),
        known=known.take(order),
        targets=np.argsort(order)[chosen],
        truth=truth,
        others=np.flatnonzero(outside),
    )


def _drawn(population: Population, rows: int, targets: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Draw records until enough of them are unique; gives the records and the places of the unique ones."""
    most = 0
    for _ in range(DRAWS):
        drawn = rng.choice(len(population.table), rows, replace=False)
        _, first, counts = np.unique(population.numbers[drawn], return_index=True, return_counts=True)
        unique = np.sort(first[counts == 1])
        if len(unique) >= targets:
            return drawn, unique
        most = max(most, len(unique))
    raise DataError(
        f"in {DRAWS} draws of {rows} records at most {most} were unique in their known columns; "
        f"{targets} {'is' if targets == 1 else 'are'} needed as target: draw fewer rows, or know more columns"
    )


def _isolated(table: Table, unique: Ints, targets: int, rng: np.random.Generator) -> Ints:
    """Find the most isolated of the unique records, at least as many as there are targets."""
    # All records are searched: no random number is drawn for it.
    whole = Isolation(most_pairs=max(1, len(table) ** 2))
    isolation = whole.measure(table, Budget(threads=1), rng)[unique]
    share = ISOLATED_SHARE * len(table) / len(unique)
    return unique[most_isolated(isolation, share, max(targets, FEWEST_ISOLATED))]
