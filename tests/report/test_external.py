"""The report for others: every field of every type that it holds is named, as going out by a rule or as refused."""

from dataclasses import fields, is_dataclass, make_dataclass, replace
from typing import get_args, get_type_hints

import pytest

from seethrough.report.external.allowed import ALLOWED, BY_TYPE, send_out
from seethrough.report.external.others_report import make_external
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily, ReleaseVerdict
from seethrough.results.evidence_words import AT_RATE
from seethrough.results.report import Report, TableSummary


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
        if rule is BY_TYPE
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
    assert send_out(named) == TableSummary("train.csv", 12_000, "")
    assert "ward" not in str(make_external(replace(report, real=named)).to_dict())


def test_a_new_type_goes_nowhere() -> None:
    with pytest.raises(TypeError, match="Patient is neither named"):
        send_out((make_dataclass("Patient", ["name"])("x"),))


def test_evidence_goes_out_in_whole_people(leaking: Report) -> None:
    exact = leaking.tables[0].evidence
    assert exact is not None
    tail = replace(
        exact.attacks[0],
        measure=f"{AT_RATE} 0.00042",
        members=0.0273,
        outsiders=0.00042,
        lower=0.0199,
        detectable=0.0301,
    )
    seen = send_out(replace(exact, attacks=(tail,)))
    [attack] = seen.attacks
    assert (attack.members, attack.outsiders, attack.lower, attack.detectable) == (0.03, 0.0, 0.01, 0.04)
    assert attack.measure == f"{AT_RATE} less than 0.01"
    assert (attack.p, attack.p_adjusted, attack.auc, attack.tpr, attack.seconds) == (0.05, 0.05, None, {}, 0.0)
    assert [finding.p for finding in seen.findings] == [0.05, 1.0, None]
    assert [finding.grade for finding in seen.findings] == [finding.grade for finding in exact.findings]
    assert (seen.people, seen.at_risk, seen.population_p) == ((), (), None)
    assert seen.to_dict()["evidence"]["exposed_people"] is None


def test_the_sentence_for_others_is_that_of_the_finding_that_decides(leaking: Report) -> None:
    exact = leaking.tables[0].evidence
    assert exact is not None
    ids = replace(
        exact.findings[1],
        family=LeakFamily.IDENTITY,
        grade=Grade.SEVERE,
        attack="identifiers",
        measure="have their identifier in the release",
        members=0.1234,
        outsiders=0.0,
        leak=Estimate(0.1234, 0.0999, 0.15),
    )
    said = ReleaseVerdict(Grade.SEVERE, "617 of 5,000 real identifiers are in the release.", "identity: identifiers")
    seen = send_out(replace(exact, findings=(*exact.findings[:2], ids), verdict=said))
    assert seen.verdict.sentence == (
        "12 of 100 members have their identifier in the release, against 0 of 100 people outside: 12 (10 to 15) more; "
        "attack: identifiers."
    )
