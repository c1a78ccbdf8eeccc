"""What benchmarks say about goals, and that the page is made of the record. Nothing here is timed."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _beside(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.parametrize(
    ("goal", "value", "met"),
    [
        ({"at_least": 20}, 19.9, False),
        ({"at_least": 20}, 20.0, True),
        ({"at_most": 5}, 5.1, False),
        ({"at_most": 5}, 5.0, True),
        ({"at_most": 5}, None, None),
        ({}, 5.0, None),
    ],
)
def test_a_goal_is_met_or_not_or_cannot_be_told(goal, value, met):
    from benchmarks.findings import Finding

    found = Finding("speed", value, "", **goal)
    assert found.met is met
    assert found.to_dict().get("met") is met
    assert Finding.from_dict(json.loads(json.dumps(found.to_dict()))).measured == found.measured


def test_values_are_read_back_as_they_were_written():
    from benchmarks.findings import Finding

    assert Finding("a", 1234.5, "times", at_least=3).line() == "a: 1,234 times (goal at least 3 times: met)"
    assert Finding("a", 0.04567, "", at_most=0.03, detail="b").line() == "a: 0.0457 (goal at most 0.03: not met); b"
    assert Finding("a", None, "s", at_most=1, detail="absent").line() == "a: not measured (goal at most 1 s); absent"


def test_the_page_is_made_of_the_record():
    from benchmarks import record

    assert record.PAGE.read_text() == record.page(record.read())


def test_the_page_names_the_goals_that_were_missed():
    from benchmarks import record

    found = [
        {"what": "one", "value": 3, "unit": "s", "at_most": 5},
        {"what": "two", "value": 7, "unit": "s", "at_most": 5},
    ]
    entry = {"date": "2026-01-01", "machine": "a machine", "versions": {"Python": "3"}, "findings": found}
    page = record.page({"benchmarks": {"start": entry}})
    assert "1 of 2 goals were met" in page
    assert "- two: 7 s, goal at most 5 s" in page
    assert "- one" not in page


def test_growth_of_another_program_is_told_from_its_smallest_and_largest_size():
    from benchmarks.peers.comparison import table

    quick = {"seconds": 1.0, "peak_gib": 0.1, "scores": {"risk": 0.5}}
    theirs = {"1000": quick, "10000": quick | {"seconds": 100.0}, "30000": {"failed": "over 120 s"}}
    runs = {"theirs": theirs, "ours": {"1000": quick, "10000": quick, "30000": quick}}
    pair = {"theirs": "dcr", "ours": "mdcr", "differs": "", "runs": runs}
    told = {"licence": "MIT", "installed": "x==1", "date": "d", "machine": "m", "load": 1, "pairs": [pair]}
    shown = table({"X": told, "Y": {"licence": "MIT", "left_out": "not on PyPI"}})
    assert "dcr 2.00, here 0.00" in shown
    assert "| dcr | `mdcr` | 10,000 | 100.00 s, 0.10 GiB | 1.00 s, 0.10 GiB | 100.0 | risk 0.5 | risk 0.5 |" in shown
    assert "over 120 s" in shown
    assert "**Y** (MIT): left out, not on PyPI." in shown


def test_rows_that_would_use_up_the_memory_are_calculated_from_its_growth():
    from benchmarks.peers import survival

    # Above the 0.5 GiB of few rows, 1 GiB and then 4: squares; (24 - 0.5) GiB are reached at 20,000 x (23.5 / 4)^0.5.
    peaks = {"1000": 0.5, "10000": 1.5, "20000": 4.5}
    runs = {size: {"seconds": int(size) / 1000, "peak_gib": peak} for size, peak in peaks.items()}
    assert survival.growth(runs, "peak_gib") == pytest.approx(2)
    assert survival.growth(runs, "seconds") == pytest.approx(1)
    assert survival.calculated(runs, 24) == 48_000
    assert survival.end(runs) == "20,000 rows are the most that were tried"
    late = runs | {"40000": {"peak_gib": 9.0, "failed": "over 240 s"}}
    assert (survival.survived(late), survival.end(late)) == (20_000, "over 240 s")
    flat = {size: {"seconds": 1.0, "peak_gib": 0.5} for size in peaks}
    assert survival.calculated(flat, 24) is None
    told = {"date": "2026-01-01", "machine": "a machine", "load": 0.1, "ours": "nnaa", "limits": {"gib": 24}}
    page = survival.largest_table({"Other": {"nnaa": told | {"runs_theirs": late, "runs_ours": flat}}})
    assert "| Other: nnaa | 20,000 | over 240 s | about 48,000 rows, calculated | 1.00 | `nnaa` | 20,000 |" in page
