"""Pages are made of templates that hold no style and no script, and text of others stays text in them."""

import hashlib
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from seethrough.web import rendering
from seethrough.web.rendering import PageFrame, render

TEMPLATES = Path(rendering.__file__).parent / "templates"
KILO = 1000


def test_style_and_script_are_small():
    assert (TEMPLATES / "web.css").stat().st_size <= 8 * KILO
    assert (TEMPLATES / "web.js").stat().st_size <= 12 * KILO


def test_the_three_files_that_pages_load_are_named_by_their_digest():
    files = rendering.static_files()
    assert len(files) == 3
    for name, file in files.items():
        assert name == file.name
        assert re.fullmatch(r"[a-z]+-[0-9a-f]{16}", name)
        assert hashlib.sha256(file.content).hexdigest().startswith(name.rpartition("-")[2])


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.j2")), ids=lambda path: path.name)
def test_no_template_has_a_style_a_script_or_a_handler_of_its_own(template):
    text = re.sub(r"\{#.*?#\}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not re.search(r"\sstyle\s*=|\son[a-z]+\s*=|<style|javascript:", text, re.IGNORECASE)
    assert re.findall(r"<script[^>]*>[^<]*", text) in ([], re.findall(r'<script src="[^"]*" defer>', text))
    assert "|safe" not in text.replace(" ", "")


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(UndefinedError):
        render("error", PageFrame("Missing"))


def test_text_of_others_is_shown_as_text():
    hostile = "</title><script>alert(1)</script>\u202eevil{{7*7}}"
    page = render("error", PageFrame(hostile, audit=hostile, depth=0), said=hostile, link="./", todo="Back")
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "{{7*7}}" in page
    assert "49" not in page.partition("<title>")[2].partition("</title>")[0]


@pytest.mark.parametrize(
    ("depth", "up", "root"), [(None, "", ""), (0, "", "../../"), (1, "../", "../../../"), (2, "../../", "../../../../")]
)
def test_a_frame_leads_to_its_audit_and_to_the_start(depth, up, root):
    frame = PageFrame("Page", depth=depth)
    assert (frame.up, frame.root) == (up, root)


def test_a_hundred_dots_are_laid_out_in_rows_of_twenty_five():
    anyway, added, others = rendering.dot_paths((26, 1, 73))
    assert anyway.startswith("M5 5h0M15 5h0")
    assert anyway.endswith("M5 15h0")
    assert added == "M15 15h0"
    assert others.count("M") == 73
    assert others.endswith("M245 35h0")


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (640e6, "640 MB"), (4.2e9, "4.2 GB")]
)
def test_bytes_are_written_in_the_unit_that_fits(number, said):
    assert rendering.size(number) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "less than a second"), (8.4, "8 s"), (240, "4 min"), (9000, "2.5 h")]
)
def test_durations_are_written_in_the_unit_that_fits(seconds, said):
    assert rendering.duration(seconds) == said


def test_sentences_for_the_command_line_say_where_it_is_here():
    said = "A secret column: none was named (--secret), so each was tried."
    assert rendering.say_here(said) == "A secret column: none was named (page Question), so each was tried."
