"""The comparison of releases: sentences, tables and the report for others, by hand and through an audit."""

import json
from dataclasses import replace

import numpy as np
import pytest

import seethrough as st
from seethrough.data.samples import acs_release
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.words import comparison
from seethrough.results.comparison import RankedRelease, ReleaseComparison, ReleaseDifference
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.evidence_words import IN_PAIRS
from seethrough.results.report import Report

GUESSED = "have their 'ill' guessed right"


def difference(
    first: int, second: int, value: float, *, told: bool = True, attack: str = "dcr (ill)", measure: str = GUESSED
) -> ReleaseDifference:
    ends = Estimate(value, value - 0.1, value + 0.1)
    return ReleaseDifference(
        first, second, attack, LeakFamily.ATTRIBUTE, measure, value, 0.0, ends, 0.001 if told else 0.5, told
    )


def compared(
    *differences: ReleaseDifference, names: tuple[str, ...] = ("a.csv", "b.csv", "c.csv")
) -> ReleaseComparison:
    ranking = (
        RankedRelease(2, 1, Grade.NO_LEAK_FOUND, 0.0),
        RankedRelease(3, 1, Grade.NO_LEAK_FOUND, 0.0),
        RankedRelease(1, 3, Grade.SEVERE, 0.25, "dcr (ill)"),
    )
    return ReleaseComparison(names, ranking, differences, 200, 150, 999)


ALL = compared(difference(1, 2, 0.3), difference(1, 3, 0.2, told=False), difference(2, 3, 0.0, told=False))


def test_the_order_comes_first_then_what_differs_then_what_does_not(two_tables: Report) -> None:
    order, differs, alike = comparison.describe_comparison(replace(two_tables, comparison=ALL))
    assert order.endswith(
        ": 1. b.csv (no leak found); 1. c.csv (no leak found); 3. a.csv (severe, at least 25 of 100)."
    )
    assert differs == (
        "a.csv leaks more than b.csv, by 1 of 1 attack; most by dcr (ill): 30 (20 to 40) more of 100 members have "
        "their 'ill' guessed right, people outside subtracted."
    )
    assert alike == "No attack tells apart beyond chance: a.csv and c.csv; c.csv and b.csv."


def test_a_difference_is_told_from_the_side_that_leaks_more(two_tables: Report) -> None:
    found = compared(difference(1, 2, -0.3, measure=IN_PAIRS, attack="log-ratio"), difference(1, 2, 0.2))
    lines = comparison.describe_comparison(replace(two_tables, comparison=found))
    assert lines[1].startswith("a.csv leaks more than b.csv, by 1 of 2 attacks; most by dcr (ill)")
    # 2 AUC - 1 differs by 0.3, so the share of pairs by 0.15.
    assert lines[2] == (
        "b.csv leaks more than a.csv, by 1 of 2 attacks; most by log-ratio: in 15 (10 to 20) more of 100 pairs of a "
        "member and a person outside the member is rated higher."
    )


def test_releases_of_one_name_have_their_number(two_tables: Report) -> None:
    found = replace(ALL, releases=("a.csv", "a.csv", "b.csv"))
    assert "a.csv (number 1) leaks more than a.csv (number 2)" in " ".join(
        comparison.describe_comparison(replace(two_tables, comparison=found))
    )


def test_what_cannot_be_told_has_no_place(two_tables: Report) -> None:
    blank = ReleaseComparison(("a", "b"), tuple(RankedRelease(n, None, Grade.CANNOT_TELL, None) for n in (1, 2)))
    report = replace(two_tables, comparison=blank)
    assert "-. a (cannot tell); -. b (cannot tell)" in comparison.describe_comparison(report)[0]
    assert comparison.describe_comparison(replace(report, holdout=None)) == (comparison.NOT_COMPARED,)


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render])
def test_ranking_and_differences_are_shown(two_tables: Report, render) -> None:  # type: ignore[no-untyped-def]
    second = replace(ALL, ranking=(ALL.ranking[0], ALL.ranking[2]), differences=ALL.differences[:1])
    text = render(replace(two_tables, comparison=second))
    for said in ("severe, at least 25 of 100", "a.csv against b.csv", "30 (20 to 40)", "differs", "200 members"):
        assert said in text


@pytest.fixture(scope="module")
def several() -> st.AuditReport:
    sample = acs_release()
    frames = [sample.real[:300], sample.holdout[:300], sample.holdout[300:600]]
    releases = {"copy": frames[0], "other": sample.holdout[600:900], "third": sample.holdout[900:1200]}
    return st.audit(frames[0], releases, frames[1], checks="crp")


def test_an_audit_of_several_releases_tells_the_copy_apart(several: st.AuditReport) -> None:
    found = several.comparison
    assert found is not None
    assert found.releases == tuple(table.synthetic.name for table in several.tables)
    assert [(each.number, each.place) for each in found.ranking] == [(2, 1), (3, 1), (1, 3)]
    assert {(each.first, each.second) for each in found.differences if each.told_apart} == {(1, 2), (1, 3)}
    said = json.loads(several.to_json())["comparison"]
    assert said["releases"] == list(found.releases)
    assert len(said["differences"]) == len(found.differences)
    assert {each["family"] for each in said["differences"]} == {"membership", "attribute", "identity"}
    assert np.isclose(said["ranking"][-1]["leak"], found.ranking[-1].leak)


def test_the_report_for_others_has_grades_and_no_comparison(several: st.AuditReport) -> None:
    others = several.for_others()
    assert several.comparison is not None
    assert others.comparison is None
    assert [table.evidence.verdict.grade for table in others.tables if table.evidence] == [
        table.evidence.verdict.grade for table in several.tables if table.evidence
    ]
    assert all(table.synthetic.name in others.to_markdown() for table in others.tables)


def test_one_release_is_not_compared() -> None:
    sample = acs_release()
    report = st.audit(sample.real[:100], sample.synthetic[:100], sample.holdout[:100], checks="crp")
    assert report.comparison is None
    assert json.loads(report.to_json())["comparison"] is None
