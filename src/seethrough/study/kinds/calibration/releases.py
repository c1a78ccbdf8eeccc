"""Releases whose leak is known: some owe nothing to the members, others contain them.

Each is made from the members and from as many other people of the same population, who are neither members nor people
outside. A kind that leaks nothing never looks at the members. Rows that are too few for a share give one person.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from seethrough.data.encoding import standard_points, standard_scale
from seethrough.data.rows import stack_tables
from seethrough.data.table import Array, Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.classifiers import Labelled, boosted_tree_probabilities
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.protocols.synthesizer import draw_rows
from seethrough.synthesizers.baynet import BayesianNetwork

DENSE_NEIGHBOURS = 5
"""A row is as rare as its distance to so many others is large."""
OUTLIERS = 10
NOISY_SHARE, EXCHANGED, JITTER = 0.1, 0.1, 0.05
"""Noisy copies among released rows, values of them that are exchanged, and noise on numbers in standard deviations."""


@dataclass(frozen=True, eq=False)
class MadeRelease:
    """Released rows, and which members were copied; None where all of them are in the release."""

    table: Table
    copied: Bools | None


Maker = Callable[[Table, Table, np.random.Generator, Budget], MadeRelease]
"""Makes a release of members and other people."""


@dataclass(frozen=True)
class KnownLeak:
    """A kind of release: what it is, and whether it leaks."""

    title: str
    leaks: bool
    make: Maker
    needs_secret: bool = False


def secret_of(table: Table) -> str:
    """Name the first secret, which has to be a category."""
    for name in table.schema.secrets[:1]:
        if table.schema[name].kind.has_levels:
            return name
    raise ConfigError("a secret column of categories is needed for releases that change the secret")


def _nobody(members: Table) -> Bools:
    return np.zeros(len(members), bool)


def _independent(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release the rows of other people."""
    return MadeRelease(others, _nobody(members))


def _best_guess(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:
    """Release other people with the secret that a classifier of one half of them expects for the other half."""
    secret = secret_of(others)
    values, numbers = others.column(secret), _numbers(others, secret)
    classes, labels = np.unique(values, return_inverse=True)
    first = np.zeros(len(others), bool)
    first[rng.permutation(len(others))[: len(others) // 2]] = True
    guessed = np.empty_like(values)
    for learnt, asked in ((first, ~first), (~first, first)):
        known = Labelled(numbers[learnt], labels[learnt], np.ones(int(learnt.sum()), np.int64), len(classes))
        chances = boosted_tree_probabilities(known, numbers[asked], rng, budget)
        guessed[asked] = classes[np.argmax(chances, axis=1)]
    return MadeRelease(with_column(others, secret, guessed), _nobody(members))


def _coin_secret(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release other people with a secret that a fair coin, or die, decides."""
    secret = secret_of(others)
    sides = np.unique(others.column(secret))
    thrown = sides[rng.integers(0, len(sides), len(others))]
    return MadeRelease(with_column(others, secret, thrown), _nobody(members))


def _mode_seeking(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:
    """Release rows drawn, with repetition, from the half of other people who are least rare."""
    common = np.argsort(isolation(others, DENSE_NEIGHBOURS, budget), kind="stable")[: -(-len(others) // 2)]
    return MadeRelease(others.take(common[rng.integers(0, len(common), len(others))]), _nobody(members))


def _network_of_others(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release draws of a Bayesian network of other people."""
    return MadeRelease(_network(others, rng), _nobody(members))


def _copied(share: float, members: Table, others: Table, rng: np.random.Generator, _: Budget) -> MadeRelease:
    """Release copies of some members among other people."""
    count = max(1, round(share * len(members)))
    return _with_copies(members, others, rng.permutation(len(members))[:count])


def _outliers(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release copies of the members farthest from any other member, among other people."""
    return _with_copies(members, others, np.argsort(-isolation(members, 1, budget), kind="stable")[:OUTLIERS])


def _noisy_copies(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release members with values exchanged or moved, among rows whose columns were permuted one by one."""
    chosen = rng.permutation(len(members))[: max(1, round(NOISY_SHARE * len(members)))]
    noise = [values[rng.permutation(len(others))] for values in others.columns]
    noisy = [
        _blur(values[chosen], instead[: len(chosen)], rng)
        for values, instead in zip(members.columns, noise, strict=True)
    ]
    rest = [values[len(chosen) :] for values in noise]
    both = [Table(others.schema, tuple(columns)) for columns in (noisy, rest)]
    return MadeRelease(stack_tables(both), _marks(len(members), chosen))


def _copy(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release the members."""
    return MadeRelease(members, None)


def _network_of_members(members: Table, others: Table, rng: np.random.Generator, budget: Budget) -> MadeRelease:  # noqa: ARG001
    """Release draws of a Bayesian network of the members."""
    return MadeRelease(_network(members, rng), None)


KINDS = {
    "independent": KnownLeak("independent sample", False, _independent),
    "best-guess": KnownLeak("independent sample, secret = best guess", False, _best_guess, needs_secret=True),
    "network-of-others": KnownLeak("Bayesian network of other people", False, _network_of_others),
    "mode-seeking": KnownLeak("mode-seeking, rare rows dropped", False, _mode_seeking),
    "coin-secret": KnownLeak("independent sample, secret = fair coin", False, _coin_secret, needs_secret=True),
    "copied-5": KnownLeak("5 % of members copied", True, partial(_copied, 0.05)),
    "copied-1": KnownLeak("1 % of members copied", True, partial(_copied, 0.01)),
    "outliers": KnownLeak(f"{OUTLIERS} outliers copied", True, _outliers),
    "noisy-copies": KnownLeak("10 % noisy copies in 90 % noise", True, _noisy_copies),
    "copy": KnownLeak("all members copied", True, _copy),
    "network": KnownLeak("Bayesian network of the members", True, _network_of_members),
}
"""All kinds, by the names that plans call them."""


def isolation(table: Table, neighbour: int, budget: Budget) -> Floats:
    """Give the distance of each row to its nearest other row, or to a later neighbour."""
    places = standard_points(table, standard_scale(table, table))
    distances = k_nearest(places, places, neighbour + 1, budget).distances  # the first neighbour is the row itself
    return distances[:, -1]


def with_column(table: Table, name: str, values: Array) -> Table:
    """Exchange one column."""
    used = zip(table.schema.used, table.columns, strict=True)
    return Table(table.schema, tuple(values if column.name == name else old for column, old in used))


def _with_copies(members: Table, others: Table, chosen: Ints) -> MadeRelease:
    rest = others.take(np.arange(len(chosen), len(others)))
    return MadeRelease(stack_tables([members.take(chosen), rest]), _marks(len(members), chosen))


def _marks(people: int, chosen: Ints) -> Bools:
    marks = np.zeros(people, bool)
    marks[chosen] = True
    return marks


def _blur(values: Array, instead: Array, rng: np.random.Generator) -> Array:
    """Exchange some values; move numbers a little."""
    blurred = np.where(rng.random(len(values)) < EXCHANGED, instead, values)
    if values.dtype.kind == "f":
        numbers = instead[np.isfinite(instead)]
        spread = float(numbers.std()) if len(numbers) else 0.0
        blurred = blurred + JITTER * spread * rng.normal(size=len(values))
    return blurred.astype(values.dtype)


def _network(table: Table, rng: np.random.Generator) -> Table:
    return draw_rows(BayesianNetwork().fit(table, rng), len(table), rng).table


def _numbers(table: Table, without: str) -> Floats:
    names = [column.name for column in table.schema.used if column.name != without]
    return np.column_stack([table.column(name).astype(np.float64) for name in names])
