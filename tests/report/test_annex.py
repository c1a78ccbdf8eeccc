"""The annex: its headings, what it maps to what, what is missing, and what it never says."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.errors import ConfigError
from seethrough.report.annex import lines, pages
from seethrough.report.annex.custodian import ASKED, CustodianFacts, read_facts, template
from seethrough.report.external.others_report import make_external
from seethrough.results.evidence import Finding, Grade, LeakFamily
from seethrough.results.evidence_words import IN_PAIRS
from seethrough.results.report import Report

DOCS = Path(__file__).resolve().parents[2] / "docs" / "annex.md"
HEADINGS = (
    *("Record isolation", "Linkage", "Inference"),
    *("ISO/IEC 27559", "Context", "Data assessment", "Adversarial testing", "Mitigation", "Governance"),
    *("Motivated intruder", "The 0.09 line", "Membership and attribute disclosure against non-members"),
)
FULL = CustodianFacts(dict.fromkeys(ASKED, "Told by us."))


def markdown(report: Report, facts: CustodianFacts = CustodianFacts()) -> str:  # noqa: B008 - it is frozen
    return pages.render_markdown(report, facts)


@pytest.mark.parametrize("which", ["report", "two_tables", "leaking"])
def test_all_headings_are_there(which: str, request: pytest.FixtureRequest) -> None:
    text = markdown(request.getfixturevalue(which))
    for heading in HEADINGS:
        assert heading in text
    assert [heading for heading in HEADINGS if heading not in DOCS.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("which", ["report", "two_tables", "leaking", "hostile"])
@pytest.mark.parametrize("facts", [CustodianFacts(), FULL])
def test_no_sentence_promises_anything_or_cites_a_paragraph(
    which: str, facts: CustodianFacts, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(which)
    for report in (found, make_external(found)):
        for text in (pages.render_page(report, facts), markdown(report, facts)):
            visible = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", text, flags=re.DOTALL)
            assert not re.search(r"\banonym|\bsafe\b|\bcompl(y|iant|iance)\b", visible, re.IGNORECASE)
            assert not re.search(r"§|\b(article|art\.|recital|paragraph|clause|section)\s+\d", visible, re.IGNORECASE)


def test_the_page_of_the_docs_promises_nothing_either() -> None:
    assert not re.search(r"\banonym|\bsafe\b|\bcompliant\b", DOCS.read_text(encoding="utf-8"), re.IGNORECASE)
    assert set(re.findall(r"^\| `(\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)) == set(ASKED)


def test_what_nobody_answered_is_missing_and_what_was_is_shown(leaking: Report) -> None:
    text = markdown(leaking, read_facts({"purpose": "Teaching.", "contracts": "  "}))
    assert text.count("missing: only the custodian can say") == len(ASKED) - 1 + 1  # other sources are asked twice
    assert "Teaching." in text
    assert "Missing: recipients, contracts, other" in text
    assert "missing" not in markdown(leaking, FULL).lower()


def test_findings_stand_under_their_questions(leaking: Report) -> None:
    evidence = leaking.tables[0].evidence
    assert evidence is not None
    rows = [line for line in markdown(leaking).splitlines() if line.startswith("| ")]
    for family, title in (
        (LeakFamily.MEMBERSHIP, "Record isolation"),
        (LeakFamily.IDENTITY, "Linkage"),
        (LeakFamily.ATTRIBUTE, "Inference"),
    ):
        first = next(line for line in rows if line.startswith(f"| {title}:"))
        grade = evidence[family].grade
        assert ("cannot tell" if grade is Grade.CANNOT_TELL else grade.value.split()[0]) in first


def test_others_read_no_answer_and_no_exact_share(leaking: Report) -> None:
    text = markdown(make_external(leaking, key=b"key"), FULL)
    assert "Told by us." not in text
    assert "the answer stays with the custodian" in text
    inside = markdown(leaking, FULL)
    for table in leaking.tables:
        for finding in table.evidence.findings if table.evidence else ():
            if finding.leak is not None and finding.members is not None:
                exact = f"{100 * finding.leak.low:.1f} to {100 * finding.leak.high:.1f}"
                assert exact not in text or exact not in inside
    assert "95 % interval" in text
    assert not re.search(r"\(-?\d+(\.\d+)? to -?\d", text)  # no interval


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (Finding(LeakFamily.IDENTITY, Grade.CLEAR, "match", "x", 0.2, 0.01), ("20", "1", "above")),
        (Finding(LeakFamily.IDENTITY, Grade.SLIGHT, "match", "x", 0.09, 0.01), ("9", "1", "not above")),
        (
            Finding(LeakFamily.IDENTITY, Grade.NO_LEAK_FOUND, "m", "x", 0.3, 0.3),
            ("30", "30", "above, for people outside too"),
        ),
        (Finding(LeakFamily.IDENTITY, Grade.CANNOT_TELL, cannot_tell=("few",)), ("-", "-", "cannot tell")),
        (Finding(LeakFamily.IDENTITY, Grade.SEVERE, lower=0.1), ("-", "-", "above")),
        (Finding(LeakFamily.IDENTITY, Grade.SLIGHT, lower=0.0), ("-", "-", "not stated")),
        (
            Finding(LeakFamily.IDENTITY, Grade.CLEAR, "log-ratio", IN_PAIRS, 0.8, 0.2),
            ("-", "-", "graded by ranks, which is no share of people"),
        ),
    ],
)
def test_the_line_is_compared_with_shares_of_people_only(finding: Finding, said: tuple[str, ...]) -> None:
    assert lines._cells(finding)[1:] == said


def test_the_file_that_asks_can_be_read_and_answers_nothing() -> None:
    assert set(tomllib.loads(template())) == set(ASKED)
    assert read_facts(tomllib.loads(template())).missing == tuple(ASKED)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('recipient = "x"', "has an unknown key 'recipient'; did you mean recipients?"),
        ("purpose = 3", "purpose is int; a text is expected"),
        ("purpose = ", "is not TOML"),
        (f'purpose = "{"x" * 6000}"', "at most 5,000 are expected"),
    ],
)
def test_a_file_at_fault_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "annex.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        read_facts(tmp_path / "annex.toml")
    assert said in str(error.value)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_facts(tmp_path / "none.toml")


def test_hostile_answers_are_shown_and_harmless(leaking: Report) -> None:
    bad = "<script>alert(1)</script> | **x** \x1b[31m"
    page = pages.render_page(leaking, CustodianFacts({"purpose": bad}))
    assert "<script>alert(1)" not in page
    assert "\x1b" not in page
    assert "\x1b" not in markdown(leaking, CustodianFacts({"purpose": bad}))


def test_without_people_outside_nothing_can_be_told(report: Report) -> None:
    assert "so neither can be told" in markdown(replace(report, holdout=None))


def test_the_command_writes_the_annex_and_asks(tmp_path: Path) -> None:
    release = st.samples.acs_release()
    for name in ("real", "synthetic", "holdout"):
        getattr(release, name)[:150].write_csv(tmp_path / f"{name}.csv")
    words = ["audit", "--checks", "crp", "--preset", "fast", "--annex"]
    for name in ("real", "synthetic", "holdout"):
        words += [f"--{name}", str(tmp_path / f"{name}.csv")]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 2
    assert "the annex is written to a folder; name one with --out" in found.stderr
    out = tmp_path / "audit"
    found = CliRunner().invoke(app, [*words, "--out", str(out)])
    assert found.exit_code == 0, found.output
    assert {"annex.html", "annex.md", "annex.toml"} <= {path.name for path in out.iterdir()}
    (out / "annex.toml").write_text('purpose = "Teaching of survey methods."\n', encoding="utf-8")
    again = CliRunner().invoke(app, [*words, "--out", str(out), "--annex-facts", str(out / "annex.toml")])
    assert again.exit_code == 0, again.output
    assert "Teaching of survey methods." in (out / "annex.md").read_text(encoding="utf-8")
    assert (out / "annex.toml").read_text(encoding="utf-8") == 'purpose = "Teaching of survey methods."\n'
    report = st.audit(release.real[:150], release.synthetic[:150], release.holdout[:150], checks="crp", preset="fast")
    report.to_annex(tmp_path / "own.md", facts={"purpose": "Own."})
    assert (tmp_path / "own.md").read_text(encoding="utf-8").startswith("# Annex for data protection")
    assert report.to_annex().startswith("<!DOCTYPE html>")
