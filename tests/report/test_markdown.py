import pytest
from markdown_it import MarkdownIt

from seethrough.report.markdown import audit_document
from seethrough.report.markdown.escaping import escape_markdown
from seethrough.results.report import Report

HOSTILE_TEXT = [
    "a|b",
    "`code`",
    "<script>alert(1)</script>",
    "*bold* _it_ ~~gone~~",
    "[text](http://example.org)",
    "![x](y)",
    "# title",
    "1. one",
    "- item",
    "&lt;",
    "back\\slash",
    "$x$",
]


@pytest.mark.parametrize("text", HOSTILE_TEXT)
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(escape_markdown(text))
    kinds = {child.type for token in tokens for child in token.children or ()}
    shown = "".join(child.content for token in tokens for child in token.children or ())
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert kinds <= {"text"}
    assert shown == text


def test_every_check_and_reason_appears(two_tables: Report) -> None:
    text = audit_document.render(two_tables)
    for said in ("crp", "zcap", "gcap", "hitting-rate", "auth", "dcr", "nnaa", "needs a holdout", "ZeroDivisionError"):
        assert said in text
    assert "## Comparison" in text
    assert "left out (id)" in text


def test_hostile_text_breaks_no_table_and_makes_no_markup(hostile: Report) -> None:
    text = audit_document.render(hostile)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds = {child.type for token in tokens for child in token.children or ()} | {token.type for token in tokens}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "code_inline", "fence", "code_block"}
    assert "\x1b" not in text
    assert "\u202e" not in text
    lines = text.splitlines()
    rows = sum(line.startswith("|") for line in lines) - sum(line.startswith("| --- |") for line in lines)
    assert sum(token.type == "tr_open" for token in tokens) == rows
    text.encode("utf-8")
