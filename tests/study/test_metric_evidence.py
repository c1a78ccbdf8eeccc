"""Metrics held against the evidence: cells of both on one release, pairs, order and selection by hand."""

import json

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from seethrough.errors import ConfigError
from seethrough.results.card import Verdict
from seethrough.study.cells.results import FULL, Results
from seethrough.study.kinds.figures import figure_makers
from seethrough.study.kinds.metrics.evidence_agreement import (
    agreement_verdict,
    agreements,
    concordance,
    free_spread,
    scores_with_leaks,
)
from seethrough.study.kinds.metrics.scores import metric_scores
from seethrough.study.run.running import run
from seethrough.study.store.frame import cell_columns, load

LEAKS = {"random": None, "indhist": (0, 0), "ctgan": (0, 0), "baynet": (0.1, 0.14), "real": (0.8, 0.8)}
"""What the evidence shows in two runs; nothing could be tested of random data."""
SCORES = {
    "gcap": {"random": 0.1, "indhist": 0.3, "ctgan": 0.3, "baynet": 0.5, "real": 0.9},
    "zcap": {"random": 0.1, "indhist": 0.3, "ctgan": 0.3, "baynet": 0.3, "real": 0.9},
    "dvp": {"random": 1.0, "indhist": 1.0, "ctgan": 1.0, "baynet": 1.0, "real": 1.0},
    "nnaa": {"random": 0.1, "indhist": 0.3, "ctgan": 0.8, "baynet": 0.5, "real": 0.9},
}


@pytest.fixture(scope="module")
def results():
    shared = {"kind": "metrics", "data": "t", "size": 50, "status": "done"}
    cells = [
        {**shared, "synthesizer": label, "number": number, "what": "check", "name": name, "value": value}
        for name, by_label in SCORES.items()
        for label, value in by_label.items()
        for number in range(2)
    ]
    for label, values in LEAKS.items():
        for number, leak in enumerate(values or (None, None)):
            grade = "no leak found" if not leak else "severe"
            own = {"synthesizer": label, "number": number, "what": "evidence", "name": "evidence", "value": leak}
            own |= {"status": "skipped"} if leak is None else {"grade": grade}
            cells.append({**shared, **own})
    columns = cell_columns()
    frame = pl.DataFrame([{**dict.fromkeys(columns), **each} for each in cells], schema=columns, orient="row")
    return Results("s", FULL, "", "", 3, (), frame)


def test_only_pairs_that_the_evidence_tells_apart_are_judged(results):
    ((scores, leaks),) = scores_with_leaks(results)
    assert scores.synthesizers == ("indhist", "ctgan", "baynet", "real")
    assert leaks.untested == ("random",)
    assert leaks.means.tolist() == pytest.approx([0, 0, 0.12, 0.8])
    assert leaks.errors.tolist() == pytest.approx([0, 0, 0.02, 0])
    assert leaks.found == (0, 0, 2, 2)
    assert {tuple(pair) for pair in np.argwhere(leaks.told_apart).tolist()} == {(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    judged = [agreement_verdict(scores, leaks, metric) for metric in SCORES]
    assert judged == [Verdict.WORKS, Verdict.SOMETIMES, Verdict.INADEQUATE, Verdict.INADEQUATE]
    assert [concordance(scores, leaks, metric) for metric in SCORES] == pytest.approx([1, 4 / 5, 1 / 2, 4 / 5])
    assert free_spread(scores, leaks, "dvp") is None  # a metric that is the same for all has no spread
    assert free_spread(scores, leaks, "gcap") == 0
    assert free_spread(scores, leaks, "nnaa") == pytest.approx(0.5 / 0.6)


def test_correlations_with_the_leak_are_those_of_scipy(results):
    ((scores, leaks),) = scores_with_leaks(results)
    for each, row in zip(agreements(scores, leaks, 3), scores.means, strict=True):
        if np.ptp(row) == 0:
            assert each.correlation is None
            continue
        assert each.correlation == pytest.approx(spearmanr(np.round(row, 9), leaks.means).statistic)
        assert each.low <= each.correlation <= each.high


def test_without_a_leak_nothing_is_judged(results):
    none = results.cells.with_columns(
        value=pl.when(pl.col("what") == "evidence").then(0.0).otherwise("value"),
        grade=pl.when(pl.col("what") == "evidence").then(pl.lit("no leak found")).otherwise("grade"),
    )
    ((scores, leaks),) = scores_with_leaks(Results("s", FULL, "", "", 3, (), none))
    found = agreements(scores, leaks, 3)
    assert {(each.verdict, each.concordance, each.correlation, each.outcome) for each in found} == {
        (None, None, None, "not judged")
    }


def test_the_figures_tell_leaks_and_both_selections(results):
    leaks = figure_makers()["metric-leaks"](results)
    assert leaks.panels[0].rows[-1] == ("random", "not tested", "")
    assert leaks.table.rows[-1] == ("t", 50, "random", None, None, None, None)
    found = figure_makers()["metric-evidence"](results)
    by_metric = {row[1]: row for row in found.table.rows}
    assert by_metric["nnaa"][-2:] == ("inadequate", "not judged")  # no epsilon, so the paper's rule cannot judge
    assert "kept by the evidence, 5 pairs" in found.panels[0].title


EVIDENCE = 'checks = ["crp", "zcap"]\nholdout = 35\nevidence = "fast"'


def test_a_plan_may_ask_for_the_evidence_on_every_release(study_of, here, folder, write_people):
    write_people(folder / "people.csv", rows=80)
    study = study_of(('checks = ["crp", "zcap"]', EVIDENCE), ("rows = 20\nruns", "rows = 40\nruns"))
    assert run(study, folder / "s.sqlite", here).progress.failed == 0
    cells = load(folder / "s.sqlite", "tiny").cells.filter(pl.col("what") == "evidence")
    assert cells["synthesizer"].to_list() == ["real", "indhist"] * 2
    real, other = (cells.filter(pl.col("synthesizer") == label) for label in ("real", "indhist"))
    assert (real["value"] > 0.1).all()
    assert other["value"].max() < real["value"].min()
    assert real["outside"].to_list() == [35, 35]
    assert "match" in {attack["attack"] for attack in json.loads(real["attacks"][0])}
    assert metric_scores(load(folder / "s.sqlite", "tiny"))[0].metrics == ("zcap", "crp")


def test_the_evidence_needs_people_kept_out(study_of):
    with pytest.raises(ConfigError, match=r"metrics\[1\].holdout is 0; the evidence needs at least 30 rows"):
        study_of(('checks = ["crp", "zcap"]', EVIDENCE.replace("holdout = 35\n", "")))
    with pytest.raises(ConfigError, match=r"metrics\[1\].evidence names 'slow'"):
        study_of(('checks = ["crp", "zcap"]', EVIDENCE.replace("fast", "slow")))
