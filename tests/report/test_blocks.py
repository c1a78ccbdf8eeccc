"""Every kind of block has a form in every medium, and what a medium leaves out stays out."""

from dataclasses import replace
from io import StringIO
from typing import get_args

import pytest
from jinja2.exceptions import TemplateRuntimeError
from rich.console import Console

from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.sections import blocks, document
from seethrough.report.sections.blocks import Medium
from seethrough.report.terminal import summary
from seethrough.results.report import Report

KINDS = get_args(blocks.Block)
ONLY = {
    Medium.SUMMARY: blocks.SUMMARY,
    Medium.TERMINAL: blocks.VERBOSE,
    Medium.MARKDOWN: blocks.MARKDOWN,
    Medium.HTML: blocks.PAGE,
}


def shown(report: Report, medium: Medium) -> str:
    if medium is Medium.HTML:
        return audit_page.render(report)
    if medium is Medium.MARKDOWN:
        return audit_document.render(report)
    page = StringIO()
    summary.render(report, Console(file=page, width=100), verbose=medium is Medium.TERMINAL)
    return page.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_block_has_a_form_in_every_medium(kind: type) -> None:
    assert kind in audit_document.block_lines.registry
    assert kind in summary.print_block.registry
    assert kind in audit_page.KINDS.values()


def test_text_media_know_no_other_kinds() -> None:
    assert set(audit_document.block_lines.registry) == set(summary.print_block.registry) == {object, *KINDS}


@pytest.mark.parametrize("medium", Medium)
def test_a_section_is_shown_where_it_says(report: Report, medium: Medium, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [blocks.Section(f"Of {name.value}", anchor=name.value, media=only) for name, only in ONLY.items()]
    monkeypatch.setattr(document, "SECTIONS", (lambda _: iter(made),))
    text = shown(report, medium).lower()
    assert [name for name in Medium if f"of {name.value}" in text] == [medium]


@pytest.mark.parametrize("medium", Medium)
def test_text_is_escaped_by_the_renderer(report: Report, medium: Medium, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = "<b>[x](y)</b>"
    listed = blocks.TableBlock(bad, (blocks.TableColumn(bad),), (blocks.TableRow((blocks.TableCell(bad, note=bad),)),))
    said = (
        blocks.Paragraph((bad, " ", blocks.Span(bad, "strong"))),
        blocks.Bullets((bad,), bad),
        blocks.Facts((blocks.Fact(bad, bad),)),
        listed,
        blocks.VerdictBanner(bad, bad, blocks.Severity.CLEAR, bad),
        blocks.GradedHeadlines((blocks.GradedHeadline(bad, bad, blocks.Severity.CLEAR, bad, bad, bad),)),
        blocks.ScoreHead(bad, bad, bad, bad, bad),
        blocks.Fold(bad, (blocks.Paragraph(bad),), bad),
        blocks.OptionSwitch(bad, (("risk", bad),), (blocks.Paragraph(bad),)),
    )
    monkeypatch.setattr(document, "SECTIONS", (lambda _: iter([blocks.Section(bad, said, anchor="bad")]),))
    text = shown(replace(report, notes=()), medium)
    wanted = {
        Medium.SUMMARY: bad,
        Medium.TERMINAL: bad,
        Medium.MARKDOWN: "&lt;b&gt;\\[x\\](y)&lt;/b&gt;",
        Medium.HTML: "&lt;b&gt;[x](y)&lt;/b&gt;",
    }[medium]
    assert text.count(wanted) >= len(said)
    assert medium in {Medium.SUMMARY, Medium.TERMINAL} or "<b>[x]" not in text


def test_a_page_refuses_what_is_no_block(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        document,
        "SECTIONS",
        (lambda _: iter([blocks.Section("x", (blocks.Section("y"),), anchor="x")]),),  # type: ignore[arg-type]
    )
    with pytest.raises(TemplateRuntimeError, match="no form for Section"):
        audit_page.render(report)
