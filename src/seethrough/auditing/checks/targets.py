"""People of one table whose secret is asked for: what is known about them, and apart from it the truth."""

from dataclasses import dataclass, replace

import numpy as np

from seethrough.auditing.checks.subpopulation import Subpopulation
from seethrough.data.chunked.chunked_table import ChunkedRows, ChunkedTable
from seethrough.data.rows import by_content, row_numbers, stack_tables
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, DataError, NotApplicable
from seethrough.games.population import known_columns, secret_levels
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses, JoiningAttack


@dataclass(frozen=True)
class AttackQuestion:
    """Which secret is asked for, the codes it may have, from which columns, and what there is to say about that."""

    secret: str
    classes: tuple[int, ...]
    known: tuple[str, ...]
    warnings: tuple[str, ...]


def attack_question(schema: Schema) -> AttackQuestion:
    """Ask for the secret that is named; for the first where there are several."""
    if not schema.secrets:
        raise NotApplicable("no secret was named")
    secret, *others = schema.secrets
    try:
        levels, known = secret_levels(schema, secret, "the real table"), known_columns(schema, secret)
    except (ConfigError, DataError) as error:
        raise NotApplicable(str(error)) from error
    told = (f"of {len(others) + 1} secrets only the first, {secret!r}, is asked for",) if others else ()
    return AttackQuestion(secret, tuple(range(1, len(levels) + 1)), known, told)


@dataclass(frozen=True, eq=False)
class Targets:
    """Some rows of a table: their places in it, what is known of them, and their true classes."""

    known: Table
    truth: Ints
    places: Ints
    of_rows: int

    def __len__(self) -> int:
        """Count the people."""
        return len(self.places)

    def draw_at_most(self, most: int, rng: np.random.Generator) -> "Targets":
        """Draw some of them, where they are more than `most`."""
        if len(self) <= most:
            return self
        drawn = rng.permutation(len(self))[:most]
        return Targets(self.known.take(drawn), self.truth[drawn], self.places[drawn], self.of_rows)

    def describe(self, group: Subpopulation) -> tuple[str, ...]:
        """Say where not everybody is asked about."""
        if len(self) == self.of_rows:
            return ()
        which = f", those with {group}" if group.conditions else ""
        few = f"{len(self)} of {self.of_rows} real records were attacked{which}"
        return (f"{few}; the risk of the others is not known",)

    def spread(self, values: Floats) -> Floats:
        """Put a value of each person at its place among all rows of the table, NaN elsewhere."""
        found = np.full(self.of_rows, np.nan)
        found[self.places] = values
        return found


def pick_targets(table: Table, asked: AttackQuestion, group: Subpopulation) -> Targets:
    """Pick the rows of a group with a declared secret, in an order that depends on what is known of them alone."""
    secrets = table.column(asked.secret).astype(np.int64)
    known = table.project(asked.known)
    belongs = group.rows(known)
    usable = belongs[np.isin(secrets[belongs], asked.classes)]
    places = usable[by_content(known.take(usable))]
    return Targets(known.take(places), np.searchsorted(asked.classes, secrets[places]), places, len(table))


@dataclass(frozen=True, eq=False)
class DealtPeople:
    """Who is asked about which secret, inside and outside the table, and the released rows of their kind."""

    asked: AttackQuestion
    group: Subpopulation
    train: Targets
    outside: Targets | None
    released: "ReleasedKind"

    def __len__(self) -> int:
        """Count the people."""
        return len(self.train) + (len(self.outside) if self.outside else 0)

    @property
    def shows_a_class(self) -> bool:
        """Tell whether any released row shows a value of the secret."""
        return any(np.isin(rows.column(self.asked.secret), self.asked.classes).any() for rows in self.released.tables)

    def view(self, order: Ints, budget: Budget) -> AttributeView:
        """Show everybody in an order that carries nothing, real records first before it."""
        people = stack_tables([self.train.known, self.outside.known]) if self.outside else self.train.known
        return AttributeView(
            known=people.take(order),
            released=self.released.tables,
            secret=self.asked.secret,
            classes=self.asked.classes,
            targets=np.arange(len(people)),
            budget=budget,
            drawn=self.released.drawn,
        )


@dataclass(frozen=True, eq=False)
class ReleasedKind:
    """The released rows of a kind, in an order that carries nothing, and those to learn from where they are many.

    `places` are those of the rows in the table that was released; None where that is read in chunks.
    """

    tables: tuple[Table] | ChunkedRows
    places: Ints | None
    drawn: Table | None

    def __len__(self) -> int:
        """Count the rows."""
        return sum(map(len, self.tables))


@dataclass(frozen=True, eq=False)
class OfKind:
    """Step: the rows that belong to a part of the population."""

    group: Subpopulation

    def apply(self, rows: Table) -> Table:
        """Pick them."""
        return rows.take(self.group.rows(rows))


def released_kind(released: Table, group: Subpopulation) -> ReleasedKind:
    """Pick the released rows of a group; a release in chunks stays there."""
    drawn = None
    if released.drawn is not released:
        mine = OfKind(group).apply(released.drawn)
        drawn = mine.take(by_content(mine))
    if isinstance(released, ChunkedTable):
        return ReleasedKind(released.rows.through(OfKind(group)), None, drawn)
    rows = group.rows(released)
    places = rows[by_content(released.take(rows))]
    return ReleasedKind((released.take(places),), places, drawn)


def guess_for_everybody(
    attack: AttributeAttack, view: AttributeView, inside: Bools, rng: np.random.Generator
) -> Guesses:
    """Let an attack guess for members and people outside; all of `view.known` are asked about.

    An attack that solves for a whole table is told who is in it, and answers for each person outside as if this one had
    joined it; all others never learn who is inside. Nobody can tell people apart who are equal in what is known: they
    get the mean of their scores, in the first case those of one group.
    """
    joined = attack.guess_joined(view, inside, rng) if isinstance(attack, JoiningAttack) else None
    numbers = row_numbers(view.known)
    return average_over_twins(joined or attack.guess(view, rng), numbers if joined is None else 2 * numbers + inside)


def average_over_twins(guesses: Guesses, twins: Ints) -> Guesses:
    """Give people of one number, whom nobody can tell apart, the mean of their scores."""
    ranking = guesses.ranking if guesses.ranking is None else _mean_over(twins, guesses.ranking)
    return replace(guesses, scores=_mean_over(twins, guesses.scores), ranking=ranking)


def _mean_over(twins: Ints, scores: Floats) -> Floats:
    _, group, counts = np.unique(twins, return_inverse=True, return_counts=True)
    sums = np.column_stack([np.bincount(group, column) for column in scores.T])
    found: Floats = (sums / counts[:, None])[group]
    return found
