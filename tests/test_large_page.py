"""The part of the page about releases in chunks is made of the record, and its calculation is what it says."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _beside(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


FOUND = {
    "rows": 10_000_000,
    "columns": 17,
    "targets": 10_000,
    "cores": 2,
    "seconds": 200.0,
    "cpu": 400.0,
    "peak": 2.0,
    "reading": 1.5,
    "passes": {"NearRowsPass": [1, 200.0], "MatchesPass": [2, 20.0], "DigitsPass": [1, 0.4]},
}


def test_the_calculation_by_hand():
    from benchmarks.large_page import calculation, paper_seconds

    # 220.4 s for 10 million rows are 22.04 for one, and four readings of 1.5 s are 6: 28.04 s a million rows.
    assert paper_seconds(FOUND) == pytest.approx(1000 * 28.04 / 32)
    assert "nobody has run" in calculation(FOUND)
    assert "15 minutes for 10,000 targets" in calculation(FOUND)


def test_passes_are_shown_by_what_they_take():
    from benchmarks.large_page import part_of_page

    lines = part_of_page([FOUND]).splitlines()
    assert "| 10,000,000 | 17 | 10,000 | 2 | 200 s | 400 s | 2.0 GiB |" in lines
    assert "| equal rows, and rows equal but for one column | 2 | 2.0 |" in lines
    assert "| all others | 1 | 0.0 |" in lines


def test_the_page_is_made_of_the_record():
    from benchmarks.large_page import BEGIN, END, PAGE, part_of_page

    record = ROOT / "docs" / "scale.json"
    large = json.loads(record.read_text(encoding="utf-8")).get("large") if record.exists() else None
    if not large:
        pytest.skip("no release in chunks was measured yet")
    page = PAGE.read_text(encoding="utf-8")
    assert page.split(BEGIN)[1].split(END)[0].strip() == part_of_page(large).strip()


def test_files_that_are_there_are_kept(tmp_path, monkeypatch):
    import polars as pl

    from benchmarks import large

    people = pl.DataFrame({"AGEP": [20.0, 30.0, 40.0, 50.0], "SEX": [1, 2, 1, 2], "PAY": [1000, 2, 3, 4]})
    monkeypatch.setattr(large, "real_people", lambda: people)
    monkeypatch.setattr(large, "FILE_ROWS", 10)
    large.make_release(25, tmp_path)
    files = sorted((tmp_path / "release").iterdir())
    assert [len(pl.read_parquet(file)) for file in files] == [10, 10, 5]
    made = files[1].read_bytes()
    files[1].unlink()
    files[0].write_bytes(b"stays")
    large.make_release(25, tmp_path)
    assert files[1].read_bytes() == made
    assert files[0].read_bytes() == b"stays"
    assert not list(tmp_path.glob("*.unfinished"))
