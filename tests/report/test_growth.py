"""What several tables show together, in every document."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from seethrough.report.external.others_report import make_external
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.terminal import summary
from seethrough.results.estimate import Curve, Estimate, Growth
from seethrough.results.outcome import Failed, Skipped

CURVE = Curve(
    "any",
    "records that <b>any</b> table discloses",
    {"release": (Estimate(0.1, 0.05, 0.2), Estimate(0.35, 0.3, 0.4)), "permuted": (Estimate(0, 0, 0.1),) * 2},
)


@pytest.fixture
def grown(two_tables):
    card = two_tables.tables[0].outcomes[0].card
    unmeasured = (Skipped(card, "no <i>reason</i>"), Failed(card, "KeyError: 1"))
    return replace(two_tables, growth=(Growth("linkage", 50, (CURVE,)), *unmeasured))


def shown(report):
    page = StringIO()
    summary.render(report, Console(file=page, width=80, force_terminal=False, no_color=True), verbose=True)
    return page.getvalue()


def test_the_terminal_has_a_line_for_each_number_of_tables_and_side(grown):
    lines = [line.split() for line in shown(grown).splitlines()]
    assert ["1", "release", "0.100"] in lines
    assert ["2", "release", "0.350"] in lines
    assert ["2", "permuted", "0.000"] in lines
    assert "was skipped: no <i>reason</i>" in shown(grown)
    assert "failed: KeyError: 1" in shown(grown)


def test_markdown_has_intervals_and_escapes(grown):
    text = audit_document.render(grown)
    assert "| 2 | release | 0.350 (0.300 to 0.400) |" in text
    assert "<b>any</b>" not in text


def test_html_draws_a_line_for_each_side(grown):
    page = audit_page.render(grown)
    assert page.count('class="growth"') == 1
    # Two marks, two intervals and one line between them, for each of two sides.
    assert page.count('class="line-release"') == page.count('class="line-permuted"') == 3
    assert "<b>any</b>" not in page
    assert "no &lt;i&gt;reason&lt;/i&gt;" in page


def test_without_growth_there_is_no_section(two_tables):
    for document in (shown(two_tables), audit_document.render(two_tables), audit_page.render(two_tables)):
        assert "several tables together" not in document.lower()


def test_for_others_there_is_none(grown):
    assert make_external(grown).growth == ()
    assert "several tables together" not in audit_document.render(make_external(grown)).lower()
