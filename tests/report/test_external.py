"""The report for others: every field of every type that it holds is named, as going out by a rule or as refused."""

import subprocess
import sys
from dataclasses import fields, is_dataclass, make_dataclass, replace
from typing import get_args, get_type_hints

import numpy as np
import pytest

from seethrough.report.external.allowed import ALLOWED, BY_TYPE, send_out
from seethrough.report.external.coarsening import Coarsening, draw_key, step_for
from seethrough.report.external.others_report import make_external
from seethrough.report.external.rules import without_numbers
from seethrough.results.evidence import Finding, Grade, GradeLimits, LeakFamily, PoolSizes, ReleaseEvidence
from seethrough.results.report import Report, TableSummary

COARSE = Coarsening(b"key")


def types_in(hint: object) -> set[type]:
    """The dataclasses that a type hint names, however deep."""
    if isinstance(hint, type) and is_dataclass(hint):
        return {hint}
    return set().union(*map(types_in, get_args(hint)))


def reached(kind: type, known: set[type]) -> set[type]:
    """The types whose rules a report for others goes through."""
    hints = get_type_hints(kind)
    found = {
        each
        for name, rule in ALLOWED[kind].items()
        if rule.name.startswith(BY_TYPE.name)
        for each in types_in(hints[name])
        if each not in known
    }
    known |= found
    return set().union({kind}, *(reached(each, known) for each in found))


@pytest.mark.parametrize("kind", ALLOWED, ids=lambda kind: kind.__name__)
def test_every_field_is_named_or_refused(kind: type) -> None:
    assert set(ALLOWED[kind]) == {field.name for field in fields(kind)}


def test_every_type_that_is_reached_is_named_and_no_other() -> None:
    assert reached(Report, {Report}) == set(ALLOWED)


@pytest.mark.parametrize("kind", ALLOWED, ids=lambda kind: kind.__name__)
def test_only_public_values_of_other_types_go_out_whole(kind: type) -> None:
    hints = get_type_hints(kind)
    whole = {
        (kind.__name__, name)
        for name, rule in ALLOWED[kind].items()
        if rule.name == "as it is" and types_in(hints[name])
    }
    assert whole <= {("TableAudit", "synthetic")}  # the release is published


def test_a_new_field_goes_nowhere(report: Report) -> None:
    grown = make_dataclass("TableSummary", [("secret", str, "")], bases=(TableSummary,), frozen=True)
    named = grown("train.csv", 12_345, "sha256:1", "7 patients of ward 3")
    assert send_out(named, COARSE) in [TableSummary("train.csv", size, "") for size in (10_000, 20_000)]
    assert "ward" not in str(make_external(replace(report, real=named)).to_dict())


def test_a_new_type_goes_nowhere() -> None:
    with pytest.raises(TypeError, match="Patient is neither named"):
        send_out((make_dataclass("Patient", ["name"])("x"),), COARSE)


def evidence_of(report: Report) -> ReleaseEvidence:
    found = report.tables[0].evidence
    assert found is not None
    return found


def drawn(draws: int = 2000) -> list[Coarsening]:
    return [Coarsening(f"key {number}".encode(), "path", 1000) for number in range(draws)]


def test_a_count_goes_out_as_a_neighbour_of_its_class_and_one_person_hardly_moves_it() -> None:
    both = [(each.count(300), each.count(301)) for each in drawn()]
    assert {*both} <= {(200, 200), (500, 500), (200, 500)}
    # By the draw of the threshold: log(300 / 200) / log(500 / 200), and log(301 / 300) / log(500 / 200).
    assert np.isclose(np.mean([low == 500 for low, _ in both]), 0.4425, atol=0.04)
    assert np.mean([low != high for low, high in both]) <= 3 * 0.0036
    assert [COARSE.count(number) for number in (0, 1, 2, 5, 10, 2000)] == [0, 1, 2, 5, 10, 2000]


def test_a_leak_is_rounded_down_to_steps_that_outweigh_a_person() -> None:
    assert [step_for(people, 100) for people in (50, 200, 1000, 2000, 20_000)] == [1.0, 0.5, 0.1, 0.05, 0.01]
    down = [each.at_least(0.37, 100) for each in drawn()]
    assert {*down} == {0.2, 0.3}
    assert np.isclose(np.mean(np.array(down) == 0.3), 0.7, atol=0.04)  # 0.37 is 0.7 of a step above 0.3
    moved = [each.at_least(0.37, 100) != each.at_least(0.371, 100) for each in drawn(20_000)]
    assert np.isclose(np.mean(moved), 0.01, atol=0.003)  # a thousandth of a person's share over a step of a tenth


def test_thresholds_follow_the_key_and_the_field_and_never_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert COARSE.under("a").threshold != COARSE.under("b").threshold
    assert COARSE.under("a").threshold != Coarsening(b"other").under("a").threshold
    here = draw_key("release")
    assert here == draw_key("release") != draw_key("other release")
    monkeypatch.setenv("SEETHROUGH_KEY", "ours")
    kept = draw_key("release")
    assert kept == draw_key("release") != here
    monkeypatch.setenv("SEETHROUGH_KEY", "theirs")
    assert draw_key("release") != kept


def test_another_process_draws_other_thresholds() -> None:
    code = "from seethrough.report.external.coarsening import draw_key; print(draw_key('release').hex())"
    keys = {subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(keys) == 2


def test_grades_go_out_with_nothing_exact(leaking: Report) -> None:
    exact, seen = evidence_of(leaking), evidence_of(make_external(leaking, b"key"))
    assert [finding.grade for finding in seen.findings] == [finding.grade for finding in exact.findings]
    assert seen.verdict.grade is exact.verdict.grade
    for finding in seen.findings:
        assert (finding.members, finding.outsiders, finding.leak, finding.p, finding.attack) == (None,) * 5
    assert (seen.attacks, seen.people, seen.at_risk, seen.population_p, seen.warnings) == ((), (), (), None, ())
    assert seen.to_dict()["evidence"]["exposed_people"] is None


def test_a_leak_reaches_the_limit_of_its_grade_and_never_more_than_was_found(leaking: Report) -> None:
    exact = evidence_of(leaking)
    for grade, lower, least in ((Grade.CLEAR, 0.0423, 0.01), (Grade.SEVERE, 0.2345, 0.1), (Grade.SLIGHT, 0.004, 0.0)):
        [first, *rest] = exact.findings
        found = replace(first, grade=grade, lower=lower, attack="log-ratio")
        of = replace(exact, findings=(found, *rest), sizes=PoolSizes(1000, 1000, 300), limits=GradeLimits())
        sent = [send_out(of, each).findings[0].lower for each in drawn(50)]
        assert all(least <= each <= lower for each in sent)


def test_what_would_have_been_found_is_said_only_where_nothing_was(leaking: Report) -> None:
    exact = evidence_of(leaking)
    found = tuple(replace(each, grade=Grade.NO_LEAK_FOUND, detectable=0.041) for each in exact.findings)
    seen = send_out(replace(exact, findings=found, sizes=PoolSizes(2000, 2000, 300)), COARSE)
    assert {each.lower for each in seen.findings} == {None}
    assert {each.detectable for each in seen.findings} == {0.1}  # 3.84 sqrt(2 / 6,000) = 0.0701, up to the next step
    assert "would have been found with a chance of 80 %" in seen.verdict.sentence


def test_too_few_people_get_no_grade_and_no_signs(leaking: Report) -> None:
    exact = evidence_of(leaking)
    small = replace(exact, sizes=PoolSizes(5000, 40, 10))
    seen = make_external(replace(leaking, tables=(replace(leaking.tables[0], evidence=small),)), b"key")
    told = evidence_of(seen)
    assert {finding.grade for finding in told.findings} == {Grade.CANNOT_TELL}
    assert told.verdict.grade is Grade.CANNOT_TELL
    assert told.verdict.sentence.startswith("Too few people were compared")
    assert seen.tables[0].exhibits.artefacts == ()


def test_a_sign_that_decides_is_named(leaking: Report) -> None:
    exact = evidence_of(leaking)
    ids = Finding(LeakFamily.IDENTITY, Grade.SEVERE, "identifiers", "617 of 5,000 have", 0.1234, 0.0, lower=0.0999)
    seen = send_out(replace(exact, findings=(*exact.findings[:2], ids)), COARSE)
    assert seen.verdict.sentence == "Real identifiers stand in the release."
    assert seen.verdict.decided_by == "identity"


def test_sentences_lose_their_numbers_and_names_keep_theirs() -> None:
    said = "column 'year 2' cannot be compared: 3.5% of 1,234 released rows; col7 and '2019' have 12"
    assert without_numbers(said) == (
        "column 'year some' cannot be compared: some of some released rows; col7 and '2019' have some"
    )
