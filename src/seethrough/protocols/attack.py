"""Attack: a strategy, and all that it may see.

An attribute attack sees the released tables, what is known about every record (without the secret, in an order that
carries nothing), and which records are its targets. The truth never reaches it: no type here can hold it, and the
import contracts keep attacks away from releases and games.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from seethrough.data.chunked.chunked_table import ChunkedRows, fold_tables
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import GIB, Budget
from seethrough.kernels.once import OnceEach
from seethrough.kernels.passes import Pass
from seethrough.kernels.solvers.l1_program import Program, Solution
from seethrough.results.outcome import Value

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class AttributeView:
    """What an adversary sees.

    `known` has the known columns of every record; `released` are synthetic tables with these columns and the secret, or
    pieces of tables that are too large to hold, which may be gone through more than once; `secret` is its column;
    `targets` are rows of `known`. Codes mean the same level in all tables. `classes` are the codes that the secret may
    have: its declared levels. `drawn` are the rows to learn from where the release is large.
    """

    known: Table
    released: Iterable[Table]
    secret: str
    classes: tuple[int, ...]
    targets: npt.NDArray[np.int64]
    budget: Budget
    drawn: Table | None = None
    _worked: OnceEach = field(default_factory=OnceEach, repr=False)

    def once(self, what: object, work: Callable[[], T]) -> T:
        """Give what was worked out on this view before, by whichever attack asked first; `what` names all it rests on.

        It must not depend on who asks, so not on the random numbers of one attack.
        """
        return self._worked.get(what, work)

    @property
    def in_chunks(self) -> bool:
        """Tell whether the release is read in chunks, so that its rows are never there at once."""
        return isinstance(self.released, ChunkedRows)

    def rows_to_learn_from(self) -> Table:
        """Give the released rows, or some that were drawn from a large release."""
        return self.whole_release() if self.drawn is None else self.drawn

    def fold(self, each: Pass[Table, S]) -> S:
        """Run a pass over all released rows."""
        return fold_tables(self.released, each)

    def whole_release(self) -> Table:
        """Put all released rows under each other, for attacks that need them at once."""
        if isinstance(self.released, tuple):
            return stack_tables(self.released)
        if self.in_chunks:
            raise NotApplicable("this needs all rows of the release at once, which is read in chunks")
        found, held = [], 0
        for piece in self.released:
            found.append(piece)
            held += sum(column.nbytes for column in piece.columns)
            if held > self.budget.memory:
                raise NotApplicable(
                    f"this attack needs all released rows at once, and the first {sum(map(len, found)):,} exceed "
                    f"the memory of {self.budget.memory / GIB:g} GiB; recon reads a release in pieces"
                )
        return stack_tables(found)

    def labelled_rows(self) -> tuple[Table, npt.NDArray[np.int64]]:
        """Give the released rows that show a class: their known columns, and which class, by place in `classes`."""
        released = self.whole_release()
        secrets = released.column(self.secret).astype(np.int64)
        usable = np.flatnonzero(np.isin(secrets, self.classes))
        known = released.project(column.name for column in self.known.schema.used).take(usable)
        return known, np.searchsorted(self.classes, secrets[usable])


@dataclass(frozen=True, eq=False)
class Guesses:
    """What an adversary answers: for each target a score for every class, and how decisive it is.

    A row of `scores` sums to 1, or is all 0 where nothing is guessed, which is never right. `certainty` runs from 0
    (could as well be another class) to 1. `details` tell how the attack went: status of a solver, objective, number of
    queries. `ranking` orders people by how sure the attack is of them (people x parts, compared part by part, larger is
    surer); without one the lead of the best score orders them.
    """

    scores: npt.NDArray[np.float64]
    certainty: npt.NDArray[np.float64]
    details: dict[str, Value]
    ranking: npt.NDArray[np.float64] | None = None

    def best(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Pick the class of the largest score for each target, by position; a tie is broken at random.

        -1 where nothing is guessed.
        """
        largest = self.scores.max(axis=1, keepdims=True)
        top = self.scores >= largest - 1e-9
        picked = np.argmax(top * rng.random(top.shape), axis=1)
        guessed: npt.NDArray[np.int64] = np.where(largest[:, 0] > 0, picked, -1)
        return guessed


@runtime_checkable
class AttributeAttack(Protocol):
    """A strategy to guess a secret: a frozen dataclass whose fields are its parameters.

    Optional: `in_audits` (`AuditedAttack`) makes it a check of every audit, `pose` (`PosingAttack`) lets games solve
    the programs of many attacks at once, `guess_all` (`JointAttack`) answers for several secrets of a person together,
    `guess_joined` (`JoiningAttack`) answers for people outside one at a time, `guess_number` (`NumberAttack`) names a
    number where the secret is one, `guess_without` (`HidingAttack`) answers without each of several keys at once.
    """

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Score every class for every target."""
        ...


@runtime_checkable
class JointAttack(Protocol):
    """An attack whose answers about several secrets of the same people depend on each other."""

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...

    def guess_all(
        self, views: Sequence[AttributeView], rng: np.random.Generator, inside: npt.NDArray[np.bool_] | None = None
    ) -> tuple[Guesses, ...]:
        """Answer for each view, all of which show the same people, targets and released rows.

        The released rows hold all the secrets, each asked for by one view; a row may lack any of them. `inside` is as
        in `JoiningAttack`: it decides which table is solved for and nothing else. People alike in all of that get the
        same answers.
        """
        ...


@runtime_checkable
class HidingAttack(Protocol):
    """An attack that shares its work where keys are hidden from it in turn."""

    def guess_without(
        self, view: AttributeView, keys: Sequence[str], fresh: Callable[[], np.random.Generator]
    ) -> Iterator[Guesses] | None:
        """Answer for each of `keys` as `guess` would if it were not known, with random numbers that begin anew.

        None where this attack shares nothing, as set.
        """
        ...


@dataclass(frozen=True, eq=False)
class NumberGuesses:
    """What an adversary answers about a secret that is a number: a number for each target, NaN where none is guessed.

    A guess is right within `tolerance` times the size of the truth. `ranking` is as in `Guesses`.
    """

    numbers: npt.NDArray[np.float64]
    tolerance: float
    ranking: npt.NDArray[np.float64]

    def hits(self, truth: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Give 1 where a guess is right, 0 elsewhere."""
        return (np.abs(self.numbers - truth) <= self.tolerance * np.abs(truth)).astype(np.float64)


@runtime_checkable
class NumberAttack(Protocol):
    """An attack that names a number where the secret is one, instead of one of the bins that numbers are cut into."""

    def guess_number(self, view: AttributeView, rng: np.random.Generator) -> NumberGuesses:
        """Name a number for every target; released rows show theirs, and the view has no classes."""
        ...


@dataclass(frozen=True, eq=False)
class Posed:
    """An attack that has come to a linear program, and goes on from its solution."""

    program: Program
    finish: Callable[[Solution], Guesses]


@runtime_checkable
class PosingAttack(Protocol):
    """An attack whose programs may be solved elsewhere, many at once."""

    def pose(self, view: AttributeView, rng: np.random.Generator) -> Posed | None:
        """Come to the program; None where this attack has none, as set."""
        ...


@runtime_checkable
class JoiningAttack(Protocol):
    """An attack that solves for all records of a table together, so that its answers depend on who is in the table.

    All others ask about one person at a time, and `guess` with members and people outside together is the same as
    asking about each alone.
    """

    def guess_joined(
        self, view: AttributeView, inside: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> Guesses | None:
        """Answer for members by their table, for each person outside by that table with this one person added.

        `view.known` has both, and `inside` tells the members among them. Nothing but the table may depend on who is
        inside: codings and classes are of all people together. None where this attack has no such answer, as set;
        then `guess` solves for everybody at once.
        """
        ...
