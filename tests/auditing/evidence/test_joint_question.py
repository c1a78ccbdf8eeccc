"""All named secrets asked for together: the answers are those of single questions, and nothing else is let through."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from seethrough.attacks.attribute.air import Air
from seethrough.attacks.attribute.cobp import Cobp
from seethrough.attacks.attribute.gcap import Gcap
from seethrough.auditing.evidence.battery import run_battery
from seethrough.auditing.evidence.grading import attack_evidence
from seethrough.auditing.evidence.joint_question import joint_question
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.evidence.secrets import questions
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.data.schema import Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.protocols.attack import Guesses
from seethrough.results.evidence import LeakFamily
from seethrough.seeds import stream

SECRETS = ("town", "income", "ill")


def with_secrets(table, names=SECRETS, missing=False):
    columns = tuple(
        replace(column, role=Role.SECRET if column.name in names else Role.NONE) for column in table.schema.columns
    )
    values = list(table.columns)
    if missing:
        values[1] = np.where(np.arange(len(table)) % 7 == 0, 0, values[1]).astype(np.uint8)
    return Table(Schema(columns), tuple(values))


def pool_of(sample, names=SECRETS, missing=False):
    real, outside = (with_secrets(sample(120, seed), names, missing) for seed in (1, 2))
    return make_pool((real, outside, real.take(np.arange(100))), 0, Budget(threads=1))


class Apart:
    """A joint attack that answers for one secret after the other, and keeps what it was shown."""

    name = "apart"

    def __init__(self):
        self.views, self.inside = (), None

    def guess(self, view, rng):
        return Gcap().guess(view, rng)

    def guess_all(self, views, rng, inside=None):
        self.views, self.inside = views, inside
        return tuple(self.guess(view, rng) for view in views)


@pytest.mark.parametrize("missing", [False, True])
def test_the_answers_are_those_of_single_questions(sample, missing):
    pool = pool_of(sample, missing=missing)
    asked = questions(pool, 0)
    together = joint_question(asked).ask(Apart(), pool, stream(0, "any"))
    for question, found in zip(asked, together, strict=True):
        alone = question.ask(Gcap(), pool, stream(0, "other"))
        for name in ("hits", "given", "truth", "ranking"):
            np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
        assert not found.hits[~question.asked].any()


def test_all_views_show_the_same_people_and_rows_without_any_secret_among_the_known(sample):
    pool, attack = pool_of(sample, missing=True), Apart()
    asked = questions(pool, 0)
    joint_question(asked).ask(attack, pool, stream(0, "any"))
    assert len({id(view.known) for view in attack.views}) == 1
    assert len({id(view.released) for view in attack.views}) == 1
    assert {column.name for column in attack.views[0].known.schema.used} == {"job", "age"}
    assert attack.inside.sum() == pool.members.sum()
    assert [view.secret for view in attack.views] == list(SECRETS)
    # Rows that lack one secret are there for the others.
    assert len(attack.views[0].released[0]) == len(pool.release)


def test_one_secret_or_columns_in_turn_are_not_put_together(sample):
    assert joint_question(questions(pool_of(sample, ("ill",)), 0)) is None
    assert joint_question(questions(pool_of(sample, ()), 0)) is None
    assert len(joint_question(questions(pool_of(sample), 0)).parts) == 3


def test_the_battery_asks_a_joint_attack_once_and_gets_an_answer_for_each_secret(sample):
    attack = Apart()
    told = []

    def attacking(label, share):
        told.append(label)
        return nullcontext()

    found = run_battery(pool_of(sample), (), (Gcap(), attack), 0, attacking)
    assert [answer.label for answer in found.answers if answer.name == "apart"] == [
        f"apart ({name})" for name in SECRETS
    ]
    assert told == [*(f"gcap ({name})" for name in SECRETS), "apart"]
    assert not found.failed
    single = run_battery(pool_of(sample, ("ill",)), (), (attack,), 0)
    assert [answer.label for answer in single.answers] == ["apart (ill)"]


def test_a_joint_attack_that_does_not_apply_says_why(sample):
    real, outside = with_secrets(sample(120, 1)), with_secrets(sample(120, 2))
    silent = Table(real.schema, (real.columns[0], np.zeros(120, np.uint8), *real.columns[2:]))
    pool = make_pool((real, outside, silent), 0, Budget(threads=1))
    found = run_battery(pool, (), (Cobp(),), 0)
    assert found.missing == ((LeakFamily.ATTRIBUTE, "cobp: no released row shows 'town'"),)


def test_cobp_sees_a_copy_and_no_leak_in_other_people(sample):
    real, outside, others = (with_secrets(sample(150, seed)) for seed in (1, 2, 3))
    for release, low, high in ((real, 0.2, 1.0), (others, -0.2, 0.2)):
        pool = make_pool((real, outside, release), 0, Budget(threads=1))
        for answer in run_battery(pool, (), (Cobp(), Cobp("forest")), 0).answers:
            leak = answer.scores[pool.members].mean() - answer.scores[~pool.members].mean()
            assert low < leak < high, (answer.label, leak)


def test_guesses_of_nothing_are_no_hits_in_the_pool(sample):
    class Silent(Apart):
        def guess(self, view, rng):
            return Guesses(np.zeros((len(view.targets), len(view.classes))), np.zeros(len(view.targets)), {})

    pool = pool_of(sample)
    for question in questions(pool, 0):
        assert not question.ask(Silent(), pool, stream(0, "any")).hits.any()


def test_a_number_is_right_within_the_tolerance_where_an_attack_names_numbers(sample):
    pool = pool_of(sample, ("income",))
    [answer] = run_battery(pool, (), (Air(),), 0).answers
    assert answer.measure == "have their 'income' guessed right, within 10 % of it"
    incomes = pool.people.column("income")
    assert set(np.unique(answer.scores)) <= {0.0, 1.0}
    # By the definition, person by person.
    released = pool.release
    for row in range(0, len(incomes), 17):
        apart = sum(
            (pool.people.column(name)[row] != released.column(name)).astype(float) for name in ("job", "town", "ill")
        )
        span = pool.people.schema["age"].high - pool.people.schema["age"].low
        apart = apart + np.square((pool.people.column("age")[row] - released.column("age")) / span)
        guess = np.median(released.column("income")[apart <= apart.min() + 1e-12])
        assert answer.scores[row] == (abs(guess - incomes[row]) <= 0.1 * incomes[row])
    # Rare values are told by the tenths of all people.
    assert len(np.unique(answer.truth)) == 10


def test_the_mean_share_of_right_values_is_told_beside_the_hits(sample):
    pool = pool_of(sample, ("ill",))
    [answer] = run_battery(pool, (), (Gcap(),), 0).answers
    [found] = attack_evidence([answer], pool.members, compare_groups([answer], pool.members, stream(0, "p"), 99), 0.95)
    mine, others = (100 * answer.exposure[group].mean() for group in (pool.members, ~pool.members))
    assert found.notes == (
        f"nearest released rows that show the right value: {mine:.1f} of 100 for members, {others:.1f} for others",
    )
