"""Secrets to be guessed for everybody in the pool.

The adversary knows the keys of all people, members or not, and sees the release. The classes of a secret are all values
that the pool or the release has, never those of the real table alone. A number is cut at the tenths of the pool: a
guess is right if it names the right tenth. An attack that names numbers (`NumberAttack`) is right within its tolerance,
and the tenths serve to tell rare values from frequent ones. People who show no secret are not asked about, on either
side.

No attack is told who is a member, but those that solve for a whole table at once (`JoiningAttack`): their known table
is that of the members, and each person outside is joined to it alone. That is the question itself, whether this row was
in the table, and the labels are no longer exchangeable by construction: that the test keeps its level then is measured
(docs/evidence.md), not proved.

Without a named secret columns take turns as the secret, all others known, with the first attack alone; of many columns
and people some are drawn, and everything that was tried is paid for in the test.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from seethrough.auditing.checks.targets import guess_for_everybody
from seethrough.auditing.evidence.pool import Pool
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.rows import by_content
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import MISSING, Array, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.learning.scores import expected_hits, lead
from seethrough.kernels.once import OnceEach
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses, NumberAttack
from seethrough.seeds import stream

FEWEST_ASKED = 30
"""People of either kind who have to show a secret."""
MOST_ASKED = 40_000
"""People who are asked about; of more, so many are drawn."""
MOST_TURNS, MOST_PEOPLE_IN_TURNS = 10, 4_000
"""Columns that take a turn where no secret is named, and people who are asked about then."""
TENTHS = 10


@dataclass(frozen=True, eq=False)
class SecretAnswers:
    """What an attack answered about one secret, for every row of the pool; rows that were not asked about have 0.

    `hits` are successes from 0 to 1, `given` is the score that the truth was given, `truth` the class (-1: not asked),
    `ranking` orders people by how sure the attack is of them (people x parts, compared part by part, larger is surer).
    It knows neither the truth nor who is a member. `grain` says how near a guess has to come, where the attack decides
    that.
    """

    hits: Floats
    given: Floats
    truth: Ints
    ranking: Floats
    grain: str | None = None


@dataclass(frozen=True, eq=False)
class SecretQuestion:
    """One secret: its classes, the columns known, who is asked about and what is true (-1 for the others)."""

    secret: str
    known: tuple[str, ...]
    classes: tuple[int, ...]
    truth: Ints
    asked: Bools
    coding: "SecretCodes"
    is_one_of_many: bool = False
    grain: str = ""
    notes: tuple[str, ...] = ()
    _views: OnceEach = field(default_factory=OnceEach, init=False, repr=False)

    def ask(self, attack: AttributeAttack, pool: Pool, rng: np.random.Generator) -> SecretAnswers:
        """Let an attack guess for everybody."""
        if self.grain and isinstance(attack, NumberAttack):
            return self._ask_number(attack, pool, rng)
        people, view = self.view(pool)
        return self.answers_of(guess_for_everybody(attack, view, pool.members[people], rng), people)

    def view(self, pool: Pool) -> tuple[Ints, AttributeView]:
        """Give who is asked about and what every attack sees of them: one view, on which attacks share their work.

        People come as the pool has mixed them, so that their order says nothing.
        """
        people = np.flatnonzero(self.asked)

        def made() -> AttributeView:
            released, drawn = self._released(pool.release)
            return AttributeView(
                known=pool.people.project(self.known).take(people),
                released=released,
                secret=self.secret,
                classes=self.classes,
                targets=np.arange(len(people)),
                budget=pool.bench.budget,
                drawn=drawn,
            )

        return people, self._views.get(pool.bench, made)

    def _released(self, release: Table) -> tuple[Iterable[Table], Table | None]:
        """Give the rows that show the secret, and those to learn from where the release is large."""
        shows = ShowingSecret(self.known, self.coding, self.classes)
        drawn = None
        if release.drawn is not release:
            drawn = shows.apply(release.drawn)
            drawn = drawn.take(by_content(drawn))
        if isinstance(release, ChunkedTable):
            return release.rows.through(shows), drawn
        found = shows.apply(release)
        if not len(found):
            raise NotApplicable(f"no released row shows {self.secret!r}")
        return (found.take(by_content(found)),), drawn

    def _ask_number(self, attack: NumberAttack, pool: Pool, rng: np.random.Generator) -> SecretAnswers:
        """Let an attack name a number for everybody."""
        people = rng.permutation(np.flatnonzero(self.asked))
        view = AttributeView(
            known=pool.people.project(self.known).take(people),
            released=self._numbered(pool.release.project((*self.known, self.secret))),
            secret=self.secret,
            classes=(),
            targets=np.arange(len(people)),
            budget=pool.bench.budget,
        )
        found = attack.guess_number(view, rng)
        hits, ranks = np.zeros(len(self.asked)), np.zeros((len(self.asked), found.ranking.shape[1]))
        hits[people] = found.hits(pool.people.column(self.secret)[people].astype(np.float64))
        ranks[people] = found.ranking
        return SecretAnswers(hits, hits, self.truth, ranks, f", within {100 * found.tolerance:g} % of it")

    def _numbered(self, release: Table) -> Iterable[Table]:
        """Give the rows that show a number; of a release in chunks all."""
        if isinstance(release, ChunkedTable):
            return release.rows
        release = release.take(np.flatnonzero(~np.isnan(release.column(self.secret).astype(np.float64))))
        return (release.take(by_content(release)),)

    def answers_of(self, guesses: Guesses, people: Ints) -> SecretAnswers:
        """Compare guesses about `people`, in this order, with the truth; those who are not asked about are left out."""
        mine = np.flatnonzero(self.asked[people])
        people, scores = people[mine], guesses.scores[mine]
        ranking = lead(scores)[:, None] if guesses.ranking is None else guesses.ranking[mine]
        truth = self.truth[people]
        hits, given, ranks = (np.zeros((len(self.asked), *shape)) for shape in ((), (), ranking.shape[1:]))
        hits[people], given[people] = expected_hits(scores, truth), scores[np.arange(len(people)), truth]
        ranks[people] = ranking
        return SecretAnswers(hits, given, self.truth, ranks)


def questions(pool: Pool, seed: int) -> list[SecretQuestion]:
    """Ask for every named secret; where none is named, for columns in turn."""
    schema = pool.people.schema
    named = schema.secrets
    if named:
        return [_question(pool, name, keys_for(schema, name), MOST_ASKED, seed) for name in named]
    candidates = [column.name for column in schema.used]
    if len(candidates) < 2:
        raise NotApplicable("a secret can only be guessed from another column")
    drawn = stream(seed, "columns in turn").permutation(len(candidates))[:MOST_TURNS]
    found = []
    for name in (candidates[place] for place in sorted(drawn)):
        known = tuple(other for other in candidates if other != name)
        try:
            found.append(_question(pool, name, known, MOST_PEOPLE_IN_TURNS, seed, is_one_of_many=True))
        except NotApplicable:  # a column of one value is no secret, and the others take their turns all the same
            continue
    if not found:
        raise NotApplicable("no column has two values that people of both kinds show")
    return found


def keys_for(schema: Schema, secret: str) -> tuple[str, ...]:
    """Name what is known of people whose secret is asked for: the keys, else all columns that are no secret."""
    known = schema.keys or tuple(column.name for column in schema.used if column.role is not Role.SECRET)
    keys = tuple(name for name in known if name != secret)
    if not keys:
        raise NotApplicable(f"{secret!r} can only be guessed from another column")
    return keys


def _question(
    pool: Pool, secret: str, known: tuple[str, ...], most: int, seed: int, *, is_one_of_many: bool = False
) -> SecretQuestion:
    shown = _coding(pool, secret).codes(pool.people) != MISSING
    asked, notes = _asked(pool, shown, most, stream(seed, f"people asked for {secret}"))
    return replace(question_about(pool, secret, known, asked), is_one_of_many=is_one_of_many, notes=notes)


def question_about(pool: Pool, secret: str, known: tuple[str, ...], among: Bools) -> SecretQuestion:
    """Ask for one secret of all those among some people who show it."""
    coding = _coding(pool, secret)
    mine = coding.codes(pool.people)
    asked = among & (mine != MISSING)
    classes = np.union1d(mine[asked], pool.release.fold(ClassesPass(coding)))
    if len(np.unique(mine[asked])) < 2:
        raise NotApplicable(f"{secret!r} has one value in all people who show it")
    truth = np.where(asked, np.searchsorted(classes, mine), -1)
    grain = "" if coding.cuts is None else ", within a tenth of all people"
    return SecretQuestion(secret, known, tuple(map(int, classes)), truth, asked, coding, grain=grain)


@dataclass(frozen=True, eq=False)
class SecretCodes:
    """How a secret becomes classes: the codes of levels, or where numbers are cut; 0 is missing."""

    secret: str
    cuts: Floats | None

    def codes(self, rows: Table) -> Array:
        """Give the class of each row."""
        values = rows.column(self.secret)
        return values if self.cuts is None else _binned(values.astype(np.float64), self.cuts)


@dataclass(frozen=True, eq=False)
class ShowingSecret:
    """Step: the rows that show one of some classes, their known columns, and the secret as classes."""

    known: tuple[str, ...]
    coding: SecretCodes
    classes: tuple[int, ...]

    def apply(self, rows: Table) -> Table:
        """Leave out rows that show no class."""
        codes = self.coding.codes(rows)
        usable = np.flatnonzero(np.isin(codes, self.classes))
        return with_secret(rows.project(self.known).take(usable), self.coding.secret, codes[usable], self.classes)


@dataclass(frozen=True, eq=False)
class ClassesPass:
    """Pass: the different classes that rows show."""

    coding: SecretCodes

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Ints:
        """Find those of a chunk."""
        codes = np.unique(self.coding.codes(rows)).astype(np.int64)
        return np.asarray(codes[codes != MISSING])

    def merge(self, first: Ints, second: Ints) -> Ints:
        """Unite them."""
        return np.union1d(first, second)

    def hint(self, state: Ints) -> Floats | None:
        """Say nothing."""
        return None


def _coding(pool: Pool, secret: str) -> SecretCodes:
    """Say how a secret becomes classes; numbers are cut at the tenths of the people."""
    column = next(column for column in pool.people.schema.used if column.name == secret)
    if column.kind.has_levels:
        return SecretCodes(secret, None)
    numbers = pool.people.column(secret).astype(np.float64)
    shown = numbers[np.isfinite(numbers)]
    cuts = np.unique(np.quantile(shown, np.arange(1, TENTHS) / TENTHS, method="inverted_cdf")) if len(shown) else shown
    return SecretCodes(secret, cuts)


def _asked(pool: Pool, shows: Bools, most: int, rng: np.random.Generator) -> tuple[Bools, tuple[str, ...]]:
    """Pick who is asked about: all who show the secret, or so many drawn from them without regard to the kind."""
    for kind, group in (("real people", pool.members), ("people outside", ~pool.members)):
        if (count := pool.count_people(shows & group)) < FEWEST_ASKED:
            raise NotApplicable(f"{count} {kind} show the secret; at least {FEWEST_ASKED} are needed")
    people = np.flatnonzero(shows)
    if len(people) <= most:
        return shows, ()
    asked = np.zeros(len(shows), bool)
    asked[people[rng.permutation(len(people))[:most]]] = True
    return asked, (f"a sample of {most:,} of {len(people):,} people was attacked",)


def _binned(values: Floats, cuts: Floats) -> Ints:
    return np.where(np.isnan(values), MISSING, 1 + np.searchsorted(cuts, values, side="left")).astype(np.int64)


def with_secret(table: Table, secret: str, values: Array, classes: Sequence[int] = ()) -> Table:
    """Add a secret to the columns that a table has, as classes by code; `classes` are all there may be."""
    last = max(max(classes, default=0), int(values.max(initial=0)))
    levels = tuple(str(code) for code in range(1, max(last, 1) + 1))
    column = Column(secret, Kind.CATEGORICAL, Role.SECRET, levels=levels)
    smallest = values.astype(np.min_scalar_type(last))
    return Table(Schema((*table.schema.columns, column)), (*table.columns, smallest))
