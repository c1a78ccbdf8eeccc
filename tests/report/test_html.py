import hashlib
import re
from base64 import b64encode
from collections import Counter
from html.parser import HTMLParser

import pytest

from seethrough.report.html import audit_page
from seethrough.results.report import Report


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in {"meta", "input", "line", "path", "rect", "circle"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in {"line", "path", "rect", "circle"}:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


def test_every_check_appears_and_every_reason(report: Report) -> None:
    page = Page(audit_page.render(report))
    for name in ("crp", "zcap", "gcap", "hitting-rate", "auth", "dcr", "nnaa"):
        assert name in page.text
    assert "needs a holdout, and none was given" in page.text
    assert "ZeroDivisionError: division by zero" in page.text
    assert "the copy of the real table is too large for the exact search" in page.text
    assert "only 212 synthetic records share the keys of a real record" in page.text
    assert page.tags["article"] == 5


def test_sources_columns_notes_and_record_appear(two_tables: Report) -> None:
    text = Page(audit_page.render(two_tables)).text
    for said in (
        "train.csv",
        "synthetic-private.csv",
        "holdout.csv",
        "12,345",
        "person_id",
        "left out (id)",
        "20240607",
    ):
        assert said in text
    assert two_tables.real.digest in text
    assert two_tables.notes[0] in text


def test_the_verdict_comes_first_and_the_record_last(two_tables: Report) -> None:
    text = audit_page.render(two_tables)
    ids = ["verdict-title", "comparison-title", "attacks-title", "people-title", "scores-title", "table-1-title"]
    ids += ["table-2-title", "audited-title", "columns-title"]
    places = [text.index(f'id="{ident}"') for ident in (*ids, "notes-title", "record-title")]
    assert places == sorted(places)


def test_one_table_is_not_compared(report: Report) -> None:
    assert "comparison-title" not in audit_page.render(report)


@pytest.mark.parametrize("which", ["report", "two_tables", "hostile"])
def test_nothing_is_fetched_or_run(which: str, request: pytest.FixtureRequest) -> None:
    source = audit_page.render(request.getfixturevalue(which))
    page = Page(source)
    names = {name for name, _ in page.attributes}
    assert not names & {"src", "srcset", "action", "style", "data"}
    assert not [name for name in names if name.startswith("on")]
    assert all(value and value.startswith("#") for name, value in page.attributes if name == "href")
    assert not set(page.tags) & {"link", "iframe", "img", "object", "embed", "base", "form"}
    assert page.tags["script"] == 1  # our own
    [script] = re.findall("<script>(.*?)</script>", source, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in source
    assert not re.search(r"https?://|url\(|@import", source)
    assert re.search("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[^ ']+'; img-src data:", source)


def test_hostile_text_is_shown_and_harmless(hostile: Report) -> None:
    source = audit_page.render(hostile)
    page = Page(source)
    assert page.open == []
    assert "<script>alert('x')</script>" in page.text
    assert "\u202e" not in source
    assert "\x1b" not in source
    assert "x" * 1001 not in source
    source.encode("utf-8")


def test_names_are_isolated_from_the_direction_of_their_surroundings(report: Report) -> None:
    assert "<bdi>person_id</bdi>" in audit_page.render(report)


def test_identifiers_are_unique_and_every_label_exists(two_tables: Report) -> None:
    page = Page(audit_page.render(two_tables))
    idents = Counter(value for name, value in page.attributes if name == "id")
    assert max(idents.values()) == 1
    wanted = {value for name, value in page.attributes if name in {"aria-labelledby", "aria-describedby"}}
    wanted |= {value[1:] for name, value in page.attributes if name == "href" and value}
    assert wanted <= set(idents)


def test_table_headers_have_a_scope(two_tables: Report) -> None:
    source = audit_page.render(two_tables)
    assert re.findall(r"<th(?![a-z])(?![^>]*scope=)", source) == []


@pytest.mark.parametrize("which", ["two_tables", "hostile"])
def test_the_file_stays_small(which: str, request: pytest.FixtureRequest) -> None:
    assert len(audit_page.render(request.getfixturevalue(which)).encode()) < 500_000
