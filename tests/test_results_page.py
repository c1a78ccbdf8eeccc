"""The page of published numbers: made of the comparisons of record, whole, with a reason for every difference."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"


@pytest.fixture(autouse=True)
def _beside(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


def test_the_page_is_what_the_script_writes():
    from benchmarks import results_page

    assert results_page.PAGE.read_text(encoding="utf-8") == results_page.page(RESULTS), (
        "python -m benchmarks.results_page"
    )


def test_every_published_game_is_on_the_page():
    from benchmarks.results_page import PAGE, published_games

    told = PAGE.read_text(encoding="utf-8")
    assert all(f"| {what} | {published} |" in told for what, published, _ in published_games())


def test_whatever_is_not_reproduced_has_a_reason():
    import tomllib

    from benchmarks.results_page import REASONS, STUDIES, compared_numbers

    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["reason"]
    found = [each for kind in STUDIES for each in compared_numbers(RESULTS, kind, reasons)]
    assert [each.what for each in found if each.verdict != "reproduced" and not each.why] == []
    assert {each.why for each in found if each.verdict == "reproduced"} == {""}


def test_a_comparison_is_read_as_it_stands(tmp_path):
    from benchmarks.results_page import compared_numbers

    (tmp_path / "linkage-few").mkdir()
    rows = 'what,published,here,verdict,source\n"a, b",0.1,\'-0.2 (-0.3 to 0.1),not reproduced,table 1\n'
    (tmp_path / "linkage-few" / "comparison.csv").write_text(rows)
    reasons = [{"kind": "linkage", "match": "^a, b: 0.1 -> -0.2", "why": "because"}]
    (only,) = compared_numbers(tmp_path, "linkage", reasons)
    assert only.row == (
        "| a, b | 0.1 | -0.2 (-0.3 to 0.1) | not reproduced | because | table 1 | [linkage-few](linkage-few) |"
    )


def test_a_number_is_listed_once_though_several_studies_have_it():
    from benchmarks.results_page import STUDIES, compared_numbers

    for kind in STUDIES:
        found = [each.what for each in compared_numbers(RESULTS, kind, [])]
        assert len(found) == len(set(found))
