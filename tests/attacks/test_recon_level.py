"""How often the leak test of recon raises a false alarm, and whether joining people one by one changes the leak."""

import numpy as np
import pytest

from seethrough.attacks.attribute.recon import Recon
from seethrough.data import samples
from seethrough.data.reading.release_tables import read_release
from seethrough.data.rows import stack_tables
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.protocols.attack import AttributeView

ATTACK = Recon(variant="gls", whole=True)
SECRET = "sex"


@pytest.fixture(scope="module")
def survey():
    frame = samples.acs()
    return read_release(frame, [frame], secrets=[SECRET]).train.table


def hits_of(people, released, inside=None):
    """Give the hits for all people, by the form that tells members apart where `inside` says who they are."""
    names = [column.name for column in people.schema.used if column.name != SECRET]
    view = AttributeView(people.project(names), (released,), SECRET, (1, 2), np.arange(len(people)), Budget(threads=1))
    rng = np.random.default_rng(0)
    found = ATTACK.guess(view, rng) if inside is None else ATTACK.guess_joined(view, inside, rng)
    return expected_hits(found.scores, people.column(SECRET).astype(int) - 1)


def p_of(hits, inside, rng, permutations=1999):
    observed = hits[inside].sum()
    drawn = np.array([rng.permutation(hits)[: inside.sum()].sum() for _ in range(permutations)])
    return (1 + (drawn >= observed - 1e-9).sum()) / (permutations + 1)


@pytest.mark.slow
@pytest.mark.parametrize("in_parts", [False, True])
def test_false_alarms_on_releases_that_owe_nothing_to_members(survey, in_parts, monkeypatch):
    if in_parts:
        monkeypatch.setattr("seethrough.attacks.attribute.recon.DENSE", 0)
    count, alarms = 120, 0
    for seed in range(200):
        rng = np.random.default_rng([seed, 1])
        rows = rng.permutation(len(survey))[: 3 * count]
        released = survey.take(rng.choice(rows[2 * count :], count))
        inside = np.arange(2 * count) < count
        hits = hits_of(survey.take(rows[: 2 * count]), released, inside)
        alarms += p_of(hits, inside, rng) <= 0.05
    assert 0.01 <= alarms / 200 <= 0.09


@pytest.mark.slow
def test_the_leak_is_that_of_two_attacks_on_a_table_each(survey):
    count, joined, apart, together = 500, [], [], []
    for seed in range(10):
        rng = np.random.default_rng([seed, 2])
        rows = rng.permutation(len(survey))[: 2 * count]
        members, outside = survey.take(rows[:count]), survey.take(rows[count:])
        released = members.take(rng.integers(0, count, count))
        people, inside = stack_tables([members, outside]), np.arange(2 * count) < count
        hits = hits_of(people, released, inside)
        joined.append(hits[inside].mean() - hits[~inside].mean())
        apart.append(hits_of(members, released).mean() - hits_of(outside, released).mean())
        hits = hits_of(people, released)
        together.append(hits[inside].mean() - hits[~inside].mean())
    for other in (apart, together):
        error = np.hypot(*(np.std(leaks, ddof=1) / np.sqrt(10) for leaks in (joined, other)))
        assert abs(np.mean(joined) - np.mean(other)) <= 3 * error
    assert min(joined) > 0.1
