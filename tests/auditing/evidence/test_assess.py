"""Verdicts on releases whose leak is known."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.results.evidence import Grade, LeakFamily


def with_column(table, name, values):
    place = [column.name for column in table.schema.used].index(name)
    return Table(table.schema, (*table.columns[:place], values, *table.columns[place + 1 :]))


def test_a_copy_is_severe_in_every_family(sample, evidence_on):
    real = sample(200, 1)
    found = evidence_on(real, sample(200, 2), real)
    assert found.verdict.grade is Grade.SEVERE
    assert [finding.grade for finding in found.findings] == [Grade.SEVERE] * 3
    assert found[LeakFamily.IDENTITY].members == 1
    assert len({person.row for person in found.people}) == 200
    assert all(person.released_row == person.row for person in found.people)


def test_an_independent_sample_leaks_nothing_and_it_is_said_what_would_have_been_found(sample, evidence_on):
    found = evidence_on(sample(300, 1), sample(300, 2), sample(300, 3))
    assert found.verdict.grade is Grade.NO_LEAK_FOUND
    assert found.people == ()
    assert "would have been found with a chance of 80 %" in found.verdict.sentence
    assert all(0 < finding.detectable < 0.3 for finding in found.findings)


def test_everybody_rated_has_a_p_and_nobody_is_listed_where_no_leak_was_found(sample, evidence_on):
    found = evidence_on(sample(300, 1), sample(300, 2), sample(300, 3))
    assert [each.family for each in found.at_risk] == list(LeakFamily)
    for each in found.at_risk:
        rated = each.p[~np.isnan(each.p)]
        assert len(each.p) == 300
        assert len(rated) > 0
        assert ((rated > 0) & (rated <= 1)).all()
        assert not each.listed.any()


def test_a_sentence_begins_with_the_deciding_fact(sample, evidence_on):
    real = sample(200, 1)
    found = evidence_on(real, sample(200, 2), real)
    assert found.verdict.sentence.startswith(("In 100 of 100 pairs ", "100 of 100 members "))
    assert found.verdict.decided_by.split(":")[0] in {family.value for family in LeakFamily}


def test_a_secret_that_is_a_coin_is_not_leaked_by_people_of_another_sample(sample, evidence_on):
    grades = [
        evidence_on(*(sample(150, seed + part, coin=True) for part in range(3)), seed=seed)[LeakFamily.ATTRIBUTE].grade
        for seed in range(10, 40, 3)
    ]
    assert sum(grade.is_leak for grade in grades) <= 1


def test_people_outside_of_another_population_make_nothing_testable(sample, evidence_on):
    other = sample(300, 2)
    other = with_column(other, "age", other.column("age") + 15)
    found = evidence_on(sample(300, 1), other, sample(300, 1))
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert "differ without any release" in found.verdict.sentence
    assert {attack.p_adjusted for attack in found.attacks} == {None}


def test_fewer_than_30_people_outside_cannot_tell(sample, evidence_on):
    found = evidence_on(sample(100, 1), sample(29, 2), sample(100, 1))
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert "29 people; at least 30 are needed" in found.verdict.sentence


@pytest.mark.parametrize("name", ["job", "income"])
def test_a_recoded_column_is_untestable_and_not_private(sample, evidence_on, name):
    third = sample(300, 3)
    values = third.column(name)
    changed = with_column(third, name, values + 20 if name == "job" else -values)
    found = evidence_on(sample(300, 1), sample(300, 2), changed)
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert f"Column '{name}' cannot be compared" in found.verdict.sentence


def test_a_recoded_column_in_which_all_people_are_alike_hides_nothing(sample, evidence_on):
    real, outside, release = (
        with_column(sample(300, seed), "income", np.full(300, income))
        for seed, income in ((1, 1.0), (2, 1.0), (3, 0.9))
    )
    found = evidence_on(real, outside, release)
    assert found.verdict.grade is Grade.NO_LEAK_FOUND
    assert all(not finding.cannot_tell for finding in found.findings)


def test_a_leak_that_shows_without_the_recoded_column_stands(sample, evidence_on):
    real = sample(300, 1)
    copy = with_column(real, "job", real.column("job") + 20)
    found = evidence_on(real, sample(300, 2), copy)
    assert found.verdict.grade is Grade.SEVERE
    assert any("'job'" in reason for reason in found[LeakFamily.MEMBERSHIP].cannot_tell)


@pytest.mark.parametrize(
    "change",
    [
        lambda t, rng: with_column(t, "income", t.column("income") + 1e-9),
        lambda t, rng: with_column(t, "income", np.round(t.column("income"), 1)),
        lambda t, rng: with_column(t, "age", t.column("age") + 1),
        lambda t, rng: with_column(t, "town", rng.permutation(t.column("town"))),
        lambda t, rng: with_column(t, "income", rng.permutation(t.column("income"))),
    ],
    ids=["shifted by 1e-9", "rounded", "moved by one", "a category permuted", "a number permuted"],
)
def test_real_rows_changed_a_little_are_found(sample, evidence_on, change):
    real = sample(400, 1)
    found = evidence_on(real, sample(400, 2), change(real, np.random.default_rng(0)))
    assert found.verdict.grade >= Grade.CLEAR


def test_half_copied_and_half_from_elsewhere_is_found(sample, evidence_on):
    real = sample(300, 1)
    found = evidence_on(real, sample(300, 2), stack_tables([real.take(np.arange(150)), sample(150, 5)]))
    assert found.verdict.grade is Grade.SEVERE


def test_one_absurd_value_hides_nothing(sample, evidence_on):
    real = sample(300, 1)
    income = real.column("income").astype(float).copy()
    income[0] = 1e12
    found = evidence_on(real, sample(300, 2), with_column(real, "income", income))
    assert found.verdict.grade is Grade.SEVERE


def test_the_order_of_rows_changes_nothing(sample, evidence_on):
    real, outside, release = sample(150, 1), sample(150, 2), sample(150, 1)
    rng = np.random.default_rng(0)
    shuffled = [table.take(rng.permutation(150)) for table in (real, outside, release)]
    first, second = evidence_on(real, outside, release), evidence_on(*shuffled)
    strip = [replace(attack, seconds=0.0) for attack in first.attacks]
    again = [replace(attack, seconds=0.0) for attack in second.attacks]
    assert strip == again
    assert first.verdict == second.verdict


def test_grades_can_be_set(sample, evidence_on):
    from seethrough.results.evidence import GradeLimits

    real = sample(200, 1)
    found = evidence_on(real, sample(200, 2), real, limits=GradeLimits(0.5, 1.0, "the custodian"))
    assert found.verdict.grade is Grade.CLEAR
    assert found.to_dict()["evidence"]["grades"] == {"clear": 0.5, "severe": 1.0, "set_by": "the custodian"}


@pytest.mark.slow
def test_leak_free_releases_are_called_leaking_in_at_most_one_of_twenty(sample, evidence_on):
    found = [evidence_on(*(sample(120, 3 * seed + part) for part in range(3)), seed=seed) for seed in range(200)]
    leaks = sum(each.verdict.grade.is_leak for each in found)
    assert leaks <= 18  # 200 audits at 5 %: 10 expected, and 18 or fewer with a chance of 99.5 %
