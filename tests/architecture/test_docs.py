"""The pages in docs/metrics are what the checks say about themselves."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from seethrough.cli.commands import docs

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "metrics"
PAGES = docs.pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_generated(name):
    path = FOLDER / name
    assert path.is_file(), "run `make docs`"
    assert path.read_text(encoding="utf-8") == PAGES[name], "run `make docs`"


def test_no_page_is_left_over():
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES), "remove the pages of checks that are gone"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_markup_by_accident(name):
    tokens = MarkdownIt("commonmark").enable("table").parse(PAGES[name])
    kinds = {child.type for token in tokens for child in token.children or ()} | {token.type for token in tokens}
    assert not kinds & {"html_block", "html_inline", "image", "code_block", "blockquote_open", "ordered_list_open"}
    titles = [token.tag for token in tokens if token.type == "heading_open"]
    assert titles == ["h1", *["h2"] * (len(titles) - 1)]


def test_pages_are_written(tmp_path):
    docs.write(tmp_path)
    assert (tmp_path / "metrics" / "gcap.md").read_text(encoding="utf-8") == PAGES["gcap.md"]
