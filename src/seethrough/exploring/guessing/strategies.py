"""How an attacker guesses: the share that speaks for each class of a secret, for many people or for one.

gcap
    The rows that differ in the fewest known columns, all ties kept.
dcr
    The rows at the smallest distance in the space of the known columns, all ties kept.
infer
    A forest that learnt the secret from the rows.
recon
    The counts of the rows, solved for all real people together.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from seethrough.attacks.attribute.gcap import Gcap
from seethrough.attacks.attribute.infer import Infer
from seethrough.attacks.attribute.recon import Recon
from seethrough.auditing.checks.targets import guess_for_everybody
from seethrough.auditing.evidence.secrets import with_secret
from seethrough.bench.person.example import at_smallest, distances_between, same_values
from seethrough.data.encoding import points
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.all_nearest import all_nearest
from seethrough.protocols.attack import AttributeAttack, AttributeView
from seethrough.seeds import stream

BY_ROWS = ("gcap", "dcr")
"""Attacks that look at rows: one person against all."""
ATTACKS = (*BY_ROWS, "infer", "recon")


@dataclass(frozen=True, eq=False)
class GuessRows:
    """Rows that a guess is made from: their known columns, the class of each, and how many classes there are."""

    table: Table
    known: tuple[str, ...]
    classes: Ints
    count: int

    @property
    def shares(self) -> Floats:
        """Give the share of each class, which is all there is to say where nothing is known."""
        found: Floats = np.bincount(self.classes, minlength=self.count) / max(len(self.classes), 1)
        return found

    def take(self, rows: Ints) -> "GuessRows":
        """Pick rows."""
        return GuessRows(self.table.take(rows), self.known, self.classes[rows], self.count)


@dataclass(frozen=True, eq=False)
class NearestOfOne:
    """The rows nearest to one person and how far they are."""

    rows: Ints
    distance: float


def nearest_to_one(attack: str, person: Table, rows: GuessRows) -> NearestOfOne:
    """Find the rows nearest to a person, all ties kept; where nothing is known all rows are."""
    if not rows.known:
        return NearestOfOne(np.arange(len(rows.table)), 0.0)
    if attack == "gcap":
        return at_fewest(differing(person, rows.table, rows.known))
    known = rows.known
    distances = distances_between(points(person.project(known)), points(rows.table.project(known)))
    nearest = at_smallest(distances)
    return NearestOfOne(nearest, float(distances[nearest[0]]))


def differing(person: Table, table: Table, columns: tuple[str, ...]) -> Ints:
    """Count the columns in which each row differs from a person."""
    found: Ints = np.zeros(len(table), np.int64)
    for name in columns:
        found += ~same_values(person.column(name), table.column(name))
    return found


def at_fewest(differs: Ints) -> NearestOfOne:
    """Give the rows that differ in the fewest columns."""
    fewest = int(differs.min())
    return NearestOfOne(np.flatnonzero(differs == fewest), float(fewest))


def guess_many(attack: str, people: Table, inside: Bools, rows: GuessRows, seed: int, budget: Budget) -> Floats:
    """Give, for each of `people`, the share that speaks for each class.

    `inside` tells who of them are members; it matters to recon alone, which solves for their table.
    """
    if not rows.known:
        return np.tile(rows.shares, (len(people), 1))
    known = people.project(rows.known)
    if attack == "dcr":
        return _by_distance(known, rows, budget)
    strategy: AttributeAttack = {"gcap": Gcap, "infer": Infer, "recon": Recon}[attack]()
    return _by_attack(strategy, known, inside, rows, seed, budget)


def _by_distance(known: Table, rows: GuessRows, budget: Budget) -> Floats:
    near = all_nearest(points(known), points(rows.table.project(rows.known)), budget)
    shape = near.links.shape[1], rows.count
    by_group = sparse.csr_array((np.ones(len(rows.classes), np.int64), (near.column_groups, rows.classes)), shape=shape)
    counts = (near.links @ by_group).toarray()[near.row_groups]
    found: Floats = counts / counts.sum(axis=1, keepdims=True)
    return found


def _by_attack(
    strategy: AttributeAttack, known: Table, inside: Bools, rows: GuessRows, seed: int, budget: Budget
) -> Floats:
    """Ask an attack about everybody; a missing secret is a class to gcap, others learn from rows that show one."""
    first = 0 if strategy.name == "gcap" else 1
    classes = tuple(int(each) for each in np.unique(rows.classes) if each >= first)
    released = with_secret(rows.table.project(rows.known), "secret of the guess", rows.classes)
    view = AttributeView(
        known=known,
        released=(released.take(by_content(released)),),
        secret="secret of the guess",
        classes=classes,
        targets=np.arange(len(known)),
        budget=budget,
    )
    rng = stream(seed, f"exploring by {strategy.name}")
    found = np.zeros((len(known), rows.count))
    found[:, list(classes)] = guess_for_everybody(strategy, view, inside, rng).scores
    return found
