"""Of how many of 100 people a guess is right: people in the table beside people outside, or beside imputation.

The people are drawn, the same every time. With people outside, both kinds are guessed from the release, and what is
right for more people in the table is what the release adds. Without them the same real people are guessed from rows of
other real people (five folds), and the difference is taken person by person; its interval is widened by 1.3, because a
release is one draw, which the spread over people does not show (as `auditing/evidence/attribute/other_people.py`).
"""

from math import sqrt

import numpy as np

from seethrough.auditing.evidence.attribute.other_people import WIDENED
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.exploring.answers.attackers import RELEASE, Rightness
from seethrough.exploring.guessing.crowd import SecretAsked
from seethrough.exploring.guessing.strategies import BY_ROWS, guess_many
from seethrough.exploring.guessing.whole_table import scores_of_everybody
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.scores import expected_hits
from seethrough.kernels.statistics.intervals import bounded_mean, difference, normal_quantile
from seethrough.seeds import stream

FOLDS = 5
FEWEST = 10
"""People of a kind below which a share says nothing."""
CONFIDENCE = 0.95


def people_right(asked: SecretAsked) -> Rightness:
    """Count how many are guessed right, and what the release adds, with its interval."""
    real = asked.release.train.table
    inside = _enough(asked.drawn_from(real, "people"), "real people")
    if asked.release.holdout is None:
        return _beside_imputation(asked, inside)
    outside = asked.release.holdout.table
    others = _enough(asked.drawn_from(outside, "people outside"), "people outside")
    mine, theirs = _hits(asked, (real, inside), (outside, others))
    rng = stream(asked.seed, "intervals of an exploration")
    first, second = ((float(hits.mean()), bounded_mean(hits, CONFIDENCE, rng)) for hits in (mine, theirs))
    low, high = difference(first, second)
    return _stated(asked, (first[0], second[0]), (low, high), (len(mine), len(theirs)), "people outside")


def _enough(rows: Ints, who: str) -> Ints:
    if len(rows) < FEWEST:
        raise NotApplicable(f"{len(rows)} {who} show the secret; at least {FEWEST} are needed")
    return rows


def _stated(
    asked: SecretAsked, shares: tuple[float, float], ends: tuple[float, float], people: tuple[int, int], against: str
) -> Rightness:
    inside, outside = (100 * share for share in shares)
    low, high = (100 * end for end in ends)
    added = inside - outside
    return Rightness(
        asked.secret.column.name,
        asked.known,
        asked.attack,
        inside,
        outside,
        added,
        min(low, added),
        max(high, added),
        *people,
        against,
        CONFIDENCE,
    )


def _hits(asked: SecretAsked, mine: tuple[Table, Ints], theirs: tuple[Table, Ints]) -> tuple[Floats, Floats]:
    """Guess people of both kinds from the release; models are asked about everybody at once."""
    (real, inside), (outside, others) = mine, theirs
    rows = asked.rows_of(asked.released)
    if asked.attack not in BY_ROWS:
        scores = scores_of_everybody(asked, rows, RELEASE)
        scores = scores[np.concatenate([inside, len(real) + np.arange(len(others))])]
    else:
        people = stack_tables([real.take(inside), outside.take(others)])
        scores = guess_many(asked.attack, people, np.arange(len(people)) < len(inside), rows, asked.seed, asked.budget)
    truth = np.concatenate([asked.classes_in(real)[inside], asked.classes_in(outside)[others]])
    hits = expected_hits(scores, truth)
    return hits[: len(inside)], hits[len(inside) :]


def _beside_imputation(asked: SecretAsked, inside: Ints) -> Rightness:
    """Compare guesses from the release with guesses from other real people, person by person."""
    if asked.attack == "recon":
        raise NotApplicable("recon is compared with people outside, and nobody was kept out of the synthesis")
    real = asked.release.train.table
    people, truth = real.take(inside), asked.classes_in(real)[inside]
    everybody = np.ones(len(inside), bool)
    rows = asked.rows_of(asked.released)
    mine = expected_hits(guess_many(asked.attack, people, everybody, rows, asked.seed, asked.budget), truth)
    theirs, fold = np.zeros(len(inside)), np.arange(len(inside)) % FOLDS
    for part in range(FOLDS):
        some = np.flatnonzero(fold == part)
        others = np.setdiff1d(np.arange(len(real)), inside[some])
        rows = asked.rows_of(real.take(others))
        scores = guess_many(asked.attack, people.take(some), everybody[some], rows, asked.seed, asked.budget)
        theirs[some] = expected_hits(scores, truth[some])
    gained = mine - theirs
    half = normal_quantile(CONFIDENCE) * WIDENED * float(gained.std(ddof=1)) / sqrt(len(gained))
    value = float(gained.mean())
    means = float(mine.mean()), float(theirs.mean())
    return _stated(asked, means, (value - half, value + half), (len(mine), len(mine)), "imputation")
