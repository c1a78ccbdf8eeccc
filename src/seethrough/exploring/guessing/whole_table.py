"""Models asked about everybody at once: recon solves for the whole real table, a learner is taught once for all."""

import numpy as np

from seethrough.data.rows import stack_tables
from seethrough.exploring.answers.attackers import IMPUTATION
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.guessing.crowd import SecretAsked
from seethrough.exploring.guessing.strategies import GuessRows, guess_many
from seethrough.kernels.arrays import Floats

MOST_KEPT = 8
"""Answers that are kept: each has a share for every person and class."""


def scores_of_everybody(asked: SecretAsked, rows: GuessRows, source: str) -> Floats:
    """Tell all real people, then the drawn people outside; the same question is answered once."""
    question = asked.attack, asked.secret.column.name, asked.known, source, id(asked.released)
    if question not in asked.kept:
        real, holdout = asked.release.train.table, asked.release.holdout
        people = real
        if holdout is not None:
            outside = holdout.table
            people = stack_tables([real, outside.take(asked.drawn_from(outside, "people outside"))])
        inside = np.arange(len(people)) < len(real)
        while len(asked.kept) >= MOST_KEPT:
            asked.kept.pop(next(iter(asked.kept)))
        asked.kept[question] = guess_many(asked.attack, people, inside, rows, asked.seed, asked.budget)
    return asked.kept[question]


def scores_of_one(asked: SecretAsked, person: Person, rows: GuessRows, source: str) -> Floats:
    """Look a real person up; one who was typed in is told alone, for recon as joined to the real table.

    Rows of other real people are not the same for everybody, so that nobody else is told from them.
    """
    real = asked.release.train.table
    if person.row is not None and source != IMPUTATION:
        return np.asarray(scores_of_everybody(asked, rows, source)[person.row])
    if asked.attack != "recon":
        return np.asarray(guess_many(asked.attack, person.values, np.ones(1, bool), rows, asked.seed, asked.budget)[0])
    if person.row is not None:
        inside = np.arange(len(real)) != person.row
        return np.asarray(guess_many("recon", real, inside, rows, asked.seed, asked.budget)[person.row])
    people = stack_tables([real, person.values])
    inside = np.arange(len(people)) < len(real)
    return np.asarray(guess_many("recon", people, inside, rows, asked.seed, asked.budget)[-1])
