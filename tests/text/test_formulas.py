"""Cells that a spreadsheet would run: defused, and read back as they were, by Python and by Polars alike."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.data.files.sources import open_source
from seethrough.data.writing import write_files
from seethrough.text.formulas import DANGEROUS, DEFUSED, HARMLESS, defuse, restore

RUN = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\nx",
    " =1",
    "\uff1d1+1",
    "-1-1",
    "+1+1",
    "--a",
]
SAFE = ["-5", "+1.5", "-1,234.5", "-.5", "-5%", "-1e-7", "-", "+", "--", "---", "A+", "a=b", "", "'", "it's", "5"]
CELLS = st.text(alphabet="'=+-@ \t0a.5\uff1d", max_size=6)


@pytest.mark.parametrize("cell", RUN)
def test_what_would_be_run_gets_an_apostrophe(cell):
    assert defuse(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", SAFE)
def test_numbers_signs_and_other_texts_stay(cell):
    assert defuse(cell) == cell
    assert restore(cell) == cell


@given(CELLS)
def test_the_way_back_is_exact(cell):
    assert restore(defuse(cell)) == cell
    shown = defuse(cell)
    assert not shown.startswith(("=", "@", "\uff1d")), "nothing that is surely run is left"


@given(st.lists(CELLS, min_size=1, max_size=30))
def test_polars_and_python_agree(cells):
    texts = pl.Series(cells, dtype=pl.String)
    is_run = texts.str.contains(DANGEROUS) & ~texts.str.contains(HARMLESS)
    assert is_run.to_list() == [defuse(cell) != cell for cell in cells]
    assert texts.str.replace(DEFUSED, "${1}").to_list() == list(map(restore, cells))


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_file_that_was_defused_is_read_as_it_was(tmp_path, suffix):
    cells = [*(cell for cell in RUN if cell.strip() == cell), *SAFE, "'=x", "''=x", None, "x"]
    cells = [cell for cell in cells if cell != ""]  # which CSV cannot tell from a gap
    frame = pl.DataFrame({"=name": cells, "'=name": cells[::-1], "n": [-1.5] * len(cells)})
    path = tmp_path / f"t{suffix}"
    write_files(frame, path, {})
    found = open_source(path, "t")
    assert found.frame.collect().select("=name", "'=name").equals(frame.select("=name", "'=name"))
    if suffix == ".csv":
        shown = pl.read_csv(path, infer_schema=False)
        assert shown.columns == ["'=name", "''=name", "n"]
        assert not shown["'=name"].str.contains(r"^[=@]").any()
        assert shown["n"].to_list() == ["-1.5"] * len(cells)


def test_raw_files_stay_as_they_are(tmp_path):
    frame = pl.DataFrame({"=name": ["=1", "-5", "a"]})
    write_files(frame, tmp_path / "t.csv", {}, is_raw=True)
    assert (tmp_path / "t.csv").read_text() == "=name\n=1\n-5\na\n"


def test_apostrophes_that_protect_nothing_stay(tmp_path):
    (tmp_path / "t.csv").write_text("'a,b\n'quoted',2\n't Hooft,3\n")
    found = open_source(tmp_path / "t.csv", "t").frame.collect()
    assert found.columns == ["'a", "b"]
    assert found["'a"].to_list() == ["'quoted'", "'t Hooft"]
