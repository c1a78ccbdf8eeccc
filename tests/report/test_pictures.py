"""Figure data by hand, drawings that stand where their values are, and the page and the text around them."""

import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from rich.console import Console

import seethrough as st
from seethrough.data.samples import acs_release
from seethrough.report.html import audit_page, drawing, overlay, plot_frame
from seethrough.report.markdown import audit_document
from seethrough.report.pictures import diagnostic_pictures as pictures
from seethrough.report.pictures import score_pictures as charts
from seethrough.report.sections.blocks import TableBlock
from seethrough.report.sections.exposure import groups, isolated
from seethrough.report.terminal import summary
from seethrough.report.words import glossary
from seethrough.results.comparison import RankedRelease, ReleaseComparison
from seethrough.results.diagnostics import (
    Artefact,
    ArtefactSign,
    ColumnExposure,
    ColumnFidelity,
    Diagnostics,
    Distances,
    ExposedRow,
    GroupedLeaks,
    IsolatedPeople,
    LeakGroup,
    PairFidelity,
    Rate,
)
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableAudit, TableSummary

RATE = Rate(0.4, 0.3, 0.5, 900)
DISTANCES = Distances((0.0, 0.5, 1.0), (1, 3), (3, 1), 1, 0, 0.7, 0.2)


def rate(value: float) -> Rate:
    return Rate(value, value - 0.1, value + 0.1, 100)


def with_exhibits(report: Report, shown: Diagnostics) -> Report:
    return replace(report, tables=tuple(replace(table, exhibits=shown) for table in report.tables))


def test_distances_are_shares_of_their_rows_and_those_at_0_stand_apart() -> None:
    figure = pictures.distances(DISTANCES)
    assert (figure.released, figure.independent, figure.end) == ((0.0, 0.75), (0.75, 0.25), 1.0)
    assert (figure.released_zero, figure.independent_zero) == (0.25, 0.0)
    assert "within 0.7 of a real row" in figure.description
    assert "25.0% and 0.0% of them" in figure.description


def test_bars_and_steps_stand_over_their_bins_and_what_is_0_in_a_column_of_its_own() -> None:
    drawn = ET.fromstring(overlay.draw_overlay(pictures.distances(DISTANCES), "a"))
    bars = [(bar.get("x"), bar.get("width"), float(bar.get("height", 0))) for bar in drawn.iter("rect")]
    # The axis ends at 80 %, 120 pixels up; the bins share the last 90 % of the width.
    assert bars == [("0.00%", "5.64%", 37.5), ("55.00%", "42.30%", 112.5)]
    flat = [line for line in drawn.iter("line") if line.get("class") == "step" and line.get("x1") != line.get("x2")]
    assert [(line.get("x1"), line.get("x2"), line.get("y1")) for line in flat] == [
        ("0.00%", "6.00%", "142.0"),
        ("10.00%", "55.00%", "29.5"),
        ("55.00%", "100.00%", "104.5"),
    ]


def test_the_axes_of_distances_have_names_units_and_ticks() -> None:
    drawn = ET.fromstring(overlay.draw_overlay(pictures.distances(DISTANCES), "a"))
    said = [text.text for text in drawn.iter("text")]
    assert said[:4] == ["% of rows", "0", "40", "80"]
    assert said[4:] == ["0", ">0", "0.25", "0.5", "0.75", "1", "distance (1: one category differs)"]


@pytest.mark.parametrize(("value", "end"), [(0.34, 0.4), (0.4, 0.4), (0.41, 0.6), (0.9, 1.0), (0.011, 0.02), (0, 1.0)])
def test_axes_end_at_a_round_number(value: float, end: float) -> None:
    assert plot_frame.next_round(value) == pytest.approx(end)


def test_columns_are_ordered_by_their_lead_over_people_outside() -> None:
    found = pictures.columns(
        [
            ColumnExposure("even", rate(0.9), rate(0.9), 0.5),
            ColumnExposure("leaky", rate(0.6), rate(0.2), 0.5),
            ColumnExposure("alone", rate(0.6), None, 0.5),
        ]
    )
    assert [(mark.label, mark.note) for mark in found] == [("leaky", "+0.40"), ("alone", "+0.10"), ("even", "+0.00")]


def group(column: str, label: str, leak: tuple[float, float, float], *, merged: int = 1) -> LeakGroup:
    value, low, _ = leak
    exposed = low > 0
    return LeakGroup(
        column,
        label,
        merged,
        LeakFamily.IDENTITY,
        "match-rare",
        "are picked out by their exact row",
        value,
        0.0,
        Estimate(*leak),
        0.01 if exposed else 0.8,
        exposed,
        900,
        1_200,
    )


def test_the_axis_of_groups_ends_at_the_next_five_of_100_beyond_all_intervals() -> None:
    assert pictures.axis_end([group("b", "x", (0.4, 0.2, 0.52)), group("b", "y", (0.0, -0.2, 0.2))]) == 0.55
    assert pictures.axis_end([group("a", "y", (0.0, -0.3, 0.3))]) == pytest.approx(0.3)
    assert pictures.group_label(group("b", "all others", (0.0, -0.2, 0.2), merged=3)) == "all others (3 levels)"


def test_groups_that_leak_most_are_listed_first_whatever_their_column() -> None:
    few = (group("a", "x", (0.1, -0.1, 0.3)), group("b", "x", (0.4, 0.2, 0.52)), group("c", "x", (0.3, 0.25, 0.35)))
    shown = Diagnostics(groups=GroupedLeaks(few))
    [section] = groups.parts(TableAudit(TableSummary("s.csv", 10, ""), (), shown))
    table = section.blocks[-1]
    assert isinstance(table, TableBlock)
    assert [row.cells[0].text for row in table.rows] == ["c: x", "b: x", "a: x"]


def test_the_leak_of_isolated_people_is_drawn_as_that_of_groups() -> None:
    leaks = group("", "most isolated tenth", (0.4, 0.2, 0.52)), group("", "all others", (0.1, -0.1, 0.3))
    shown = Diagnostics(isolated=IsolatedPeople("standard", leaks=leaks))
    [section] = isolated.parts(TableAudit(TableSummary("s.csv", 10, ""), (), shown))
    table = section.blocks[-1]
    assert isinstance(table, TableBlock)
    drawn = [row.cells[3].figure for row in table.rows]
    assert drawn == [pictures.LeakMark(each.leak, 0.55) for each in leaks]
    assert (table.columns[3].title, table.columns[3].scale_start, table.columns[3].scale) == ("leak", "-55", "+55")


def test_a_leak_stands_against_0_in_the_middle() -> None:
    drawn = ET.fromstring(drawing.draw_leak(pictures.LeakMark(Estimate(0.1, -0.1, 0.3), 0.4)))
    marks = {shape.get("data-mark"): shape.get("x") for shape in drawn.iter("svg") if shape.get("data-mark")}
    assert marks == {"value": "62.50%", "base-rate": "50.00%"}
    interval = next(line for line in drawn.iter("line") if line.get("class") == "mark-interval")
    assert (interval.get("x1"), interval.get("x2")) == ("37.50%", "87.50%")
    assert drawn.get("aria-hidden") == "true"


def test_without_groups_the_reason_is_said(report: Report) -> None:
    text = audit_document.render(with_exhibits(report, Diagnostics(groups=GroupedLeaks(reason="none were given"))))
    assert "None were given." in text


def test_a_row_of_marks_has_value_interval_comparison_and_base_rate_at_their_places() -> None:
    drawn = ET.fromstring(drawing.draw_mark(pictures.Mark("a", RATE, rate(0.2), 0.7)))
    marks = {shape.get("data-mark"): shape.get("x") for shape in drawn.iter("svg") if shape.get("data-mark")}
    assert marks == {"value": "40.00%", "independent": "20.00%", "base-rate": "70.00%"}
    interval = next(line for line in drawn.iter("line") if line.get("class") == "mark-interval")
    assert (interval.get("x1"), interval.get("x2")) == ("30.00%", "50.00%")
    assert drawn.get("aria-hidden") == "true"


def test_a_score_row_has_both_controls(report: Report) -> None:
    gcap = report["gcap"]
    assert isinstance(gcap, Measured)
    drawn = ET.fromstring(drawing.draw_score(charts.strip(gcap)))
    marks = {shape.get("data-mark"): shape.get("x") for shape in drawn.iter("svg") if shape.get("data-mark")}
    assert marks == {"value": "46.30%", "independent": "25.00%", "copy": "91.30%", "base-rate": "31.00%"}


def strip(independent: float, value: float, copy: float, base_rate: float | None = None) -> charts.RiskStrip:
    risk, low, high = (Estimate(each, each - 0.002, min(each + 0.002, 1.0)) for each in (value, independent, copy))
    return charts.RiskStrip("a", "b", risk, low, high, base_rate)


def test_controls_that_lie_close_together_are_drawn_on_a_magnified_scale() -> None:
    close = strip(0.965, 0.974, 1.0, base_rate=0.5)
    assert close.window == (0.96, 1.0)
    drawn = ET.fromstring(drawing.draw_score(close))
    marks = {shape.get("data-mark"): shape.get("x") for shape in drawn.iter("svg") if shape.get("data-mark")}
    # A base rate beyond the ends of the scale is not drawn at an end.
    assert marks == {"value": "35.00%", "independent": "12.50%", "copy": "100.00%"}
    assert [text.text for text in drawn.iter("text")] == ["0.96", "1"]
    assert next(line.get("class") for line in drawn.iter("line")) == "rail magnified"


@pytest.mark.parametrize(
    ("controls", "window"),
    [((0.5, 0.9), (0.0, 1.0)), ((0.5, 0.62), (0.0, 1.0)), ((0.5, 0.6), (0.4, 0.7)), ((0.02, 0.03), (0.01, 0.04))],
)
def test_the_scale_is_magnified_to_what_is_shown(controls: tuple[float, float], window: tuple[float, float]) -> None:
    assert strip(controls[0], sum(controls) / 2, controls[1]).window == window


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_scores_that_are_equal_to_the_last_digit_are_drawn_on_the_whole_scale(score: float) -> None:
    same = Estimate(score, score, score)
    drawn = ET.fromstring(drawing.draw_score(charts.RiskStrip("a", "b", same, same, same, None)))
    marks = {shape.get("data-mark"): shape.get("x") for shape in drawn.iter("svg") if shape.get("data-mark")}
    assert set(marks.values()) == {f"{score:.2%}"}


def test_controls_that_coincide_stand_above_and_below_the_line() -> None:
    drawn = ET.fromstring(drawing.draw_score(strip(0.5, 0.5, 0.5)))
    marks = {shape.get("data-mark"): shape.get("y") for shape in drawn.iter("svg") if shape.get("data-mark")}
    assert marks == {"independent": "6.0", "value": "11.0", "copy": "16.0"}


@pytest.mark.parametrize(("value", "shade"), [(0.0, 0), (0.019, 0), (0.02, 1), (0.07, 2), (0.1, 3), (0.2, 4), (1.0, 4)])
def test_cells_are_darker_the_further_they_are(value: float, shade: int) -> None:
    assert drawing.shade(value) == shade


def test_pairs_form_a_triangle_and_every_cell_tells_its_number() -> None:
    shown = Diagnostics(pairs=(PairFidelity("a", "b", 0.1), PairFidelity("a", "c", 0.3), PairFidelity("b", "c", 0.0)))
    [figure] = pictures.pairs(shown)
    assert figure.names == ("a", "b", "c")
    assert figure.cells == ((1, 0, 0.1), (2, 0, 0.3), (2, 1, 0.0))
    assert "the largest is 0.300, a and c" in figure.description
    drawn = ET.fromstring(drawing.draw_grid(figure, "a"))
    cells = [cell for cell in drawn.iter("rect") if cell.findtext("title")]
    assert [cell.findtext("title") for cell in cells] == ["a and b: 0.100", "a and c: 0.300", "b and c: 0.000"]
    assert [cell.get("class") for cell in cells] == ["shade-3", "shade-4", "shade-0"]
    assert [cell.get("class") for cell in drawn.iter("rect")][3:] == [f"shade-{number}" for number in range(5)]
    said = [text.text for text in drawn.iter("text")]
    assert said == ["a 1", "1", "b 2", "2", "c 3", "total variation", "0", "0.02", "0.05", "0.1", "0.2"]


def test_releases_stand_between_utility_and_leak(two_tables: Report) -> None:
    tables = two_tables.tables
    similar = [
        replace(table, exhibits=Diagnostics(pair_similarity=value))
        for table, value in zip(tables, (0.98, 0.91), strict=True)
    ]
    ranking = RankedRelease(2, 1, Grade.NO_LEAK_FOUND, 0.0), RankedRelease(1, 2, Grade.CLEAR, 0.04)
    compared = ReleaseComparison(tuple(table.synthetic.name for table in tables), ranking)
    report = replace(two_tables, tables=tuple(similar), comparison=compared)
    figure = pictures.tradeoff(report)
    assert figure is not None
    assert [(spot.number, spot.label, spot.utility, spot.leak) for spot in figure.spots] == [
        (2, "synthetic-private.csv", 0.91, 0.0),
        (1, "synthetic.csv", 0.98, 0.04),
    ]
    assert "at least 4 of 100 members" in figure.description
    drawn = ET.fromstring(drawing.draw_spots(figure, "a"))
    heights = [float(circle.get("cy", 0)) for circle in drawn.iter("circle")]
    assert heights[1] < heights[0]
    assert pictures.tradeoff(two_tables) is None


SHOWN = Diagnostics(
    artefacts=(Artefact("exact-copies", ArtefactSign.SHOWS, "released rows", 30, 100, RATE, "the holdout"),),
    distances=DISTANCES,
    groups=GroupedLeaks((group("region", "north", (0.4, 0.2, 0.6)), group("region", "south", (0.0, -0.1, 0.1)))),
    columns=(ColumnExposure("income", rate(0.6), rate(0.2), 0.5),),
    marginals=(ColumnFidelity("income", 0.1, None),),
    exposed=(ExposedRow(4711, ("membership",), "log-ratio", 0.0004, 17),),
)


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render])
def test_every_exhibit_is_shown(leaking: Report, render) -> None:  # type: ignore[no-untyped-def]
    text = render(with_exhibits(leaking, SHOWN))
    for said in (
        "Exact copies",
        "shows through",
        "30 of 100",
        "4,711",
        "north",
        "south",
        "1 of 2 groups leak beyond chance",
        "40 (20 to 60)",
        "900 and 1,200",
        "+0.40",
        "within 0.7 of a real",
    ):
        assert said in text


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render])
def test_words_and_references_are_explained(report: Report, render) -> None:  # type: ignore[no-untyped-def]
    text = render(report)
    assert all(word in text for word, _ in glossary.WORDS)
    [(cited, checks)] = glossary.references(report)
    assert "A paper on the subject" in cited
    assert checks == ("crp", "hitting-rate", "gcap", "zcap", "auth", "dcr", "nnaa")


def test_every_check_of_the_overview_leads_to_its_card(report: Report) -> None:
    source = audit_page.render(report)
    for anchor in ("table-1-reconstruction-1", "table-1-tracing-2"):
        assert f'href="#{anchor}"' in source
        assert f'<article id="{anchor}">' in source


@pytest.fixture(scope="module")
def wide() -> st.AuditReport:
    """Twenty columns, all checks."""
    sample = acs_release()
    frames = [
        frame[:500].with_columns(
            frame["age"][:500].alias("x"), frame["sex"][:500].alias("y"), frame["race"][:500].alias("z")
        )
        for frame in (sample.real, sample.synthetic, sample.holdout)
    ]
    return st.audit(*frames, secret="disability", keys=["age", "sex", "race"])


def test_twenty_columns_stay_below_two_megabytes(wide: st.AuditReport) -> None:
    assert sum(column.role not in {"id", "ignore"} for column in wide.column_notes) == 20
    assert len(audit_page.render(wide).encode()) < 2_000_000


def test_the_summary_fits_a_screen_or_two(wide: st.AuditReport) -> None:
    out = io.StringIO()
    summary.render(wide, Console(file=out, width=80))
    assert len(out.getvalue().splitlines()) <= 70


def test_pairs_of_people_outside_stand_beside_those_of_the_release() -> None:
    pair = PairFidelity("a", "b", 0.1, 0.02), PairFidelity("a", "c", 0.3, 0.04)
    release, outside = pictures.pairs(Diagnostics(pairs=pair))
    assert [cell[2] for cell in release.cells] == [0.1, 0.3]
    assert [cell[2] for cell in outside.cells] == [0.02, 0.04]
    assert "people outside" in outside.title
    assert pictures.pairs(Diagnostics()) == ()
