"""An audit tells the evidence before the checks, attacks before the rest, and numbers depend on neither."""

import random

import polars as pl
import pytest

import seethrough as st
from seethrough.results.card import Evidence
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.outcome import Measured

CHECKS = ["ks", "gcap", "dcr", "membership", "nndr", "zcap", "crp", "auth"]


@pytest.fixture(scope="module")
def tables():
    release = st.samples.acs_release()
    return (
        release.real[:200],
        {"one": release.synthetic[:200], "two": release.synthetic[200:350]},
        release.holdout[:150],
    )


def explore(tables, checks=CHECKS):
    return st.explore(*tables, secret="employed", checks=checks)


@pytest.fixture(scope="module")
def heard(tables):
    told, exploration = [], explore(tables)
    report = exploration.run(told=lambda name, found: told.append((name, found)))
    return told, report


def test_the_evidence_of_every_release_is_told_first_and_is_that_of_the_report(heard):
    told, report = heard
    assert [(name, type(found)) for name, found in told[:2]] == [("one", ReleaseEvidence), ("two", ReleaseEvidence)]
    for (_, found), table in zip(told, report.tables, strict=False):
        assert found is table.evidence


def test_every_check_is_told_once_for_each_release_and_attacks_come_first(heard):
    told, report = heard
    for table in report.tables:
        mine = [found for name, found in told[2:] if name == table.synthetic.name]
        assert sorted(found.check for found in mine) == sorted(CHECKS)
        assert {id(found) for found in mine} == {id(outcome) for outcome in table.outcomes}
        kinds = [found.card.evidence is Evidence.ATTACK for found in mine]
        assert kinds == sorted(kinds, reverse=True)
        assert any(kinds)
        assert not all(kinds)


def test_outcomes_keep_the_order_that_was_asked_for(heard):
    _, report = heard
    assert [outcome.check for outcome in report.tables[0]] == CHECKS


def test_numbers_do_not_depend_on_the_order_of_checks(heard, tables):
    _, report = heard
    shuffled = random.Random(1).sample(CHECKS, len(CHECKS))
    other = explore(tables, shuffled).run()
    for one, two in zip(report.tables, other.tables, strict=True):
        assert one.evidence.verdict == two.evidence.verdict
        assert [attack.leak for attack in one.evidence.attacks] == [attack.leak for attack in two.evidence.attacks]
        for check in CHECKS:
            assert numbers(one[check]) == numbers(two[check]), check


def numbers(outcome):
    assert isinstance(outcome, Measured), outcome
    found = outcome.measurement
    records = None if found.per_record is None else found.per_record.tolist()
    return found.risk, found.raw, found.base_rate, outcome.controls, records


def test_an_exploration_gives_the_report_of_an_audit(heard, tables):
    _, report = heard
    other = st.audit(*tables, secret="employed", checks=CHECKS)
    for one, two in zip(report.tables, other.tables, strict=True):
        assert [numbers(each) for each in one] == [numbers(each) for each in two]
    assert report.records().equals(other.records())
    assert isinstance(report.records(), pl.DataFrame)
    assert report.provenance == other.provenance
