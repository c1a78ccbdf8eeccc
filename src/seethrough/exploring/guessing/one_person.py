"""What an attacker guesses of one person: from the release, from people outside, and from nobody."""

import numpy as np

from seethrough.bench.person.example import same_values
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.exploring.answers.attackers import (
    IMPUTATION,
    NOBODY,
    OUTSIDE,
    RELEASE,
    OneMore,
    SecretGuess,
    ShareOfValue,
    SourcedGuess,
)
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.guessing.crowd import SecretAsked
from seethrough.exploring.guessing.strategies import BY_ROWS, GuessRows, differing, nearest_to_one
from seethrough.exploring.guessing.whole_table import scores_of_one
from seethrough.kernels.arrays import Bools, Floats

MOST_SHOWN = 12
"""Values that are listed with their share."""
NOT_QUICK = "every further column would take a model of its own; choose gcap or dcr to see which column tells most"


def guess_one(asked: SecretAsked, person: Person) -> SecretGuess:
    """Guess the secret of one person from all sources."""
    release = asked.release
    from_release = _from_rows(asked, person, asked.released, RELEASE)
    if release.holdout is not None:
        outside = _from_rows(asked, person, release.holdout.table, OUTSIDE)
    else:
        others = _others(person, release.train.table)
        outside = _from_rows(asked, person, release.train.table.take(np.flatnonzero(others)), IMPUTATION)
    known_before = {each.value: each.share for each in outside.shares}
    secret = asked.secret.column.name
    truth = asked.secret.labels[int(asked.classes_in(person.values)[0])] if secret in person.known else None
    return SecretGuess(
        secret=secret,
        known=asked.known,
        attack=asked.attack,
        release=from_release,
        outside=outside,
        nobody=_from_nobody(asked),
        moved=from_release.share - known_before.get(from_release.value, 0.0),
        truth=truth,
    )


def one_more(asked: SecretAsked, person: Person) -> OneMore:
    """Try every further column that is known of the person; the one that makes the guess surest, and how sure."""
    left = [name for name in person.known if name not in asked.known and name != asked.secret.column.name]
    rows = asked.rows_of(asked.released)
    before = float(_shares_by_rows(asked.attack, person.values, rows)[0].max()) if asked.attack in BY_ROWS else np.nan
    if asked.attack not in BY_ROWS:
        return OneMore("", before, before, (), NOT_QUICK)
    found = []
    differs = differing(person.values, asked.released, asked.known)
    for name in left:
        if asked.attack == "gcap":
            apart = differs + ~same_values(person.values.column(name), asked.released.column(name))
            nearest = np.flatnonzero(apart == apart.min())
        else:
            more = GuessRows(rows.table, (*asked.known, name), rows.classes, rows.count)
            nearest = nearest_to_one(asked.attack, person.values, more).rows
        shares = np.bincount(rows.classes[nearest], minlength=rows.count) / len(nearest)
        found.append((ShareOfValue(name, float(shares.max())), len(nearest)))
    if not found:
        return OneMore("", before, before, ())
    surest, _ = max(found, key=lambda each: (each[0].share, each[1]))
    return OneMore(surest.value, before, surest.share, tuple(each for each, _ in found))


def _from_rows(asked: SecretAsked, person: Person, table: Table, source: str) -> SourcedGuess:
    """Guess from the rows of a table."""
    rows = asked.rows_of(table)
    if not len(table):
        return SourcedGuess(source, "", 0.0, reason="there are no rows to guess from")
    if asked.attack in BY_ROWS:
        shares, nearest, distance = _shares_by_rows(asked.attack, person.values, rows)
        best = int(shares.argmax())
        agreeing = round(float(shares[best]) * nearest)
        return _told(asked, source, shares, agreeing, nearest, distance)
    try:
        return _told(asked, source, scores_of_one(asked, person, rows, source))
    except NotApplicable as reason:
        return SourcedGuess(source, "", 0.0, reason=str(reason))


def _shares_by_rows(attack: str, person: Table, rows: GuessRows) -> tuple[Floats, int, float]:
    near = nearest_to_one(attack, person, rows)
    counts = np.bincount(rows.classes[near.rows], minlength=rows.count)
    return counts / len(near.rows), len(near.rows), near.distance


def _told(
    asked: SecretAsked,
    source: str,
    shares: Floats,
    agreeing: int | None = None,
    rows: int | None = None,
    distance: float | None = None,
) -> SourcedGuess:
    """Say what speaks for which value; of equal ones the first value stands first."""
    order = [int(each) for each in np.argsort(-shares, kind="stable") if shares[each] > 0]
    if not order:
        return SourcedGuess(source, "", 0.0, reason="nothing speaks for any value")
    listed = tuple(ShareOfValue(asked.secret.labels[each], float(shares[each])) for each in order[:MOST_SHOWN])
    return SourcedGuess(source, listed[0].value, listed[0].share, listed, agreeing, rows, distance)


def _from_nobody(asked: SecretAsked) -> SourcedGuess:
    """Guess the most frequent value of real people who show one."""
    classes = asked.classes_in(asked.release.train.table)
    counts = np.bincount(classes[classes > 0], minlength=len(asked.secret))
    return _told(asked, NOBODY, counts / max(int(counts.sum()), 1))


def _others(person: Person, real: Table) -> Bools:
    """Tell who among real people is somebody else: not the row itself, nor one typed in with all its values."""
    if person.row is not None:
        return np.asarray(np.arange(len(real)) != person.row)
    if len(person.known) < len(real.columns):
        return np.ones(len(real), bool)
    found: Bools = differing(person.values, real, person.known) > 0
    return found
