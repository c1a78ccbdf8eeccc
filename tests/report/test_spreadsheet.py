"""CSV that runs nothing."""

import pytest

from seethrough.report.machine.spreadsheet import csv_text


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-2+3", "@sum", "\t=1", "\r=1"])
def test_formulas_are_defused_in_the_head_too(cell):
    assert csv_text((cell,), [(cell,)]) == csv_text((f"'{cell}",), [(f"'{cell}",)], is_raw=True)


@pytest.mark.parametrize("cell", ["a=b", "", "-1", "+2.5", "-1e-3", "yes", None, -1.5, -3, True])
def test_everything_else_stays(cell):
    assert csv_text(("a",), [(cell,)]) == csv_text(("a",), [(cell,)], is_raw=True)


def test_text_is_quoted_where_it_must_be():
    assert csv_text(("a", "b"), [("x,y", None), ('q"', -0.5)]) == 'a,b\n"x,y",\n"q""",-0.5\n'
