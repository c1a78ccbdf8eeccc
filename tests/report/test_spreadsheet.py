"""CSV that runs nothing."""

import pytest

from seethrough.errors import ConfigError
from seethrough.report.machine.spreadsheet import csv_text, defuse, write_text


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-2+3", "@sum", "\t=1", "\r=1"])
def test_formulas_are_defused(cell):
    assert defuse(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["a=b", "", "-1", "+2.5", "-1e-3", "yes", None, -1.5, -3, True])
def test_everything_else_stays(cell):
    assert defuse(cell) == cell


def test_text_is_quoted_where_it_must_be():
    assert csv_text(("a", "b"), [("x,y", None), ('q"', -0.5)]) == 'a,b\n"x,y",\n"q""",-0.5\n'


def test_a_file_is_written_whole_and_for_the_user_alone(tmp_path):
    path = write_text(tmp_path / "deep" / "out.csv", "text\n")
    assert path.read_text() == "text\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["out.csv"]
    (tmp_path / "folder.csv" / "full").mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot write"):
        write_text(tmp_path / "folder.csv", "text")
    with pytest.raises(ConfigError, match="cannot write"):
        write_text(path / "below", "text")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["deep", "folder.csv"]
