"""Distributions of columns: shares by hand, and drawings whose heights are these shares."""

import xml.etree.ElementTree as ET

import polars as pl

import seethrough as st
from seethrough.report.html import column_drawing
from seethrough.report.pictures import column_pictures
from seethrough.results.diagnostics import ColumnDistribution, ColumnFidelity, Diagnostics


def between(low: float, high: float, rows: int) -> list[float]:
    return [low + (high - low) * row / (rows - 1) for row in range(rows)]


REAL = pl.DataFrame(
    {"level": ["a"] * 30 + ["b"] * 50 + ["c"] * 20, "number": between(0, 0.9, 60) + between(9.1, 10, 40)}
)
RELEASED = pl.DataFrame({"level": ["a"] * 50 + ["c"] * 50, "number": between(9.1, 9.9, 100)})
OUTSIDE = pl.DataFrame({"level": ["b"] * 100, "number": between(4.1, 4.9, 100)})


def test_shares_are_those_of_each_table_over_the_cells_of_the_real_one() -> None:
    shown = st.audit(REAL, RELEASED, OUTSIDE, checks=["crp"]).tables[0].exhibits
    level, number = shown.distributions
    assert not level.is_ordered
    assert (level.real, level.released, level.outside) == ((0.5, 0.3, 0.2), (0.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    assert number.is_ordered
    assert number.real == (0.6, *[0.0] * 8, 0.4)
    assert number.released == (*[0.0] * 9, 1.0)
    assert number.outside == (*[0.0] * 4, 1.0, *[0.0] * 5)


def test_many_levels_share_the_last_cell_and_the_holdout_may_be_missing() -> None:
    names = [f"level {number}" for number in range(15) for _ in range(15 - number)]
    shown = st.audit(*[pl.DataFrame({"a": names, "b": names})] * 2, checks=["crp"]).tables[0].exhibits
    first = shown.distributions[0]
    assert len(first.real) == 12
    assert first.real[0] == 15 / 120
    assert first.real[-1] == (4 + 3 + 2 + 1) / 120
    assert (first.outside, first.merged) == (None, 4)


def shown(*columns: tuple[str, float]) -> Diagnostics:
    return Diagnostics(
        marginals=tuple(ColumnFidelity(name, far, 0.1) for name, far in columns),
        distributions=tuple(ColumnDistribution(name, True, (0.8, 0.2), (0.4, 0.6), (0.2, 0.0)) for name, _ in columns),
    )


def test_columns_that_differ_most_come_first_and_few_are_drawn() -> None:
    many = [(f"column {number}", number / 100) for number in range(20)]
    spreads = list(column_pictures.column_spreads(shown(*many)))
    assert [spread.title for spread in spreads] == [f"column {number}" for number in range(19, 7, -1)]
    assert "release 0.190, people outside 0.100" in spreads[0].description


def test_the_last_cell_is_named_by_what_it_holds() -> None:
    ten, eleven, three = (tuple([0.1] * cells) for cells in (10, 11, 3))
    found = [
        ColumnDistribution("a", True, ten, ten, None),
        ColumnDistribution("b", True, eleven, eleven, None),
        ColumnDistribution("c", False, three, three, None),
        ColumnDistribution("d", False, three, three, None, merged=7),
    ]
    marginals = tuple(ColumnFidelity(name, 0.1, None) for name in "abcd")
    spreads = column_pictures.column_spreads(Diagnostics(marginals=marginals, distributions=tuple(found)))
    assert [spread.ends[1] for spread in spreads] == ["highest", "missing", "rarest", "7 others"]


def test_heights_are_shares_of_the_axis_and_the_axes_are_named() -> None:
    [spread] = column_pictures.column_spreads(shown(("<i>", 0.4)))
    drawn = ET.fromstring(column_drawing.draw_spread(spread, "a"))
    paths = {path.get("class"): path.get("d") for path in drawn.iter("path")}
    # The axis ends at 80 %: 0.4 is half of it, 0.6 three quarters, 0.2 one quarter.
    assert paths["spread-released"] == "M0.0,100V50.0h47.0V100ZM50.0,100V25.0h47.0V100Z"
    assert paths["spread-outside"] == "M0,100V75.0H50.0V100.0H100.0V100"
    assert paths["spread-real"] == "M10.0,0.0h27.5M60.0,75.0h27.5"
    assert [text.text for text in drawn.iter("text")] == ["% of rows", "80", "0", "lowest", "value", "highest"]
    assert drawn.findtext("title") == "<i>"
