"""Reconstruction for everybody at once: it solves for the whole real table, with people outside joined one by one."""

import numpy as np

from seethrough.data.rows import stack_tables
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.guessing.crowd import SecretAsked
from seethrough.exploring.guessing.strategies import GuessRows, guess_many
from seethrough.kernels.arrays import Floats

MOST_KEPT = 8
"""Solutions that are kept: each has a share for every person and class."""


def scores_of_everybody(asked: SecretAsked, rows: GuessRows, source: str) -> Floats:
    """Solve for all real people, then the drawn people outside; the same question is solved once."""
    question = asked.secret.column.name, asked.known, source, id(asked.released)
    if question not in asked.kept:
        real, holdout = asked.release.train.table, asked.release.holdout
        people = real
        if holdout is not None:
            outside = holdout.table
            people = stack_tables([real, outside.take(asked.drawn_from(outside, "people outside"))])
        inside = np.arange(len(people)) < len(real)
        while len(asked.kept) >= MOST_KEPT:
            asked.kept.pop(next(iter(asked.kept)))
        asked.kept[question] = guess_many("recon", people, inside, rows, asked.seed, asked.budget)
    return asked.kept[question]


def scores_of_one(asked: SecretAsked, person: Person, rows: GuessRows, source: str) -> Floats:
    """Look a real person up; one who was typed in is joined to the real table."""
    real = asked.release.train.table
    if person.row is not None:
        return np.asarray(scores_of_everybody(asked, rows, source)[person.row])
    people = stack_tables([real, person.values])
    inside = np.arange(len(people)) < len(real)
    return np.asarray(guess_many("recon", people, inside, rows, asked.seed, asked.budget)[-1])
