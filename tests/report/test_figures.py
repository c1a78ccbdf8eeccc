import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from seethrough.report.html import svg
from seethrough.report.pictures import score_pictures as charts
from seethrough.results.outcome import Measured, Unavailable
from seethrough.results.report import Report

Made = Callable[..., Measured]


def test_strip_holds_what_was_measured(make: Made) -> None:
    outcome = make((0.5, 0.4, 0.6), independent=Unavailable("why"), base_rate=0.25)
    figure = charts.strip(outcome)
    assert (figure.risk, figure.independent, figure.base_rate) == (outcome.risk, None, 0.25)
    assert figure.copy == outcome.controls.copy
    assert "not measured: why" in figure.description


def test_histogram_counts_each_record_once(make: Made) -> None:
    figure = charts.histogram(make((0.5, 0.4, 0.6), per_record=np.array([0.0, 0.04, 0.051, 0.99, 1.0])))
    assert figure is not None
    assert figure.counts == (2, 1, *[0] * 16, 0, 2)
    assert figure.description == "5 records by risk. The tallest bar holds 2."


def test_records_are_shown_against_an_independent_table(make: Made) -> None:
    made = make((0.5, 0.4, 0.6), per_record=np.array([0.01, 0.99, 0.98, 0.97]))
    figure = charts.histogram(replace(made, independent_counts=(2, *[0] * 18, 2)))
    assert figure is not None
    assert figure.independent == (2, *[0] * 18, 2)
    assert "A risk of 0.5 or more have 75.0 %, against an independent table 50.0 %." in figure.description
    drawn = ET.fromstring(svg.draw_histogram(figure, "a"))
    line = next(path.get("d", "") for path in drawn.iter("path"))
    # Three records are the tallest bar, so two stand at two thirds of the height.
    assert line.startswith("M0,100V33.3H5.0V100.0H10.0")
    assert line.endswith("H95.0V33.3H100.0V100")
    assert [text.text for text in drawn.iter("text")] == ["records", "3", "0", "0.25", "0.5", "0.75", "1", "risk"]


def test_fewer_people_against_an_independent_table_are_drawn_as_if_they_were_as_many(make: Made) -> None:
    made = make((0.5, 0.4, 0.6), per_record=np.array([0.01, 0.99, 0.98, 0.97]))
    figure = charts.histogram(replace(made, independent_counts=(1, *[0] * 18, 1)))
    assert figure is not None
    assert figure.independent == (2, *[0] * 18, 2)


def test_no_histogram_without_risks(make: Made) -> None:
    assert charts.histogram(make((0.5, 0.4, 0.6))) is None
    assert charts.histogram(make((0.5, 0.4, 0.6), per_record=np.array([]))) is None


@pytest.mark.parametrize(
    ("value", "x"), [(0.0, "0.00%"), (0.25, "25.00%"), (1.0, "100.00%"), (1.5, "100.00%"), (-1, "0.00%")]
)
def test_values_lie_across_the_width(value: float, x: str) -> None:
    assert svg.across(value) == x


def test_strip_marks_stand_where_their_values_are(make: Made) -> None:
    drawn = ET.fromstring(svg.draw_strip(charts.strip(make((0.5, 0.4, 0.6), base_rate=0.3)), "a"))
    marks = {shape.get("data-mark"): shape.get("x") for shape in drawn.iter("svg") if shape.get("data-mark")}
    assert marks == {"value": "50.00%", "independent": "10.00%", "copy": "90.00%", "base-rate": "30.00%"}
    interval = next(line for line in drawn.iter("line") if line.get("class") == "mark-interval")
    assert (interval.get("x1"), interval.get("x2")) == ("40.00%", "60.00%")


def test_marks_differ_in_shape(make: Made) -> None:
    drawn = ET.fromstring(svg.draw_strip(charts.strip(make((0.5, 0.4, 0.6), base_rate=0.3)), "a"))
    shapes = [next(iter(shape)) for shape in drawn.iter("svg") if shape.get("data-mark")]
    assert len({(shape.tag, shape.get("d")) for shape in shapes}) == 4


def test_bars_have_the_height_of_their_share_and_stay_visible(make: Made) -> None:
    risks = np.array([0.01] * 10_000 + [0.51] * 5_000 + [0.99])
    figure = charts.histogram(make((0.5, 0.4, 0.6), per_record=risks))
    assert figure is not None
    bars = list(ET.fromstring(svg.draw_histogram(figure, "a")).iter("rect"))
    tallest, half, single = (float(bar.get("height", 0)) for bar in bars)
    assert half == pytest.approx(tallest / 2)
    assert single >= 1
    assert [bar.get("x") for bar in bars] == ["0.00%", "50.00%", "95.00%"]


def test_every_drawing_is_well_formed_and_told_in_words(hostile: Report) -> None:
    for outcome in (outcome for table in hostile.tables for outcome in table if isinstance(outcome, Measured)):
        drawn = ET.fromstring(svg.draw_strip(charts.strip(outcome), "a"))
        assert drawn.get("role") == "img"
        assert drawn.get("aria-labelledby") == "a-title"
        assert drawn.findtext("title")
        assert drawn.findtext("desc")
        assert not list(drawn.iter("script"))
