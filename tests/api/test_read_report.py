"""A report read back is the report that was written, and renders the same."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import seethrough as st
from seethrough.data import samples
from seethrough.errors import ConfigError, SeethroughError
from seethrough.plugins import catalog
from seethrough.results.outcome import Failed, Measured, Measurement, Skipped
from seethrough.results.provenance import report_digest

CHECKS = ("gcap", "dcr", "hidden-rate", "membership")


@dataclass(frozen=True)
class Broken:
    """A check that breaks."""

    card = replace(catalog.find("crp").card, name="broken-one")

    def measure(self, bench: object, rng: np.random.Generator) -> Measurement:
        raise RuntimeError("it broke")


def audited(releases: int = 1, holdout: bool = True, **more: Any) -> st.AuditReport:
    sample = samples.acs_release()
    synthetic = {f"s{at}": sample.synthetic[300 * at : 300 * (at + 1)] for at in range(releases)}
    given = {"secret": "disability", "keys": ["age", "sex"], "checks": CHECKS, "preset": "attacks", **more}
    return st.audit(sample.real[:300], synthetic, sample.holdout[:300] if holdout else None, **given)


def copied(**more: Any) -> st.AuditReport:
    """A release of real rows, so that people are listed, groups leak and advice is given."""
    sample = samples.acs_release()
    return st.audit(
        sample.real[:400], sample.real[:400], sample.holdout[:400], secret="disability", checks=CHECKS, **more
    )


REPORTS: dict[str, Callable[[], st.AuditReport]] = {
    "one release": audited,
    "several releases": lambda: audited(releases=3),
    "without people outside": lambda: audited(holdout=False),
    "a check that broke": lambda: audited(checks=[catalog.find("gcap"), Broken()]),
    "copies of real rows": copied,
    "copies with values": lambda: copied(show_values=True),
    "for others": lambda: copied().for_others(),
    "grades and limits": lambda: audited(grades=(0.02, 0.2)),
}


@pytest.fixture(scope="module", params=REPORTS)
def report(request: pytest.FixtureRequest) -> st.AuditReport:
    return REPORTS[request.param]()


def test_what_is_read_back_is_what_was_written(report: st.AuditReport, tmp_path: Path) -> None:
    report.save(tmp_path)
    written = (tmp_path / "report.json").read_text(encoding="utf-8")
    for given in (tmp_path, tmp_path / "report.json", json.loads(written)):
        assert st.read_report(given).to_json() == written


def test_it_says_the_same(report: st.AuditReport, tmp_path: Path) -> None:
    report.save(tmp_path)
    found = st.read_report(tmp_path)
    assert found.verdict == report.verdict
    assert found.findings == report.findings
    # The JSON form has milliseconds, and six digits of what pictures show.
    for mine, theirs in ((found.attacks(), report.attacks()), (found.scores(), report.scores())):
        assert_frame_equal(mine.drop("seconds"), theirs.drop("seconds"), check_exact=True)
    assert_frame_equal(found.columns(), report.columns(), abs_tol=1e-6, rel_tol=0)
    if report.provenance.is_external:
        return
    assert found.records().equals(report.records())
    mine, theirs = (each.people().drop("released_row").sort(pl.all()) for each in (found, report))
    assert_frame_equal(mine, theirs, check_exact=True)
    for table, other in zip(found.tables, report.tables, strict=True):
        shown = table.exhibits.shows_values
        assert table.advice == tuple(each if shown else replace(each, labels=()) for each in other.advice)


def test_it_renders_the_same_words_where_values_were_asked_for(tmp_path: Path) -> None:
    report = copied(show_values=True)
    report.save(tmp_path)
    found = st.read_report(tmp_path)
    # JSON sorts the names of programs, and milliseconds are all that is left of times.
    mine, theirs = (each.to_markdown().splitlines() for each in (found, report))
    assert [
        (a, b) for a, b in zip(mine, theirs, strict=True) if a != b and not b.startswith(("| programs", "Shared"))
    ] == []
    assert repr(found) == repr(report)
    assert "<!DOCTYPE html>" in found.to_html()


def test_every_kind_of_outcome_comes_back() -> None:
    report = audited(holdout=False, checks=[catalog.find("hidden-rate"), catalog.find("gcap"), Broken()])
    found = st.read_report(report.to_dict())
    kinds = [type(outcome) for outcome in report.tables[0]]
    assert [type(outcome) for outcome in found.tables[0]] == kinds
    assert {Measured, Failed} <= set(kinds)
    skipped = audited(secret=(), keys=(), holdout=False, checks=["membership"])
    assert isinstance(st.read_report(skipped.to_dict())["membership"], Skipped)


def test_the_report_alone_has_no_risks_of_records_and_says_how_many_are_listed(tmp_path: Path) -> None:
    report = copied()
    report.save(tmp_path)
    alone = st.read_report(tmp_path / "report.json")
    evidence = alone.tables[0].evidence
    assert evidence is not None
    assert evidence.exposed_people == len(report.people()["row"].unique()) > 0
    assert evidence.people == ()
    assert f"{evidence.exposed_people:,} of" in alone.to_markdown()


def edited(report: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Change a report and give it the digest of what it is now."""
    form = json.loads(json.dumps(report))
    change(form)
    return {**form, "digest": report_digest(form)}


@pytest.fixture(scope="module")
def form() -> dict[str, Any]:
    return audited().to_dict()


def test_an_edited_report_is_refused(form: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="was edited after it was made"):
        st.read_report({**form, "seed": 8})


def test_format_one_is_refused(form: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="format 1 and only 2 can be read; audit the tables again"):
        st.read_report(edited(form, lambda report: report.update(format=1)))


@pytest.mark.parametrize("odd", [None, [], {}, "text", -1, 0.5, True, [[]], [{}], {"a": 1}])
@pytest.mark.parametrize(
    "path",
    [
        *[(name,) for name in ("release", "schema", "seed", "notes", "outcomes", "exhibits", "further", "growth")],
        *[(name,) for name in ("verdict", "findings", "attacks", "evidence", "record", "timings", "comparison")],
        *[("outcomes", 0, name) for name in ("check", "status", "risk", "controls", "params", "details")],
        *[("evidence", name) for name in ("grades", "secrets", "epsilon", "warnings")],
        *[("exhibits", name) for name in ("groups", "artefacts", "distances", "columns")],
        *[("release", "synthetic"), ("release", "real"), ("findings", 0, "grade"), ("attacks", 0, "tpr")],
    ],
)
def test_anything_odd_is_read_or_refused_in_a_sentence(form: dict[str, Any], path: tuple[Any, ...], odd: Any) -> None:
    def change(report: dict[str, Any]) -> None:
        *way, last = path
        holder: Any = report
        for step in way:
            holder = holder[step]
        holder[last] = odd

    said = ""
    try:
        st.read_report(edited(form, change)).to_markdown()
    except SeethroughError as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 300


def test_records_of_another_audit_are_refused(tmp_path: Path) -> None:
    audited().save(tmp_path)
    records = pl.read_parquet(tmp_path / "records.parquet")
    for odd in (records[:10], records.drop("row"), records.with_columns(synthetic=pl.lit("other"))):
        odd.write_parquet(tmp_path / "records.parquet")
        with pytest.raises(ConfigError, match=r"does not belong to report\.json"):
            st.read_report(tmp_path)
    records.with_columns(gcap=pl.lit("x")).write_parquet(tmp_path / "records.parquet")
    with pytest.raises(ConfigError, match="something else than numbers"):
        st.read_report(tmp_path)
    (tmp_path / "records.parquet").write_bytes(b"PAR1 damaged")
    with pytest.raises(SeethroughError, match=r"records.parquet"):
        st.read_report(tmp_path)


def test_a_folder_without_a_report_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"report\.json cannot be read: .*; an audit with --out writes it"):
        st.read_report(tmp_path)
