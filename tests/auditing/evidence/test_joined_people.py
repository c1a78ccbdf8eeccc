"""Attacks that solve for a whole table are told who is in it; all others are not."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from seethrough.auditing.checks.targets import guess_for_everybody
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.evidence.secrets import questions
from seethrough.kernels.budget import Budget
from seethrough.protocols.attack import AttributeView, Guesses
from seethrough.seeds import stream


@dataclass(frozen=True)
class SaysWhoIsInside:
    """Gives the first class to members and the second to the others, where it may."""

    joins: bool
    name: ClassVar[str] = "says-who-is-inside"

    def guess(self, view, rng):
        return Guesses(np.tile([0.75, 0.25], (len(view.targets), 1)), np.zeros(len(view.targets)), {})

    def guess_joined(self, view, inside, rng):
        if not self.joins:
            return None
        scores = np.column_stack([inside, ~inside]).astype(float)
        return Guesses(scores, np.ones(len(inside)), {}, ranking=inside[:, None].astype(float))


@pytest.mark.parametrize("joins", [True, False])
def test_answers_come_back_to_the_people_they_are_about(sample, joins):
    pool = make_pool((sample(100, 1), sample(80, 2), sample(90, 3)), 0, Budget(threads=1))
    [question] = questions(pool, 0)
    found = question.ask(SaysWhoIsInside(joins), pool, stream(0, "attack"))
    first = question.truth == 0
    expected = (pool.members == first) if joins else first
    np.testing.assert_array_equal(found.hits, expected.astype(float))
    np.testing.assert_allclose(found.ranking[:, 0], pool.members if joins else 0.5)


def test_people_who_are_alike_share_their_scores_within_their_group(sample):
    # Two members and two people outside with the same columns.
    known = sample(1, 1).project(["job", "age"]).take(np.zeros(4, np.int64))
    inside = np.array([True, True, False, False])

    @dataclass(frozen=True)
    class Counts:
        name: ClassVar[str] = "counts"

        def guess(self, view, rng):
            scores = np.array([0.0, 0.2, 0.4, 0.6])
            return Guesses(np.column_stack([scores, 1 - scores]), np.zeros(4), {})

    class CountsJoined(Counts):
        def guess_joined(self, view, inside, rng):
            return self.guess(view, rng)

    view = AttributeView(known, (), "ill", (1, 2), np.arange(4), Budget(threads=1))
    rng = np.random.default_rng(0)
    assert guess_for_everybody(Counts(), view, inside, rng).scores[:, 0] == pytest.approx([0.3] * 4)
    apart = guess_for_everybody(CountsJoined(), view, inside, rng).scores[:, 0]
    assert apart == pytest.approx([0.1, 0.1, 0.5, 0.5])
