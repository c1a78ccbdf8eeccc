"""One person hardly moves a report for others: no field changes more often than its page states."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from seethrough.report.external.others_report import make_external
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def stated() -> dict[str, float]:
    """Read from the page how often each field moves at most; fields that it does not name never do."""
    found = {}
    for line in (ROOT / "docs" / "external-report.md").read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"\| ([^|]+) \|[^|]*\| (\d+) %[^|]*\|", line):
            names = re.findall(r"`([^`]+)`", match[1]) or ["anything"]
            found |= dict.fromkeys(names, int(match[2]) / 100)
    return found


def test_the_page_states_a_rate_for_everything_that_may_move() -> None:
    rates = stated()
    assert rates["anything"] == 0.08
    assert rates["findings.grade"] == rates["verdict.grade"] == 0.05
    assert rates["release.real.rows"] == 0
    assert len(rates) > 15


def test_the_figures_measured_are_within_what_is_stated() -> None:
    from benchmarks.one_person import PAGE, RECORD, table_of

    found, rates = json.loads(RECORD.read_text(encoding="utf-8")), stated()
    assert found["counts"]["changes"] >= 60
    for tally in found["by_size"].values():
        assert tally["compared"] >= 10 * found["keys"]
        assert all(times / tally["compared"] <= rates.get(name, 0.0) for name, times in tally["moved"].items())
    assert table_of(found) in PAGE.read_text(encoding="utf-8")


def test_a_changed_secret_moves_nothing_more_often_than_stated() -> None:
    from benchmarks.one_person import Tally, changes, draw_case, fields_of, populations

    tally, rates = Tally(), stated()
    people, secret = populations()["generated"]
    for seed, (size, copied) in enumerate(((60, 1.0), (300, 0.3))):
        rng = np.random.default_rng(seed)
        case = draw_case(people, secret, size, copied, rng)
        before = case.audit()
        for _, other in changes(case, people, rng):
            tally.add(before, other.audit(), keys=25)
    assert tally.compared == 150
    known = fields_of(before, b"key")
    assert {"verdict.grade", "findings.lower", "release.real.rows"} <= known.keys()
    assert all(tally.rate(name) <= rates.get(name, 0.0) for name in tally.moved), tally.moved


def test_texts_follow_from_what_goes_out() -> None:
    from benchmarks.one_person import draw_case, fields_of, populations

    people, secret = populations()["generated"]
    case = draw_case(people, secret, 30, 0.5, np.random.default_rng(5))
    report = case.audit()
    coarse = make_external(report, b"key")
    again = make_external(report, b"key")
    assert fields_of(report, b"key") == fields_of(report, b"key")
    for render in (audit_page.render, audit_document.render):
        text = render(coarse)
        assert text == render(again)
        assert "Too few people were compared" in text


@pytest.mark.slow
def test_many_tables_move_nothing_more_often_than_stated() -> None:
    from benchmarks.one_person import measure

    tallies, counts = measure(240, seed=1)
    assert counts["changes"] >= 9
    rates = stated()
    for tally in tallies.values():
        # Changes of one table go together, so a rate that rests on few of them may exceed what holds on average.
        slack = 2 / max(tally.compared / 40, 1) ** 0.5 / 10
        assert all(tally.rate(name) <= rates.get(name, 0.0) + slack for name in tally.moved), tally.moved
