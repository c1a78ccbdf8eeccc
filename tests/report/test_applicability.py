"""Conditions of checks: the number that decided stands in the sentence, and the page that mends it beside."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.auditing.table_traits import Traits
from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.metrics.auth import Authenticity
from seethrough.metrics.crp import CommonRows
from seethrough.metrics.gcap import GeneralizedCap
from seethrough.metrics.hidden_rate import HiddenRate
from seethrough.metrics.ks import KolmogorovSmirnov
from seethrough.report.words.applicability import conditions_of
from seethrough.results.estimate import Estimate
from seethrough.results.explained.conditions import TableTraits
from seethrough.results.outcome import Controls, Failed, Measured, Measurement, Skipped, Unavailable

GOOD = TableTraits(500, 500, 200, ("ill",), (), unique_by_numbers=0.1, contrast=0.3)
APART = Controls(Estimate(0.9, 0.85, 0.95), Estimate(0.5, 0.45, 0.55))


def measured(check, controls=APART, warnings=()):
    found = Measurement(Estimate(0.6, 0.5, 0.7), 0.6, 500, warnings=warnings)
    return Measured(check.card, found, controls, 0.1, {})


def failing(outcome, traits=GOOD):
    return [(each.said, each.mend) for each in conditions_of(outcome, traits) if not each.holds]


@pytest.mark.parametrize("check", [GeneralizedCap(), CommonRows(), Authenticity(), KolmogorovSmirnov()])
def test_good_tables_fail_nothing(check):
    assert failing(measured(check)) == []


def test_what_fails_comes_first():
    found = conditions_of(measured(GeneralizedCap()), replace(GOOD, outside=None))
    assert [each.holds for each in found] == [False] + [True] * (len(found) - 1)


@pytest.mark.parametrize(
    ("check", "traits", "said", "mend"),
    [
        (GeneralizedCap(), {"secrets": ()}, "No secret is named.", "question"),
        (GeneralizedCap(), {"outside": None}, "No people outside were given (a holdout)", "files"),
        (CommonRows(), {"unique_by_numbers": 0.62}, "62% of real rows are unique by their numbers alone", "columns"),
        (Authenticity(), {"contrast": 0.87}, "0.87 times as far as any released row", "whatif"),
        (KolmogorovSmirnov(), {"real": 60}, "There are 60 real and 500 released rows; below 100", "files"),
    ],
)
def test_each_condition_names_its_number_and_what_mends_it(check, traits, said, mend):
    [(sentence, page)] = failing(measured(check), replace(GOOD, **traits))
    assert said in sentence
    assert page == mend


def test_distances_decide_nothing_for_a_check_of_equality_and_the_other_way_round():
    assert failing(measured(CommonRows()), replace(GOOD, contrast=0.99)) == []
    assert failing(measured(Authenticity()), replace(GOOD, unique_by_numbers=1.0)) == []


@pytest.mark.parametrize(
    ("controls", "said"),
    [
        (Controls(Estimate(0.6, 0.5, 0.7), Estimate(0.55, 0.45, 0.65)), "The controls coincide: a copy"),
        (Controls(Estimate(0.4, 0.35, 0.45), Estimate(0.9, 0.85, 0.95)), "The controls are reversed: a copy"),
        (Controls(Estimate(0.4, 0.35, 0.45), Unavailable("why")), "The independent control was not measured."),
    ],
)
def test_controls_that_span_no_scale_fail(controls, said):
    [(sentence, _)] = failing(measured(CommonRows(), controls))
    assert sentence.startswith(said)


def test_warnings_of_the_check_are_conditions():
    assert failing(measured(CommonRows(), warnings=("only 2.0% of the real records have a match",))) == [
        ("Only 2.0% of the real records have a match.", "files")
    ]


def test_skipped_and_failed_say_why_and_are_never_fine():
    skipped = Skipped(HiddenRate().card, "it is not known which synthetic row was made from which real record")
    assert ("It is not said which released row was made from which real record.", "question") in failing(skipped)
    assert any(said.startswith("It was skipped: it is not known") for said, _ in failing(skipped))
    assert failing(Failed(CommonRows().card, "ValueError: x"))[0][0].startswith("It failed, which is a defect")


def test_traits_by_hand():
    schema = Schema(
        (Column("v", Kind.NUMERIC, low=0.0, high=10.0, fill=5.0), Column("c", Kind.BINARY, levels=("a", "b")))
    )
    real = Table(schema, (np.array([0.0, 0.0, 5.0, 10.0]), np.array([1, 1, 1, 1], np.uint8)))
    released = Table(schema, (np.array([0.0, 10.0]), np.array([1, 1], np.uint8)))
    found = Bench({Part.TRAIN: real, Part.SYNTHETIC: released}, Budget(threads=1)).get(Traits())
    assert (found.real, found.released, found.outside) == (4, 2, None)
    assert found.unique_by_numbers == 0.5  # 5 and 10 of four
    # Nearest distances 0, 0, 0.5, 0: median 0. All pairs: 0, 0, 0.5, 1, 1, 1, 0.5, 0.
    assert found.contrast == 0
    lone = released.take(np.array([1]))
    found = Bench({Part.TRAIN: real, Part.SYNTHETIC: lone}, Budget(threads=1)).get(Traits())
    assert found.contrast == 1  # one released row is nearest and any


def test_tables_without_numbers_have_no_share_of_unique_numbers():
    schema = Schema((Column("c", Kind.BINARY, levels=("a", "b")),))
    table = Table(schema, (np.array([1, 2, 1], np.uint8),))
    found = Bench({Part.TRAIN: table, Part.SYNTHETIC: table}, Budget(threads=1)).get(Traits())
    assert found.unique_by_numbers is None
