"""The pages in docs/attacks begin with what the attacks say about themselves; what was written by hand follows."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from seethrough.cli.commands import docs
from seethrough.report.markdown.explained import MADE, written_by_hand
from seethrough.report.markdown.measured_attack import TABLE

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "attacks"
PAGES = docs.attack_pages(FOLDER.parent)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_begins_as_generated(name):
    path = FOLDER / name
    assert path.is_file(), "run `make docs`"
    text = path.read_text(encoding="utf-8")
    assert text[: len(PAGES[name])] == PAGES[name], "run `make docs`"
    by_hand = written_by_hand(text)
    assert text == PAGES[name] + by_hand
    assert not by_hand or by_hand.startswith("\n## "), "what is written by hand begins with a title of its own"


def test_no_page_of_an_attack_that_is_gone_is_left_over():
    made = {path.name for path in FOLDER.iterdir() if MADE in path.read_text(encoding="utf-8")}
    assert made == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_what_is_generated_has_no_markup_by_accident(name):
    tokens = MarkdownIt("commonmark").enable("table").parse(PAGES[name])
    kinds = {child.type for token in tokens for child in token.children or ()} | {token.type for token in tokens}
    assert not kinds & {"html_block", "html_inline", "image", "code_block", "blockquote_open"}
    titles = [token.tag for token in tokens if token.type == "heading_open"]
    assert titles == ["h1", *["h2"] * (len(titles) - 1)]


def test_a_page_says_against_which_generators_the_attack_is_strong(tmp_path):
    table = tmp_path / TABLE
    table.parent.mkdir(parents=True)
    rows = ["acs,real,log-ratio,0.5,0.1,0.9,0.01,1.5,10", "acs,random,log-ratio,0.0,0.1,0.011,0.002,0.25,10"]
    rows += ["acs,real,dcr (ESR),0.3,0.02,,,0.5,4", "acs,random,dcr (CIT),0.3,,,,0.5,1"]
    head = "data,synthesizer,attack,leak,leak_error,tpr_0.01,tpr_0.01_error,seconds,releases"
    table.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    found = docs.attack_pages(tmp_path)
    rating = found["log-ratio.md"]
    assert (
        "| acs | `real` | 90.0 | 1.0 | 1.50 |\n\nWithin 4 standard errors of chance on every table: random." in rating
    )
    assert "members found at 1 % false alarms" in rating
    assert "| acs, ESR | `real` | 30.0 | 2.0 | 0.50 |\n" in found["dcr.md"]
    assert "CIT" not in found["dcr.md"]
    assert "Against which generators" not in found["gcap.md"]


def test_what_was_written_by_hand_is_kept(tmp_path):
    docs.write(tmp_path)
    page = tmp_path / "attacks" / "dcr.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Closest", "Nearest") + "\n## In use\n\nCarefully.\n")
    docs.write(tmp_path)
    assert page.read_text(encoding="utf-8") == docs.attack_pages(tmp_path)["dcr.md"] + "\n## In use\n\nCarefully.\n"
    assert (tmp_path / "metrics" / "dcr.md").read_text(encoding="utf-8") == docs.pages()["dcr.md"]
