"""Whole rows of secrets and look-ups by all keys, as answers in the test of all attacks."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.auditing.evidence.attribute.joint_answers import with_joint_answers
from seethrough.auditing.evidence.battery import run_battery
from seethrough.auditing.evidence.pool import make_pool
from seethrough.data.schema import Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade, LeakFamily


def with_secrets(table, *names):
    columns = tuple(
        replace(column, role=Role.SECRET if column.name in names else Role.NONE) for column in table.schema.columns
    )
    return Table(Schema(columns), table.columns)


def answered(real, outside, release):
    pool = make_pool((real, outside, release), 0, Budget(threads=1))
    battery = run_battery(pool, (), (Dcr(),), 0)
    return pool, with_joint_answers(battery, pool).answers


def test_a_whole_row_is_the_product_of_what_is_right_about_each_secret(sample):
    tables = [with_secrets(sample(120, seed), "ill", "job", "age") for seed in (1, 2, 3)]
    _, answers = answered(*tables)
    single = [answer for answer in answers if answer.name == "dcr" and answer.secrets_at_once == 1]
    [whole] = [answer for answer in answers if answer.secrets_at_once > 1]
    assert [answer.secret for answer in single] == ["job", "age", "ill"]
    assert (whole.label, whole.secrets_at_once) == ("dcr (all 3 secrets)", 3)
    assert whole.scores == pytest.approx(single[0].scores * single[1].scores * single[2].scores)
    assert whole.asked.all()


def test_people_who_do_not_show_every_secret_have_no_whole_row(sample):
    real, outside, release = (with_secrets(sample(120, seed), "ill", "job") for seed in (1, 2, 3))
    job = real.columns[0].copy()
    job[:30] = 0
    real = Table(real.schema, (job, *real.columns[1:]))
    pool, answers = answered(real, outside, release)
    [whole] = [answer for answer in answers if answer.secrets_at_once > 1]
    assert not whole.asked[np.flatnonzero(pool.people.column("job") == 0)].any()
    assert whole.asked.sum() == len(pool.members) - 30


def test_one_secret_has_no_whole_row_and_none_named_no_look_up(sample):
    assert all(answer.secrets_at_once == 1 for answer in answered(*(sample(100, seed) for seed in (1, 2, 3)))[1])
    nameless = answered(*(with_secrets(sample(100, seed)) for seed in (1, 2, 3)))[1]
    assert {answer.name for answer in nameless} == {"dcr"}


def test_a_look_up_counts_those_who_are_alone(sample):
    real = sample(200, 1)
    pool, answers = answered(real, sample(200, 2), real)
    lookups = {answer.name: answer for answer in answers if answer.name.startswith("key-lookup")}
    assert set(lookups) == {"key-lookup", "key-lookup-10", "key-lookup-40"}
    exact = lookups["key-lookup"]
    assert (exact.scores[exact.asked & pool.members] == 1).all()
    assert (exact.scores[exact.asked & ~pool.members] == 0).all()


def test_they_take_part_in_the_verdict(sample, evidence_on):
    real = sample(200, 1)
    found = evidence_on(real, sample(200, 2), real)
    [lookup] = [attack for attack in found.attacks if attack.label == "key-lookup (ill)"]
    assert (lookup.members, lookup.outsiders) == (1, 0)
    assert lookup.p_adjusted <= 0.01
    assert found[LeakFamily.ATTRIBUTE].grade is Grade.SEVERE
