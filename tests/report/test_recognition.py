"""What the leading membership attack recognises, as a reader meets it."""

from dataclasses import replace
from typing import Any

from seethrough.report.external.others_report import make_external
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.sections.blocks import Paragraph, TableBlock
from seethrough.report.sections.evidence import recognition
from seethrough.results.evidence import LeakFamily, ReleaseEvidence
from seethrough.results.report import Report


def named(report: Report) -> Report:
    """The same report, with log-ratio as the attack named in advance."""
    seen = report.tables[0].evidence
    assert seen is not None
    first, *others = seen.findings
    evidence = replace(seen, findings=(replace(first, headline="log-ratio"), *others))
    return replace(report, tables=(replace(report.tables[0], evidence=evidence),))


def evidence_of(report: Report) -> ReleaseEvidence:
    seen = report.tables[0].evidence
    assert seen is not None
    return seen


def test_the_attack_named_in_advance_leads_and_the_strongest_is_said_to_be_adjusted(leaking: Report) -> None:
    said, table, _ = recognition.blocks(evidence_of(named(leaking)))
    assert isinstance(said, Paragraph)
    assert said.words == (
        "log-ratio leads, by a rule made in advance: area 0.580 (0.560 to 0.600); 5 of 100 members are recognised at "
        "1 % false alarms. Strongest: log-ratio (p 0.0004, adjusted for 2 attacks)."
    )
    assert isinstance(table, TableBlock)
    tenth, _, thousandth = ([cell.text for cell in row.cells] for row in table.rows)
    assert tenth == [
        "10 in 100",
        "21 (20 to 22)",
        "12 (11 to 14)",
        "2 (1)",
        "16 (13)",
        "-",
    ]
    assert thousandth[:2] == ["1 in 1,000", "not resolvable below 1 in 2,401"]


def test_without_a_leading_attack_nothing_is_shown(leaking: Report) -> None:
    assert evidence_of(leaking)[LeakFamily.MEMBERSHIP].headline is None
    assert list(recognition.blocks(evidence_of(leaking))) == []


def test_page_and_document_show_it_and_a_report_for_others_does_not(leaking: Report) -> None:
    renderers: tuple[Any, ...] = (audit_page.render, audit_document.render)
    for render in renderers:
        assert "by a rule made in advance" in render(named(leaking))
        assert "by a rule made in advance" not in render(make_external(named(leaking)))
