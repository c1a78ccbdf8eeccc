"""The language of limits: what it understands, what it refuses and where, and what cannot be judged."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.errors import ConfigError
from seethrough.report.gates import limits
from seethrough.report.machine import recording
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, Rate
from seethrough.results.evidence import Grade
from seethrough.results.outcome import Measured, Unavailable
from seethrough.results.report import Report, TableAudit

CHECKS = ("gcap", "zcap", "crp", "hitting-rate", "auth", "dcr", "nnaa")


def broken(text: str, report: Report) -> bool:
    return bool(limits.judge([limits.parse(text, CHECKS)], report))


# gcap: 0.463 (0.441, 0.485), independent 0.25 (0.231, 0.269), copy 0.913, base rate 0.31; zcap: 0.262; crp: 0.082.
@pytest.mark.parametrize(
    ("text", "is_broken"),
    [
        ("gcap > 0.4", True),
        ("gcap>0.4", True),
        (" gcap >= 0.5 ", False),
        ("0.4 < gcap", True),
        ("gcap.low > 0.44", True),
        ("gcap.risk.high < 0.485", False),
        ("gcap.raw == 0.463", True),
        ("gcap.n != 12345", False),
        ("gcap.base_rate <= .31", True),
        ("gcap.controls.copy.low >= 9e-1", True),
        ("gcap.independent > zcap", False),
        ("gcap > zcap", True),
        ("gcap > 0.4 and crp > 0.5", False),
        ("gcap > 0.4 or crp > 0.5", True),
        ("crp > 0.5 or gcap > 0.4 and zcap > 0.2", True),
        ("(crp > 0.5 or gcap > 0.4) and zcap > 0.9", False),
        ("not gcap > 0.4", False),
        ("not (gcap > 0.4 and crp > 0.5)", True),
        ("gcap > -1", True),
        ("artefacts.exact-copies > 0.2", True),
        ("artefacts.exact-copies.found >= 31", False),
        ("artefacts.exact-copies.share > artefacts.exact-copies.chance", True),
    ],
)
def test_a_limit_is_judged(text: str, is_broken: bool, report: Report) -> None:
    copies = Artefact("exact-copies", ArtefactSign.SHOWS, "real people", 30, 100, Rate(0.1, 0.05, 0.2, 100))
    table = replace(report.tables[0], exhibits=Diagnostics(artefacts=(copies,)))
    assert broken(text, replace(report, tables=(table,))) is is_broken


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("gcap", 5, "it ends too early"),
        ("", 1, "it ends too early"),
        ("gcap > much", 8, "the check 'much' is not run"),
        ("gcap > 1e999", 8, "1e999 is beyond all numbers"),
        ("gcap > 1e", 8, "'1' is not understood"),
        ("nope > 1", 1, "the check 'nope' is not run; the checks run are: gcap"),
        ("gcap.middle > 1", 1, "unknown field 'middle'"),
        ("gcap.raw.low > 1", 1, "unknown field 'raw.low'"),
        ("gcap.advantage > 1", 1, "unknown field 'advantage'"),
        ("verdict", 8, "it ends too early"),
        ("verdict > 0.4", 11, "grades are compared with grades, numbers with numbers; grades are cannot-tell, no-leak"),
        ("0.4 < verdict", 7, "grades are compared with grades"),
        ("gcap > clear", 8, "grades are compared with grades"),
        ("membership.leak > severe", 19, "grades are compared with grades"),
        ("membership > 0.4", 14, "grades are compared with grades"),
        ("verdict >= medium", 12, "the check 'medium' is not run"),
        ("verdict.leak > 1", 1, "the verdict is one grade and has no field 'leak'"),
        ("membership.leak.middle > 1", 1, "unknown field 'leak.middle'; did you mean leak.value"),
        ("attribute.risk > 1", 1, "unknown field 'risk'; the fields of attribute are leak"),
        ("identity.p.low > 1", 1, "unknown field 'p.low'"),
        ("gcap >> 0.4", 7, "a name or a number is expected, not '>'"),
        ("gcap = 0.4", 6, "'=' is not understood"),
        ("gcap 0.4", 6, "is expected, not '0.4'"),
        ("gcap > 0.4 crp > 1", 12, "'and', 'or' or the end is expected, not 'crp'"),
        ("(gcap > 0.4", 12, "it ends too early"),
        ("gcap > 0.4)", 11, "the end is expected, not ')'"),
        ("gcap > 0.4 and", 15, "it ends too early"),
        ("gcap > or", 8, "a name or a number is expected, not 'or'"),
        ("__import__('os') > 1", 1, "'_' is not understood"),
        ("gcap.__class__ > 1", 1, "unknown field '__class__'"),
        ("gcap > 0.4; crp > 1", 11, "';' is not understood"),
        ("artefacts.nose > 1", 1, "after 'artefacts.' come exact-copies"),
        ("artefacts > 1", 1, "after 'artefacts.' come exact-copies"),
        ("(" * 60 + "gcap > 1" + ")" * 60, 52, "too many brackets"),
        ("not " * 60 + "gcap > 1", 205, "too many brackets"),
    ],
)
def test_what_is_not_understood_is_refused_at_its_place(text: str, at: int, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        limits.parse(text, CHECKS)
    assert f"at character {at}: " in str(caught.value)
    assert said in str(caught.value)


def test_an_endless_limit_is_refused() -> None:
    with pytest.raises(ConfigError, match="at most 2000"):
        limits.parse("gcap > 0.4 or " * 1000 + "gcap > 1", CHECKS)


@settings(deadline=None)
@given(st.text(alphabet="gcap.lowrisk<>=!()0.5 andornotverdictmembershipleak-_'\"\\\n", max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    with suppress(ConfigError):
        assert limits.parse(text, CHECKS).text == text.strip()


@pytest.mark.parametrize("text", ["auth > 0.4", "gcap > 0.4 or auth > 0.1", "gcap < 0.1 and auth.low > 1"])
def test_a_check_without_a_number_is_no_pass_whatever_else_holds(text: str, report: Report) -> None:
    with pytest.raises(ConfigError, match="cannot be judged: auth was skipped, because needs a holdout"):
        broken(text, report)


def test_other_numbers_that_are_not_there_are_no_pass(report: Report, make: Callable[..., Measured]) -> None:
    for text, said in (
        ("hitting-rate > 0", "hitting-rate failed with ZeroDivisionError"),
        ("crp.base_rate > 0", "crp has no base rate"),
        ("dcr.copy > 0", "no copy control, because the copy of the real table is too large"),
        ("artefacts.ends > 0", "ends was not checked"),
    ):
        with pytest.raises(ConfigError, match="cannot be judged") as caught:
            broken(text, report)
        assert said in str(caught.value)
    alone = TableAudit(report.tables[0].synthetic, (make((0.5, 0.4, 0.6), independent=Unavailable("why")),))
    with pytest.raises(ConfigError, match="no independent control, because why"):
        broken("gcap.independent > 0", replace(report, tables=(alone,)))


# membership: clear, leak 0.16 (0.12, 0.2), members 0.58, outsiders 0.42, adjusted p 0.0004, detectable 0.09;
# attribute: no leak found, leak 0.005 (-0.016, 0.026); identity: cannot tell; the verdict is clear.
@pytest.mark.parametrize(
    ("text", "is_broken"),
    [
        ("verdict >= clear", True),
        ("verdict>=clear", True),
        ("verdict > clear", False),
        ("verdict == clear", True),
        ("verdict != clear", False),
        ("severe <= verdict", False),
        ("clear <= verdict", True),
        ("not verdict < slight", True),
        ("verdict == cannot-tell", False),
        ("membership >= slight", True),
        ("attribute >= slight", False),
        ("attribute == no-leak-found", True),
        ("attribute <= cannot-tell", False),
        ("membership > attribute", True),
        ("membership.leak.low > 0.01", True),
        ("membership.leak.low > 0.12", False),
        ("membership.leak > 0.159", True),
        ("membership.leak.value > 0.161", False),
        ("membership.leak.high >= 0.2", True),
        ("membership.members > membership.outsiders", True),
        ("membership.outsiders == 0.42", True),
        ("membership.p <= 0.0004", True),
        ("membership.p < 0.0004", False),
        ("attribute.p < 0.05", False),
        ("attribute.detectable > 0.03", True),
        ("attribute.leak.low > -0.017 and gcap > 0.4", True),
        ("identity == cannot-tell", True),
        ("identity >= cannot-tell", True),
        ("identity != cannot-tell", False),
    ],
)
def test_a_limit_on_the_evidence_is_judged(text: str, is_broken: bool, two_tables: Report) -> None:
    found = limits.judge([limits.parse(text, CHECKS)], replace(two_tables, tables=two_tables.tables[:1]))
    assert [each.is_undecided for each in found] == ([False] if is_broken else [])


@pytest.mark.parametrize(
    "text",
    [
        "identity >= slight",
        "identity < severe",
        "not identity >= slight",
        "identity != no-leak-found",
        "identity <= membership",
        "identity.leak.low > 0.01",
        "not identity.p < 0.05",
        "identity.detectable > 0.5",
        "identity >= clear and gcap > 0.9",
        "gcap > 0.9 or identity >= clear",
    ],
)
def test_what_could_not_be_tested_does_not_pass(text: str, two_tables: Report) -> None:
    first = replace(two_tables, tables=two_tables.tables[:1])
    (found,) = limits.judge([limits.parse(text, CHECKS)], first)
    assert found.is_undecided
    assert str(found) == (
        f"limit {text!r} is undecided for synthetic.csv, which counts as broken: "
        "identity is 'cannot tell': no attack of this family was run"
    )


@pytest.mark.parametrize("text", ["verdict >= clear", "verdict < clear", "membership.leak.low > 0.01"])
def test_without_people_outside_a_limit_is_undecided(text: str, report: Report) -> None:
    (found,) = limits.judge([limits.parse(text, CHECKS)], report)
    assert found.is_undecided
    assert "no people outside were given" in found.found


def test_a_finding_that_cannot_tell_has_no_numbers_to_pass_by(two_tables: Report) -> None:
    table = two_tables.tables[0]
    assert table.evidence
    recoded = replace(table.evidence.findings[0], grade=Grade.CANNOT_TELL, cannot_tell=("'job' is recoded",))
    evidence = replace(table.evidence, findings=(recoded, *table.evidence.findings[1:]))
    changed = replace(two_tables, tables=(replace(table, evidence=evidence),))
    (found,) = limits.judge([limits.parse("membership.leak.low > 0.5", CHECKS)], changed)
    assert (found.is_undecided, found.found) == (True, "membership is 'cannot tell': 'job' is recoded")


def test_a_report_without_evidence_passes_no_limit_on_it(report: Report) -> None:
    bare = replace(report, tables=(replace(report.tables[0], evidence=None),))
    (found,) = limits.judge([limits.parse("verdict >= severe", CHECKS)], bare)
    assert found.is_undecided


def test_a_check_may_have_the_name_of_a_family(two_tables: Report, make: Callable[..., Measured]) -> None:
    """The grade and the fields of the finding are the family's, all other fields the check's."""
    table = replace(two_tables.tables[0], outcomes=(make((0.5, 0.4, 0.6), name="membership"),))
    found = limits.judge(
        [limits.parse("membership.risk > 0.4 and membership >= clear", ("membership",))], report_of(table)
    )
    assert [each.found for each in found] == ["membership.risk = 0.5, membership = clear"]


def report_of(table: TableAudit) -> Report:
    return Report("1", 0, table.synthetic, None, "", (), (table,), ())


def test_undecided_limits_are_recorded_as_such(report: Report) -> None:
    parsed = [limits.parse(text, CHECKS) for text in ("verdict >= clear", "gcap > 0.4", "gcap > 0.9")]
    recorded = recording.with_limits(report, parsed, limits.judge(parsed, report)).provenance.thresholds
    assert [threshold.broken for threshold in recorded[-3:]] == [None, True, False]


def test_a_failed_check_is_told_apart(report: Report) -> None:
    with pytest.raises(limits.CheckFailed):
        broken("hitting-rate > 0.4", report)


def test_the_numbers_that_broke_a_limit_are_told(two_tables: Report) -> None:
    found = limits.judge([limits.parse("gcap > 0.45 or crp.low > 2", CHECKS)], two_tables)
    assert [(each.synthetic, each.found) for each in found] == [("synthetic.csv", "gcap = 0.463, crp.low = 0.071")]
