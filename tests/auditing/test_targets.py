"""Targets: who is drawn, that nothing searched for them is a sample, and that reports say whom they speak of."""

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.api.arguments import read_targets
from seethrough.api.audit import plan_audit
from seethrough.auditing import attacked_people
from seethrough.auditing.attacked_people import (
    MOST_ATTACKED,
    USUAL_TARGETS,
    decide_targets,
    draw_people,
    people_of_controls,
)
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.run import run_audit
from seethrough.data.reading.release_tables import read_release
from seethrough.errors import ConfigError
from seethrough.exploring.answers.tables import PeopleQuestion
from seethrough.exploring.exploration import Exploration
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.results.explained.worked import Lacking

CHECKS = ("auth", "crp", "id-score", "nnaa", "gcap", "hitting-rate", "mir", "nndr", "ks")
BY_ONESELF = ("auth", "crp", "id-score", "gcap", "hitting-rate", "nnaa")
"""Checks whose risk of a person does not depend on who else is attacked."""


def people(rows: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "sex": rng.choice(["f", "m"], rows),
            "zip": rng.choice([f"z{number}" for number in range(30)], rows),
            "weight": rng.normal(70, 15, rows).round(1),
            "ill": rng.choice(["no", "yes"], rows),
        }
    )


def release_of(real: pl.DataFrame, synthetic: pl.DataFrame, holdout: pl.DataFrame | None = None):
    return read_release(real, [synthetic], holdout, secrets=("ill",))


@pytest.fixture(scope="module")
def tables() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    real = people(240, 1)
    return real, pl.concat([people(300, 2), real[:40]]), people(200, 3)


@pytest.fixture(scope="module")
def reports(tables):
    """Audits of everybody, and of sixty."""
    said = {"secret": "ill", "checks": CHECKS, "preset": "fast", "threads": 1}
    return [st.audit(*tables, **said, targets=targets) for targets in ("all", 60)]


def test_the_same_people_are_drawn_in_any_order_of_rows(tables):
    real, synthetic, holdout = tables
    order = np.random.default_rng(5).permutation(len(real))
    drawn = []
    for table in (real, real[order]):
        release = release_of(table, synthetic, holdout)
        found = draw_people(release, decide_targets(60, release), seed=7)
        drawn.append(set(table[found.members.tolist()].rows()))
        assert len(found.members) == 60
        assert len(found.outside) == 60 + 20  # a tenth of 200 people outside are the reference
    assert drawn[0] == drawn[1]
    other = draw_people(release_of(*tables), decide_targets(60, release_of(*tables)), seed=8)
    assert set(real[other.members.tolist()].rows()) != drawn[0]


def test_many_people_are_drawn_by_default_and_few_are_not():
    many = pl.DataFrame({"a": np.arange(MOST_ATTACKED + 1) % 100, "ill": ["no", "yes"] * (MOST_ATTACKED // 2) + ["no"]})
    release = release_of(many, many[:50])
    rule = decide_targets(None, release)
    assert (rule.people, rule.is_default) == (USUAL_TARGETS, True)
    assert decide_targets("all", release).people is None
    assert decide_targets(None, release_of(many[:-1], many[:50])).people is None
    assert len(draw_people(release, rule, 0).members) == USUAL_TARGETS


def test_as_many_targets_as_people_are_everybody(tables):
    release = release_of(*tables)
    assert draw_people(release, decide_targets(5_000, release), seed=0) is None
    parts = release.train.table, release.holdout.table, release.synthetic[0].table
    everybody = make_pool(parts, 0, Budget(threads=1))
    drawn = make_pool(parts, 0, Budget(threads=1), targets=5_000)
    np.testing.assert_array_equal(everybody.rows, drawn.rows)
    np.testing.assert_array_equal(everybody.members, drawn.members)
    assert everybody.people.digest == drawn.people.digest


def test_a_person_who_is_drawn_has_the_risk_that_an_audit_of_everybody_gives(reports):
    everybody, drawn = reports
    rows = np.flatnonzero(~np.isnan(drawn["auth"].measurement.per_record))
    assert len(rows) == 60
    for check in BY_ONESELF:
        mine, all_risks = (report[check].measurement.per_record for report in (drawn, everybody))
        assert np.isnan(np.delete(mine, rows)).all()
        np.testing.assert_array_equal(mine[rows], all_risks[rows])
        assert drawn[check].controls.copy.value == 1
    assert drawn["ks"].measurement.risk == everybody["ks"].measurement.risk


def test_controls_of_many_people_are_those_of_people_drawn_and_the_release_is_not(tables, reports, monkeypatch):
    said = {"secret": "ill", "checks": CHECKS, "preset": "fast", "threads": 1}
    monkeypatch.setattr(attacked_people, "CONTROL_PEOPLE", 60)
    found, everybody = st.audit(*tables, **said), reports[0]
    assert "controls are measured for 60 of 240 people, who were drawn" in found.independent
    assert "controls are measured" not in everybody.independent
    for check in CHECKS:
        assert found[check].measurement.risk == everybody[check].measurement.risk
    assert sum(found["auth"].independent_counts) == 60
    assert found["ks"].controls == everybody["ks"].controls
    monkeypatch.setattr(attacked_people, "CONTROL_PEOPLE", 121)
    assert people_of_controls(release_of(*tables), 0) is None


def test_the_evidence_speaks_of_the_people_drawn(reports):
    drawn = reports[1]
    sizes = drawn.tables[0].evidence.sizes
    assert (sizes.members, sizes.outsiders, sizes.reference) == (60, 60, 20)
    assert drawn.targets.to_dict() == {
        "asked": 60,
        "is_default": False,
        "members": 60,
        "of_members": 240,
        "outside": 60,
        "of_outside": 180,
    }
    rows = set((np.flatnonzero(~np.isnan(drawn["auth"].measurement.per_record)) + 1).tolist())
    for at_risk in drawn.tables[0].evidence.at_risk:
        assert set((np.flatnonzero(~np.isnan(at_risk.p)) + 1).tolist()) <= rows


def test_a_report_says_how_many_were_drawn_and_of_how_many(reports):
    said = "60 of 240 members and 60 of 180 people outside were drawn at random and attacked against the whole release"
    assert said in " ".join(reports[1].to_markdown().split())
    assert said in " ".join(reports[1].to_html().split())
    assert "attacked against the whole release" not in reports[0].to_markdown()
    records = reports[1].records()
    assert (
        records["row"].to_list() == (np.flatnonzero(~np.isnan(reports[1]["auth"].measurement.per_record)) + 1).tolist()
    )
    assert len(reports[0].records()) == 240


@pytest.mark.parametrize("place", [0, 1_234, 2_999])
def test_one_copied_row_among_many_is_found_wherever_it_stands(tables, place):
    real = tables[0]
    release = release_of(real, real)
    drawn = draw_people(release, decide_targets(30, release), seed=0)
    victim = int(drawn.members[17])
    crowd = people(3_000, 9).with_columns(age=pl.lit(99, pl.Int64))
    synthetic = pl.concat([crowd[:place], real[victim], crowd[place + 1 :]])
    plan = plan_for(real, synthetic)
    found = plan.run().report["crp"].measurement
    assert np.flatnonzero(found.per_record == 1).tolist() == [victim]


def plan_for(real: pl.DataFrame, synthetic: pl.DataFrame, holdout: pl.DataFrame | None = None, **more):
    usual = dict.fromkeys(("entity", "card", "grades", "schema", "threads", "separator", "encoding"))
    said = {"secret": (), "keys": (), "params": {}, "seed": 0, "memory": 1 << 30, "device": "cpu", "show_values": False}
    said |= {"checks": ("crp",), "preset": "fast", "targets": 30}
    return plan_audit(real, synthetic, holdout, **usual, **(said | more))


def test_views_of_people_show_those_who_were_drawn(tables, reports):
    plan = plan_for(*tables, secret=("ill",), checks=CHECKS, targets=60)
    explored = Exploration(plan, reports[1])
    drawn = set(np.flatnonzero(~np.isnan(reports[1]["auth"].measurement.per_record)).tolist())
    assert set(explored.ranking()) == drawn
    shown = explored.people(PeopleQuestion())
    assert shown.found == 60
    assert {row.row for row in shown.rows} <= drawn
    assert sum(group.people for group in explored.groups("sex")) == 60
    assert set(explored.people_frame()["row"].to_list()) == {row + 1 for row in drawn}
    view = explored.map()
    assert view.real.of == 60
    assert set(view.real.rows) <= drawn
    assert explored.person_near(view.real.x[0], view.real.y[0]).person.row in drawn
    known, other = min(drawn), min(set(range(240)) - drawn)
    risks = reports[1]["auth"].measurement.per_record
    assert explored.work_through("auth", explored.person(row=known)).result == risks[known]
    assert isinstance(explored.work_through("auth", explored.person(row=other)), Lacking)


def test_verifying_draws_the_same_people_again(tables):
    real, synthetic, _ = tables
    report = st.audit(real, synthetic, checks=("auth", "crp"), preset="fast", targets=30, threads=1)
    assert report.targets.members == 30
    assert report.provenance.targets == 30
    assert st.verify(report.to_dict(), real, synthetic).holds


@pytest.mark.slow
def test_intervals_of_targets_cover_what_everybody_shows(tables):
    real = people(1_500, 11)
    release = release_of(real, pl.concat([people(700, 12), real[:300]]), people(200, 13))
    checks = catalog.choose(("crp", "auth", "hitting-rate"))
    everybody = run_audit(release, checks, seed=0, version="").report
    covered = dict.fromkeys(everybody, 0)
    for seed in range(200):
        drawn = run_audit(release, checks, seed=seed, version="", targets=100).report
        for check in covered:
            risk = drawn[check].risk
            covered[check] += risk.low <= everybody[check].risk.value <= risk.high
    # 95 % of 200 are 190; fewer than 180 have a chance of 2 in 1,000 where the intervals hold. Drawing without
    # replacement makes them a little wide.
    assert min(covered.values()) >= 180, covered


def test_what_is_no_number_of_people_is_refused(tables):
    for odd in (0, -3, 29, True, 2.5, "many"):
        with pytest.raises(ConfigError, match="targets is"):
            decide_targets(odd, release_of(*tables))
    assert [read_targets(text) for text in ("", "all", "10,000", " 500 ")] == [None, "all", 10_000, 500]
    with pytest.raises(ConfigError, match="neither a number of people nor all"):
        read_targets("half")
