"""What-if in every form: the recommended lever first, dominated ones grey, hostile names harmless."""

import json
import re
from io import StringIO

import pytest
from rich.console import Console

from seethrough.report.what_if import terminal, wording
from seethrough.report.what_if.what_if_report import WhatIfReport
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.levers.what_if import FamilyLeak, LeverRow, UtilityFigures

HOSTILE = "drop column <script>alert(1)</script>|\x1b[31m"


def row(lever, removed, lost, **more):
    change = Estimate(-removed, -removed - 0.02, -removed + 0.02)
    leak = Estimate(0.3 - removed, 0.25 - removed, 0.35 - removed)
    return LeverRow(
        lever,
        families=(FamilyLeak(LeakFamily.MEMBERSHIP, Grade.CLEAR, "log-ratio", leak, change),),
        family=LeakFamily.MEMBERSHIP,
        grade=Grade.CLEAR,
        leak=leak,
        change=change,
        utility=UtilityFigures(0.2, 0.1, 0.8, 0.9 - lost),
        utility_change=-lost,
        rows=100,
        near_copies=0.1,
        per_utility=removed / lost,
        helps=removed > 0.02,
        **more,
    )


@pytest.fixture
def found():
    baseline = LeverRow(
        "the release as it is",
        families=(FamilyLeak(LeakFamily.MEMBERSHIP, Grade.SEVERE, "log-ratio", Estimate(0.3, 0.25, 0.35)),),
        family=LeakFamily.MEMBERSHIP,
        grade=Grade.SEVERE,
        leak=Estimate(0.3, 0.25, 0.35),
        utility=UtilityFigures(0.15, 0.08, 0.81, 0.9),
    )
    rows = (
        row("fewer rows 50%", 0.1, 0.02, place=1),
        row(HOSTILE, 0.05, 0.04, place=2, is_dominated=True),
        row("drop near copies", 0.06, 0.04, place=3, is_remedy=False, notes=("40 of 100 rows are left out",)),
        LeverRow("epsilon 1", reason="the generator failed"),
    )
    return WhatIfReport(baseline, rows, "the worst family", 0, "fast", ("income",), screened=("drop column a",))


def test_the_answer_comes_first_in_people_out_of_100(found):
    assert wording.headline(found) == (
        "fewer rows 50%: 10.0 fewer of 100 members are exposed (8.0 to 12.0), and it costs 2.0 of 100 of utility. "
        "What remains: 20.0 (15.0 to 25.0), clear."
    )
    assert wording.before(found).startswith("Now: 30.0 (25.0 to 35.0) of 100 members beyond people outside")


def test_where_nothing_helps_that_is_said(found):
    nothing = WhatIfReport(found.baseline, found.rows[3:], "membership", 0, "fast", ())
    assert nothing.recommended is None
    assert wording.headline(nothing).startswith("None of these levers is shown to lower the leak")


def test_the_terminal_shows_every_lever_and_nothing_acts(found):
    shown = StringIO()
    terminal.render(found, Console(file=shown, width=100, force_terminal=False))
    text = shown.getvalue()
    assert text.startswith("fewer rows 50%: 10.0 fewer of 100 members")
    for said in ("dominated", "no remedy", "the generator failed", "A quick pass tried 1 more levers"):
        assert said in text
    assert "\x1b" not in text
    assert "<script>" in text  # a terminal shows it, and does nothing
    verbose = StringIO()
    terminal.render(found, Console(file=verbose, width=100, force_terminal=False), verbose=True)
    assert "40 of 100 rows are left out" in verbose.getvalue()


def test_page_and_document_hold_hostile_names_as_text(found):
    for text in (found.to_html(), found.to_markdown(), found.to_svg()):
        assert "<script>" not in text
        assert "\x1b" not in text
    page = found.to_html()
    assert re.search(r"<tr class='best'><td>fewer rows 50%", page)
    assert re.search(r"<tr class='grey'><td>drop column &lt;script", page)


def test_the_picture_has_dominated_levers_in_grey(found):
    drawn = found.to_svg()
    grey = re.search(r"<g class='series-\d+' data-series='dominated or not shown to help' fill='(#\w+)'", drawn)
    assert grey[1] == "#777777"
    assert "leak removed, members of 100" in drawn
    assert "utility lost, of 100" in drawn


def test_json_is_plain_and_complete(found):
    told = json.loads(found.to_json())
    assert told["recommended"] == "fewer rows 50%"
    assert [each["place"] for each in told["levers"]] == [1, 2, 3, None]
    assert told["levers"][0]["change"]["value"] == -0.1
    assert told["baseline"]["families"][0]["grade"] == "severe"


def test_levers_as_a_frame_and_by_name(found):
    frame = found.levers()
    assert frame["lever"].to_list()[:2] == ["the release as it is", "fewer rows 50%"]
    assert frame["change_value"].to_list()[1] == -0.1
    assert found["fewer rows 50%"].place == 1
    assert next(each.lever for each in found) == "fewer rows 50%"
    with pytest.raises(KeyError):
        found["nope"]


def test_a_folder_gets_four_files_or_none(found, tmp_path):
    written = found.save(tmp_path / "out")
    assert sorted(path.name for path in written) == ["whatif.html", "whatif.json", "whatif.md", "whatif.svg"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in written)
