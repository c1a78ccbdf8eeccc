"""The report for others: every field of every type that it holds is named, as going out by a rule or as refused."""

from dataclasses import fields, is_dataclass, make_dataclass, replace
from typing import get_args, get_type_hints

import pytest

from seethrough.report.external.allowed import ALLOWED, BY_TYPE, send_out
from seethrough.report.external.others_report import make_external
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
