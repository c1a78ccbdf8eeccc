"""The verdict, the attacks and exposed people, as a reader meets them in every form of the report."""

import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from seethrough.report.external.others_report import make_external
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.sections import document
from seethrough.report.sections.blocks import Fold, GradedHeadlines, Section, Severity, TableBlock, VerdictBanner
from seethrough.report.terminal import summary
from seethrough.report.words import evidence_text
from seethrough.results.diagnostics import Diagnostics, ExposedRow
from seethrough.results.evidence import Grade, GradeLimits, LeakFamily, ReleaseEvidence
from seethrough.results.report import Report


def in_terminal(report: Report, *, verbose: bool = True) -> str:
    out = StringIO()
    summary.render(report, Console(file=out, width=100), verbose=verbose)
    return out.getvalue()


FORMS = [audit_page.render, audit_document.render, in_terminal]


def plain(text: str) -> str:
    """What is read: no tags, no escapes, no line breaks."""
    unescaped = re.sub(r"<[^>]+>", "", text).replace("&#39;", "'").replace("&#34;", '"').replace("\\", "")
    return " ".join(unescaped.split())


def section(report: Report, anchor: str) -> Section:
    return next(each for each in document.build(report).sections if each.anchor == anchor)


def with_evidence(report: Report, **changes: object) -> Report:
    seen = report.tables[0].evidence
    assert seen is not None
    return replace(report, tables=(replace(report.tables[0], evidence=replace(seen, **changes)),))  # type: ignore[arg-type]


def evidence_of(report: Report) -> ReleaseEvidence:
    seen = report.tables[0].evidence
    assert seen is not None
    return seen


@pytest.mark.parametrize("render", FORMS)
def test_every_form_says_the_verdict_and_each_finding(leaking: Report, render: Callable[[Report], str]) -> None:
    text = plain(render(leaking))
    assert "clear leak" in text.lower()
    assert (
        "In 58 of 100 pairs of a member and a person outside the member is rated higher; chance would give 50" in text
    )
    assert (
        "61 of 100 members have their 'income' guessed right, against 60.5 of 100 people outside: a difference of 0.5 "
        "(-1.6 to 2.6)." in text
    )
    assert "dcr (income); adjusted p 0.72; a leak of 4 in 100 would have been found." in text
    assert "No attack of this family was run." in text
    assert "12,345 members and 2,400 people outside were attacked" in text
    assert "9,999 permutations" in text


def test_the_banner_is_the_first_block_of_the_first_section(leaking: Report) -> None:
    first = document.build(leaking).sections[0]
    banner, headlines = first.blocks[0], next(block for block in first.blocks if isinstance(block, GradedHeadlines))
    assert isinstance(banner, VerdictBanner)
    assert (banner.grade, banner.severity) == ("clear leak", Severity.CLEAR)
    assert [(each.subject, each.severity) for each in headlines.headlines] == [
        ("Membership", Severity.CLEAR),
        ("Attribute inference", Severity.NONE),
        ("Re-identification", Severity.UNKNOWN),
    ]


def test_pairs_are_drawn_against_chance_and_people_beside_each_other(leaking: Report) -> None:
    first = document.build(leaking).sections[0]
    headlines = next(block for block in first.blocks if isinstance(block, GradedHeadlines)).headlines
    drawn = [[(bar.label, bar.value, bar.other, said) for bar, said in each.bars] for each in headlines]
    assert drawn == [
        [("Pairs", 0.58, 0.5, "58")],
        [("Members", 0.61, None, "61"), ("Outside", 0.605, None, "60.5")],
        [],
    ]


@pytest.mark.parametrize("render", FORMS)
def test_without_people_outside_one_reason_is_said_once(report: Report, render: Callable[[Report], str]) -> None:
    said = evidence_of(report).verdict
    suspicious = replace(said, sentence=f"Suspicious: 7 copies. {said.sentence}")
    text = plain(render(with_evidence(report, verdict=suspicious, warnings=("suspicious: 7 copies",))))
    assert text.lower().count("cannot be compared with anybody") == 1
    assert text.lower().count("suspicious: 7 copies") == 1
    assert not re.search(r"(slight|clear|severe) leak|no leak found", text.split("Glossary")[0].lower())


def test_what_one_reason_leaves_untold_says_no_size_that_would_have_been_found(leaking: Report) -> None:
    told = evidence_of(leaking).findings[0]
    untold = replace(told, grade=Grade.CANNOT_TELL, cannot_tell=("column 'age' cannot be compared",))
    said = evidence_text.finding_detail(untold)
    assert said.startswith("On what could be compared: In 58 of 100 pairs")
    assert "would have been found" not in said
    assert evidence_text.finding_sentence(untold) == "Column 'age' cannot be compared."
    alike = tuple(replace(untold, family=family) for family in LeakFamily)
    blocks = section(with_evidence(leaking, findings=alike), "verdict").blocks
    assert not [block for block in blocks if isinstance(block, GradedHeadlines)]


def test_a_report_without_attacks_has_no_verdict(report: Report) -> None:
    table = replace(report.tables[0], evidence=None)
    assert "NO VERDICT" in in_terminal(replace(report, tables=(table,)))


def test_warnings_are_said_unless_a_finding_says_them(leaking: Report) -> None:
    said = evidence_of(leaking)[next(iter(evidence_of(leaking).findings)).family]
    changed = with_evidence(leaking, warnings=("people overlap", *said.cannot_tell), failed=("dcr: ValueError: x",))
    assert list(evidence_text.remarks(evidence_of(changed))) == ["People overlap.", "Attack failed: dcr: ValueError: x"]


def test_attacks_are_listed_with_the_surest_first(leaking: Report) -> None:
    table = next(block for block in section(leaking, "attacks").blocks if isinstance(block, TableBlock))
    titles = [column.title for column in table.columns]
    first, second = ({t: c.text for t, c in zip(titles, row.cells, strict=True)} for row in table.rows)
    assert first == {
        "attack": "log-ratio",
        "of 100": "",
        "members": "58",
        "outside": "42",
        "leak (interval)": "16 (12 to 20)",
        "p": "0.0001",
        "adjusted p": "0.0004",
        "10 %": "21",
        "1 %": "5",
        "0.1 %": "not resolvable",
        "time": "120 ms",
    }
    assert (second["attack"], second["10 %"], second["0.1 %"]) == ("dcr (income)", "-", "-")


def test_p_that_are_withheld_are_not_zero(leaking: Report) -> None:
    withheld = [replace(attack, p=None, p_adjusted=None) for attack in evidence_of(leaking).attacks]
    table = next(
        block
        for block in section(with_evidence(leaking, attacks=tuple(withheld)), "attacks").blocks
        if isinstance(block, TableBlock)
    )
    assert {row.cells[6].text for row in table.rows} == {"withheld"}
    assert {row.tone for row in table.rows} == {"plain"}


def test_exposed_people_are_named_by_their_rows(leaking: Report) -> None:
    text = in_terminal(leaking, verbose=False)
    assert "1 member stands out as almost nobody outside does." in text
    assert "surest first: 4,711." in text


def test_values_stand_above_those_of_the_released_row_where_they_differ(leaking: Report) -> None:
    values = ("44", "f", "high"), ("44", "m", "high")
    row = ExposedRow(4711, ("identity", "membership"), "match-rare", 0.0004, 17, *values, ("sex",))
    shown = Diagnostics(exposed=(row,), shows_values=True)
    valued = replace(leaking, tables=(replace(leaking.tables[0], exhibits=shown),))
    fold = section(valued, "people").blocks[-1]
    assert isinstance(fold, Fold)
    table = fold.blocks[-1]
    assert isinstance(table, TableBlock)
    assert [column.title for column in table.columns[6:]] == ["age", "sex", "income"]
    [cells] = [row.cells for row in table.rows]
    assert cells[4].text == "re-identification, membership"
    assert cells[5].text == "differs in sex"
    shown_cells = [(cell.text, cell.note, cell.tone) for cell in cells[6:]]
    assert shown_cells == [("44", "", "plain"), ("f", "released: m", "differs"), ("high", "", "plain")]


def test_without_values_the_columns_that_differ_are_named_alone(leaking: Report) -> None:
    rows = tuple(
        ExposedRow(4711 + place, ("membership",), "log-ratio", 0.0004, released, differing=columns)
        for place, (released, columns) in enumerate([(17, ("age", "income")), (18, ()), (None, ())])
    )
    listed = replace(leaking, tables=(replace(leaking.tables[0], exhibits=Diagnostics(exposed=rows)),))
    fold = section(listed, "people").blocks[-1]
    assert isinstance(fold, Fold)
    table = fold.blocks[-1]
    assert isinstance(table, TableBlock)
    assert [row.cells[5].text for row in table.rows] == ["differs in age, income", "identical", "-"]
    assert len(table.columns) == 6


def test_an_empty_list_says_what_it_would_need(leaking: Report) -> None:
    # 1 / 2,401 is the smallest p: k people among 12,345 need k * 0.1 / 12,345 of it, so k >= 51.4; one needs 123,449.
    said = evidence_text.people_sentence(evidence_of(with_evidence(leaking, people=())))
    assert said == (
        "Nobody can be listed with at most one in ten by chance. With 2,400 people outside a list has at "
        "least 52 people; to name a single one, 123,449 people outside are needed."
    )


def test_nobody_is_listed_where_no_leak_was_found(leaking: Report) -> None:
    verdict = replace(evidence_of(leaking).verdict, grade=Grade.NO_LEAK_FOUND)
    found = with_evidence(leaking, verdict=verdict, people=())
    assert "EXPOSED PEOPLE" not in in_terminal(found)


@pytest.mark.parametrize("render", FORMS)
def test_others_learn_whole_people_and_no_single_one(leaking: Report, render: Callable[[Report], str]) -> None:
    text = plain(render(make_external(leaking, b"key")))
    assert "In 58 of 100 pairs" not in text
    assert "adjusted p is at most 5 %, clear if" in text  # the rule of grades
    assert "An attack recognises at least" in text
    assert "4,711" not in text
    assert "0.0004" not in text
    assert "0.72" not in text
    assert "not resolvable" not in text
    assert re.search(r"About (10|20),000 members and (2|5),000 people outside", text)


def test_the_limits_of_grades_and_who_set_them_are_said(leaking: Report) -> None:
    limits = GradeLimits(0.02, 0.2, "the user")
    said = evidence_text.small_print(evidence_of(with_evidence(leaking, limits=limits)))
    assert "at least 2 in 100" in said
    assert "at least 20 in 100" in said
    assert said.endswith("(limits set by the user).")
    assert {threshold.set_by for threshold in evidence_text.thresholds(limits)} == {"the user"}
    assert {threshold.set_by for threshold in evidence_text.thresholds(GradeLimits())} == {"Seethrough"}
