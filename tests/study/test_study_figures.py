"""Figures of studies: numbers by hand, pages and pictures that can be opened, hostile names."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_curve as reference_curve

from seethrough.errors import ConfigError
from seethrough.kernels.statistics.roc import roc_curve
from seethrough.report.figures import chart_panels, figure_files, figure_page, figure_svg
from seethrough.report.figures.axis_scales import scales
from seethrough.report.figures.palette import COLOURS, look
from seethrough.results.card import Verdict
from seethrough.results.figure import Chart, Figure, FigureAxis, FigureTable, Grid, Listing, Series, points
from seethrough.study.cells.results import Results
from seethrough.study.kinds.comparison import compare_with_published
from seethrough.study.kinds.figures import figure_makers, make_figures
from seethrough.study.kinds.games.compare import rows_by_data
from seethrough.study.kinds.games.figures import figure_of
from seethrough.study.kinds.games.scores import game_scores, mean_error
from seethrough.study.kinds.label_settings import families, setting
from seethrough.study.kinds.linkage.cells import SHARES
from seethrough.study.kinds.metrics.figures import selection
from seethrough.study.kinds.metrics.scores import clusters, growth_verdict, metric_scores, order_verdict, spearman
from seethrough.study.kinds.published import NOT_COMPARABLE, NOT_REPRODUCED, REPRODUCED, read_facts
from seethrough.study.plan.plan import parts_of
from seethrough.study.run.running import run
from seethrough.study.store.frame import cell_columns, load

COLUMNS = cell_columns()


def cell(**told):
    return {**dict.fromkeys(COLUMNS), "status": "done", "seconds": 0.1, "error": "", **told}


def plays(data, synthesizer, size, attack, hits, what="attack"):
    """Cells of an attack that is right in the games named by `hits`."""
    return [
        cell(
            kind="games",
            data=data,
            synthesizer=synthesizer,
            size=size,
            number=number,
            what=what,
            name=attack,
            value=float(hit),
            truth=[number % 2],
            guess=[number % 2 if hit else 1 - number % 2],
            scores=[[0.9, 0.1] if (number % 2 == 0) == bool(hit) else [0.1, 0.9]],
            attack_seconds=0.25,
        )
        for number, hit in enumerate(hits)
    ]


def useful(data, synthesizer, size, values):
    return [
        cell(
            kind="games",
            data=data,
            synthesizer=synthesizer,
            size=size,
            number=n,
            what="utility",
            name="utility",
            mre=v,
            tvd=v / 2,
        )
        for n, v in enumerate(values)
    ]


def results_of(cells, names=(), form="full", rows=1000):
    frame = pl.DataFrame(cells, schema=COLUMNS, orient="row")
    return Results("made", form, "A study", "a paper", 0, names, frame, {"games": ({"data": "acs", "rows": rows},)})


@pytest.fixture
def games():
    cells = []
    for synthesizer, good in (("rap", 7), ("indhist", 4)):
        for size in (100, 1000):
            hits = [1] * good + [0] * (8 - good)
            cells += plays("acs", synthesizer, size, "recon", hits)
            cells += plays("acs", synthesizer, size, "dcr", [1] * 4 + [0] * 4)
            cells += useful("acs", synthesizer, size, [0.2, 0.4])
    return results_of(cells + plays("acs", "", None, "random", [1, 0] * 4, "baseline"))


def metrics(values, runs=2):
    """Cells of metrics: a mapping from metric and generator to the scores of runs."""
    return results_of(
        [
            cell(
                kind="metrics",
                data="t",
                synthesizer=label,
                size=50,
                number=number,
                what="check",
                name=name,
                value=value,
            )
            for (name, label), some in values.items()
            for number, value in enumerate(some)
        ]
    )


def test_accuracies_are_those_of_the_answers(games):
    found = game_scores(games)[0]
    assert found.find("rap", 1000, "recon").accuracy.value == 7 / 8
    assert found.best("indhist", 100).attack == "recon"
    assert found.chance == 0.5
    error = found.error("rap", 100, "mre")
    assert (round(error.value, 9), error.games) == (0.3, 2)
    # Two values 0.2 apart: standard error 0.1.
    assert error.high - error.value == pytest.approx(1.959964 * 0.1)
    assert mean_error(np.array([])) is None
    figure = figure_makers()["accuracy-by-size"](games)
    assert ("acs, recon", "rap", 1000.0, 7 / 8) in list(points(figure))
    low = figure.panels[0].series[0].low[0]
    assert low < 7 / 8 < figure.panels[0].series[0].high[0] <= 1
    assert dict(figure.panels[0].lines)["chance"] == 0.5


def test_a_curve_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    positive, scores = rng.random(60) < 0.4, rng.integers(0, 12, 60) / 12
    false, true, _ = reference_curve(positive, scores, drop_intermediate=False)
    mine = roc_curve(positive, scores)
    np.testing.assert_allclose(mine[0], false)
    np.testing.assert_allclose(mine[1], true)


def test_settings_are_read_from_labels():
    assert setting("privbayes:degree=3,epsilon=0.2", "epsilon") == ("privbayes", 0.2)
    assert setting("privbayes", "epsilon") is None
    labels = ("real", "privbayes:epsilon=10", "privbayes:epsilon=0.2", "pate-gan:epsilon=1")
    assert families(labels, "epsilon") == {
        "privbayes": [(0.2, "privbayes:epsilon=0.2"), (10.0, "privbayes:epsilon=10")],
        "pate-gan": [(1.0, "pate-gan:epsilon=1")],
    }


def test_the_trade_off_has_the_best_attack_against_the_error(games):
    figure = figure_makers()["trade-off"](games)
    assert ("acs", "rap", 0.3, 7 / 8) in [(t, n, round(x, 9), y) for t, n, x, y in points(figure)]
    assert ("acs", "rap", 0.15, 7 / 8) in [(t, n, round(x, 9), y) for t, n, x, y in points(figure)]


SCORES = {
    ("gcap", "random"): [0.1, 0.1],
    ("gcap", "privbayes:epsilon=1"): [0.3, 0.4],
    ("gcap", "privbayes:epsilon=10"): [0.6, 0.7],
    ("gcap", "real"): [0.9, 0.9],
    ("crp", "random"): [0.0, 0.0],
    ("crp", "privbayes:epsilon=1"): [0.0, 0.0],
    ("crp", "privbayes:epsilon=10"): [0.0, 0.0],
    ("crp", "real"): [1.0, 1.0],
    ("nnaa", "random"): [0.8, 0.8],
    ("nnaa", "privbayes:epsilon=1"): [0.5, 0.5],
    ("nnaa", "privbayes:epsilon=10"): [0.2, 0.2],
    ("nnaa", "real"): [0.1, 0.1],
}


def test_verdicts_by_hand():
    scores = metric_scores(metrics(SCORES))[0]
    assert scores.metrics == ("gcap", "crp", "nnaa")
    assert scores.rules == (1, 2)
    assert scores.means[0].tolist() == pytest.approx([0.1, 0.35, 0.65, 0.9])
    assert scores.errors[0].tolist() == pytest.approx([0, 0.05, 0.05, 0])
    assert scores.ranks[1].tolist() == [2, 2, 2, 4]
    order = [order_verdict(scores, metric) for metric in scores.metrics]
    assert order == [Verdict.WORKS, Verdict.SOMETIMES, Verdict.INADEQUATE]
    growth = [growth_verdict(scores, metric, "privbayes") for metric in scores.metrics]
    assert growth == [Verdict.WORKS, Verdict.SOMETIMES, Verdict.INADEQUATE]
    assert growth_verdict(scores, "gcap", "pate-gan") is None
    assert [row[4] for row in selection(scores)] == ["kept", "as gcap", "inadequate"]


def test_a_metric_that_lacks_a_generator_is_named():
    values = {key: some for key, some in SCORES.items() if key != ("crp", "real")}
    figure = figure_makers()["metric-table"](metrics(values))
    assert figure.notes == ("t: crp was not measured for every generator",)
    assert figure.panels[0].rows == ("gcap", "nnaa")


def test_correlations_are_those_of_scipy():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 5, (4, 12)) / 5
    np.testing.assert_allclose(spearman(rows), spearmanr(rows, axis=1).statistic)
    assert np.isnan(spearman(np.array([[1.0, 1, 1], [1, 2, 3]]))[0, 1])
    figure = figure_makers()["metric-correlation"](metrics(SCORES))
    found = {(row[1], row[2]): row[3:] for row in figure.table.rows}
    assert found["nnaa", "gcap"][0] == pytest.approx(-1)
    assert all(low <= value <= high for value, low, high in found.values())


def test_clusters_of_two_are_found():
    rows = np.array([[0.0, 0.0], [0.01, 0.0], [1.0, 1.0], [1.0, 0.99], [0.5, 0.2]])
    labels = clusters(rows)
    assert labels[0] == labels[1] != labels[2] == labels[3]


def attacks_on(release, number):
    """One attack of each family, which leads on one of two generators."""
    leak = (0.2 if release == "baynet" else 0.0) + number / 1000
    return [
        {
            **{"attack": attack, "family": family, "secret": "ill" if family == "attribute" else None},
            **{"leak": leak, "members": 0.3 + leak, "outsiders": 0.3, "p": 0.01, "p_adjusted": 0.02, "seconds": 0.5},
            **dict.fromkeys(
                ("auc", "tpr_0.1", "tpr_0.01", "tpr_0.001"), 0.5 + leak if family == "membership" else None
            ),
        }
        for attack, family in (("log-ratio", "membership"), ("recon", "attribute"), ("match", "identity"))
    ]


@pytest.mark.parametrize("name", figure_makers())
def test_every_figure_can_be_drawn(name, games, tmp_path):
    whole = pl.concat([games.cells, metrics(SCORES).cells])
    more = plays("fire", "nonprivate", 1000, "recon:query_count=10", [1, 0]) + plays(
        "fire", "nonprivate", 1000, "recon", [1, 1]
    )
    more += plays("fire", "privbayes:epsilon=1", 1000, "recon", [1, 0]) + useful(
        "fire", "privbayes:epsilon=1", 1000, [0.1, 0.2]
    )
    more += [
        cell(
            **{"kind": "linkage", "data": "9 records", "synthesizer": closeness, "size": size, "number": number},
            **{"what": what, "name": "X1", **dict.fromkeys(SHARES.values(), number / size)},
        )
        for closeness in ("level 1", "level 2")
        for what in ("release", "permuted")
        for size in (1, 4)
        for number in (0, 1)
    ]
    more += [
        cell(
            **{"kind": "calibration", "data": "acs", "synthesizer": release, "size": size, "number": number},
            **{"what": "audit", "name": f"{size}/50", "outside": 50, "grade": grade, "listed": 12, "listed_copied": 11},
            **{f"grade_{family}": grade for family in ("membership", "attribute", "identity")},
        )
        for release in ("independent", "copied-5")
        for size in (40, 90)
        for number, grade in enumerate(("no leak found", "slight"))
    ]
    more += [
        cell(
            **{"kind": "battery", "data": "acs", "synthesizer": release, "size": 40, "number": number},
            **{"what": "release", "name": release, "attacks": json.dumps(attacks_on(release, number))},
        )
        for release in ("baynet", "random")
        for number in range(3)
    ]
    more += [
        cell(
            **{"kind": "metrics", "data": "t", "synthesizer": label, "size": 50, "number": 0},
            **{"what": "evidence", "name": "evidence", "value": leak, "grade": "severe" if leak else "no leak found"},
        )
        for label, leak in (("random", 0.0), ("real", 0.5))
    ]
    results = Results("made", "full", "", "", 0, (), pl.concat([whole, results_of(more).cells]))
    figure = figure_makers()[name](results)
    assert figure.table.rows
    drawn = figure_svg.render(figure)
    root = ElementTree.fromstring(drawn)
    assert root.tag.endswith("svg")
    for panel in figure.panels:
        if isinstance(panel, Chart):
            assert panel.x.label
            assert panel.y.label
            x, y = scales(panel)
            for series in panel.series:
                assert all(0 <= y.place(value) <= 1 for value in series.y)
                assert all(x.low <= value <= x.high for value in series.x)
        texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
        assert panel.title in " ".join(texts)  # a long one is broken into lines
    assert set(figure.legend) <= set(texts)
    table = figure_files.table(figure)
    assert table.height == len(figure.table.rows)


def test_series_differ_in_more_than_colour():
    looks = [look(place) for place in range(2 * len(COLOURS))]
    assert len(set(looks)) == len(looks)
    assert len({mark for _, mark, _ in looks[: len(COLOURS)]}) == len(COLOURS)


def test_names_are_hostile_text(games):
    evil = "<script>alert(1)</script>"
    cells = games.cells.with_columns(
        pl.col("data").str.replace("acs", evil), pl.col("synthesizer").str.replace("rap", evil)
    )
    results = Results("made", "full", "", "", 0, (), cells)
    for name in ("accuracy-by-size", "scores", "roc"):
        figure = figure_makers()[name](results)
        for drawn in (figure_svg.render(figure), figure_page.render(figure)):
            assert "<script" not in drawn
            assert "alert(1)" in drawn  # shown, not run


def test_files_are_written(games, tmp_path):
    pytest.importorskip("resvg_py", reason="the extra figures is not installed")
    written, lacking = figure_files.write(make_figures(games), tmp_path / "out", "A study")
    assert lacking == ()
    names = {path.name for path in written}
    assert {"roc.svg", "roc.png", "roc.html", "roc.csv", "roc.parquet", "index.html"} <= names
    assert {path.suffix for path in written} == {".svg", ".png", ".html", ".csv", ".parquet"}
    assert (tmp_path / "out" / "roc.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "out" / "roc.html").read_text()
    assert not re.search(r"<script|(?:src|href)=", page)
    assert "default-src 'none'" in page
    frame = pl.read_parquet(tmp_path / "out" / "scores.parquet")
    assert (
        frame.filter(pl.col("synthesizer") == "rap", pl.col("attack") == "recon")["accuracy"].to_list() == [7 / 8] * 2
    )
    assert pl.read_csv(tmp_path / "out" / "scores.csv").height == frame.height
    assert [path.name for path in (tmp_path / "out").iterdir() if path.name.startswith(".")] == []


def test_without_the_extra_the_drawings_are_still_there(games, tmp_path, monkeypatch):
    monkeypatch.setattr(figure_files, "find_spec", lambda name: None)
    written, lacking = figure_files.write(make_figures(games), tmp_path, "A study")
    assert {path.suffix for path in written} == {".svg", ".csv", ".parquet", ".html"}
    assert {path.stem for path in written if path.suffix == ".html"} == {
        *(path.stem for path in written if path.suffix == ".svg"),
        "index",
    }
    assert lacking == ("no PNG: resvg-py is not installed: pip install 'seethrough[figures]'",)


@pytest.mark.parametrize(
    ("hits", "games", "form", "rows", "verdict"),
    [
        (0.875, 200, "full", 1000, REPRODUCED),
        (0.60, 200, "full", 1000, NOT_REPRODUCED),
        (0.875, 40, "full", 1000, NOT_COMPARABLE),
        (0.875, 200, "small", 1000, NOT_COMPARABLE),
        (0.875, 200, "full", 200, NOT_COMPARABLE),
    ],
)
def test_the_rule_of_comparison(hits, games, form, rows, verdict):
    right = round(hits * games)
    cells = plays("acs", "rap", 1_000_000, "recon", [1] * right + [0] * (games - right))
    found = {each.what: each for each in compare_with_published(results_of(cells, form=form, rows=rows))}
    each = found["acs, rap, m = 1,000,000, recon: accuracy"]
    assert (each.verdict, each.published) == (verdict, "0.874")
    assert ("n = 200" in each.ours) == (rows == 200)
    assert found["acs, rap, m = 1,000, recon: accuracy"].verdict == NOT_COMPARABLE


def test_metrics_of_fewer_generators_are_not_comparable():
    found = compare_with_published(metrics(SCORES))
    assert {each.verdict for each in found} == {NOT_COMPARABLE}
    assert any(each.what == "t: metrics that are kept" and each.ours == "gcap" for each in found)


def test_a_study_that_ran_can_be_drawn(study_of, here, tmp_path):
    run(study_of(), tmp_path / "s.sqlite", here)
    found = {figure.name: figure for figure in make_figures(load(tmp_path / "s.sqlite", "tiny"))}
    assert "accuracy-by-size" in found
    assert isinstance(found["metric-table"].panels[0], Grid)
    assert isinstance(found["scores"].panels[0], Listing)


def test_the_rows_of_games_are_read_from_the_plan(study_of, here, tmp_path):
    run(study_of(), tmp_path / "s.sqlite", here)
    assert rows_by_data(load(tmp_path / "s.sqlite", "tiny").parts["games"]) == {"people": (12,)}
    text = (
        '[[games]]\ndata = ["a", "b"]\nrows = 5\n[[games]]\ndata = "b"\nrows = 4\n[[small.games]]\ndata = "b"\nrows = 3'
    )
    assert rows_by_data(parts_of(text, "full")["games"]) == {"a": (5,), "b": (4, 5)}
    assert rows_by_data(parts_of(text, "small")["games"]) == {"b": (3,)}


def test_columns_of_numbers_stand_at_the_right():
    listing = Listing("", ("name", "n", "share"), (("a", "1,000", "0.5"), ("b 2", "", "-1.25")))
    assert listing.numbers == (False, True, True)
    figure = Figure("f", "F", "", (listing,), FigureTable(("x",), ((1,),)), across=1)
    places = {
        text.text: (text.get("text-anchor"), float(text.get("x")))
        for text in ElementTree.fromstring(figure_svg.render(figure)).iter("{http://www.w3.org/2000/svg}text")
    }
    assert places["1,000"] == places["n"] == ("end", places["n"][1])
    assert places["b 2"] == places["name"] == (None, 12.0)


def test_intervals_at_one_place_are_drawn_apart():
    both = [Series(name, (1.0, 2.0), (0.2, 0.4), (0.1, 0.3), (0.3, 0.5)) for name in "ab"]
    chart = Chart("", FigureAxis("x"), FigureAxis("y"), tuple(both))
    assert chart_panels.shifts(chart) == [-2.0, 2.0]
    elsewhere = replace(both[1], x=(3.0, 4.0))
    assert chart_panels.shifts(replace(chart, series=(both[0], elsewhere))) == [0.0, 0.0]


def test_an_interval_stays_with_its_point_where_another_has_no_value():
    series = Series("a", (1.0, 2.0), (float("nan"), 0.5), (0.0, 0.25), (0.1, 0.75))
    chart = Chart("", FigureAxis("x"), FigureAxis("y", low=0.0, high=1.0), (series,))
    drawn = figure_svg.render(Figure("f", "F", "", (chart,), FigureTable(("x",), ((1,),))))
    y = scales(chart)[1]
    tall = chart_panels.CHART[1] - chart_panels.ABOVE - chart_panels.BELOW
    assert f"V{(1 - y.place(0.25)) * tall:.1f}" in drawn
    assert f"V{(1 - y.place(0.0)) * tall:.1f}" not in drawn


def test_long_words_at_ticks_slant_and_long_notes_break():
    def drawn(*words):
        ticks = tuple((float(place), word) for place, word in enumerate(words))
        x = FigureAxis("generator", low=-0.5, high=len(words) - 0.5, ticks=ticks)
        chart = Chart("", x, FigureAxis("y"), (Series("a", (0.0,), (1.0,)),), joined=False)
        notes = ("many words " * 20,)
        return figure_svg.render(Figure("f", "F", "", (chart,), FigureTable(("x",), ((1,),)), notes=notes))

    assert "rotate(-40)" not in drawn("real", "random")
    long = drawn("real", "rap:relaxed_rows=100,steps=300", "baynet")
    assert long.count("rotate(-40)") == 3
    heights = [int(re.search(r"height='(\d+)'", page)[1]) for page in (drawn("real", "random"), long)]
    assert heights[0] < heights[1]
    assert max(len(text) for text in re.findall(r">([^<]*many words[^<]*)</text>", long)) < 70


def test_ticks_of_a_log_axis_are_written_in_one_way():
    def words(*values):
        return [
            word
            for _, word in scales(
                Chart("", FigureAxis("x", log=True), FigureAxis("y"), (Series("a", values, values),))
            )[0].ticks
        ]

    assert words(10.0, 1000.0) == ["10", "100", "1000"]
    assert words(100.0, 1e4) == ["10²", "10³", "10⁴"]


def test_an_unknown_figure_is_refused(study_of):
    with pytest.raises(ConfigError, match=r"figures names a figure 'rok'; did you mean roc\?"):
        study_of(("seed = 5", 'seed = 5\nfigures = ["rok"]'))


def test_published_facts_have_a_source():
    games, metrics = (read_facts(f"seethrough.study.kinds.{kind}") for kind in ("games", "metrics"))
    assert all(fact["source"] for kind in ("score", "difference", "error", "cost") for fact in games[kind])
    members = [m for table in metrics["clusters"].values() for m in json.dumps(table).split('"')[1::2]]
    from seethrough.plugins import catalog

    assert set(members) - {"outliers", "clusters"} <= set(catalog.load())


def test_a_figure_says_how_many_targets_its_scores_have_at_least_and_at_most():
    rows = [("acs", "rap", 10, "recon", 0.5, 0.4, 0.6, 0.1, None, answers, 0.1) for answers in (250, 87, 250)]
    assert figure_of("", "", [], rows).caption.startswith("Share of correct guesses over 87 to 250 targets.")
    assert figure_of("", "", [], rows[:1]).caption.startswith("Share of correct guesses over 250 targets.")
