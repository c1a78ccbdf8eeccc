"""The plan of the linkage experiment: its cells, what they sum up to, and the paper beside it."""

import polars as pl
import pytest

import seethrough as st
from seethrough.errors import ConfigError
from seethrough.games.linkage.scoring import DESCRIPTIONS
from seethrough.study.cells.results import FULL, SMALL, Results
from seethrough.study.kinds.comparison import compare_with_published
from seethrough.study.kinds.figures import figure_makers, make_figures
from seethrough.study.kinds.linkage.cells import SHARES, salt_of
from seethrough.study.kinds.linkage.scores import BASELINE, linkage_scores
from seethrough.study.kinds.published import NOT_COMPARABLE, NOT_REPRODUCED, REPRODUCED
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import parse_plan, read_plan
from seethrough.study.run.running import run
from seethrough.study.store.frame import cell_columns, load

PLAN = """
format = 1
name = "copies"
seed = 4

[[linkage]]
records = 12
files = [1, 3]
levels = ["2", "1+3"]
secret = ["X3"]
runs = 3
"""
TURNS = "levels 1, 2, 3 in turn"


def study_of(*changes, text=PLAN):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return expand(parse_plan(text, "copies", FULL, None))


def test_cells_are_those_of_the_experiment(here, tmp_path):
    run(study_of(), tmp_path / "s.sqlite", here)
    cells = load(tmp_path / "s.sqlite", "copies").cells
    # 3 runs x 2 kinds of closeness x 2 numbers of tables, each beside permuted columns
    assert cells["status"].to_list() == ["done"] * 24
    for number in range(3):
        for closeness, levels in (("level 2", [2, 2, 2]), ("levels 1, 3 in turn", [1, 3, 1])):
            whole = st.closeness_experiment(12, secret="X3", levels=levels, seed=salt_of(4, number))["X3"]
            curves = {curve.name: curve.values["release"] for curve in whole.curves}
            for files in (1, 3):
                mine = cells.filter(
                    pl.col("number") == number,
                    pl.col("synthesizer") == closeness,
                    pl.col("size") == files,
                    pl.col("what") == "release",
                )
                for name in DESCRIPTIONS:
                    assert mine[SHARES[name]].item() == pytest.approx(curves[name][files - 1].value)


def test_runs_are_drawn_anew_and_more_of_them_keep_the_keys_of_fewer(here, tmp_path):
    assert study_of().group_of.keys() < study_of(("runs = 3", "runs = 4")).group_of.keys()
    assert study_of().group_of.keys() < study_of(("[1, 3]", "[1, 2, 3]")).group_of.keys()
    for change in (("records = 12", "records = 13"), ("seed = 4", "seed = 5"), ("runs", 'criterion = "max"\nruns')):
        assert not study_of().group_of.keys() & study_of(change).group_of.keys()
    run(study_of(), tmp_path / "s.sqlite", here)
    widths = load(tmp_path / "s.sqlite", "copies").cells.filter(pl.col("size") == 3)["width"]
    assert widths.n_unique() > 6


def test_tables_of_another_number_are_the_same_tables(here, tmp_path):
    run(study_of(), tmp_path / "few.sqlite", here)
    run(study_of(("[1, 3]", "[1, 3, 7]")), tmp_path / "many.sqlite", here)
    kinds = [pl.col("size") <= 3]
    few, many = (load(tmp_path / name, "copies").cells.filter(kinds) for name in ("few.sqlite", "many.sqlite"))
    assert few.drop("seconds").equals(many.drop("seconds"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"2", "1+3"', '"4"', r"linkage\[1\].levels has '4'; levels from 1 to 3"),
        ('["X3"]', '["X4"]', r"linkage\[1\].secret names 'X4'; X1, X2, X3 are there"),
        ("records = 12", "records = 1", r"linkage\[1\].records is 1; a whole number from 2 on"),
        ("runs = 3", 'runs = 3\ncriterion = "median"', r"linkage\[1\].criterion is 'median'; one of sum, max, min"),
        ("runs = 3", "runs = 3\nnarrow = 2", r"linkage\[1\].narrow is 2; a share"),
        ("runs = 3", 'runs = 3\ndata = "people"', r"linkage\[1\] has an unknown key 'data'"),
        ("[1, 3]", "[3, 3]", r"linkage\[1\] asks twice for one cell: 12 records, level 2, 3 tables, X3, number 0"),
    ],
)
def test_a_part_at_fault_is_refused_with_the_place(old, new, said):
    with pytest.raises(ConfigError, match=said):
        study_of((old, new))


def test_the_shipped_plan_needs_no_data():
    assert expand(read_plan("linkage-copies", SMALL)).size == 50 * 4 * 2 * 5 * 2
    assert {group.data for group in expand(read_plan("linkage-copies", FULL)).groups} == {"20 records", "1000 records"}


def made(shares, data="20 records", hidden="X3", form="full"):
    """Cells of runs: (closeness, what) to the share of each run, the same for all shares; three tables."""
    cells = [
        {
            **dict.fromkeys(cell_columns()),
            **dict.fromkeys(SHARES.values(), share),
            **{"kind": "linkage", "data": data, "synthesizer": closeness, "size": 3, "number": number},
            **{"what": what, "name": hidden, "status": "done", "n": 20, "error": "", "seconds": 0.1},
        }
        for (closeness, what), some in shares.items()
        for number, share in enumerate(some)
    ]
    return Results("made", form, "", "", 0, (), pl.DataFrame(cells, schema=cell_columns(), orient="row"))


def test_permuted_columns_are_averaged_within_a_run():
    results = made(
        {("level 1", "release"): [0.5, 0.7], ("level 1", "permuted"): [0.1, 0.3], ("level 2", "permuted"): [0.3, 0.3]}
    )
    (scores,) = linkage_scores(results)
    assert scores.values("level 1", 3, "confused").tolist() == [0.5, 0.7]
    assert scores.values(BASELINE, 3, "confused").tolist() == pytest.approx([0.2, 0.3])
    mean = scores.mean("level 1", 3, "right")
    assert mean.value == pytest.approx(0.6)
    # Two values of variance 0.01: their mean varies as a share of 48 trials does, 0.6 * 0.4 / 48 = 0.01 / 2.
    assert (mean.low, mean.high) == pytest.approx((0.4590, 0.7262), abs=1e-4)
    assert scores.mean("level 3", 3, "right") is None
    table = figure_makers()["linkage-shares"](results).table
    found = {(row[2], row[4]): (row[5], row[8]) for row in table.rows}
    assert found["level 1", "width"] == (pytest.approx(0.6), 2)
    assert found[BASELINE, "any_exact"] == (pytest.approx(0.25), 2)


@pytest.mark.parametrize(
    ("shares", "data", "form", "verdict"),
    [
        ([0.05, 0.1, 0.15] * 20, "20 records", "full", REPRODUCED),
        ([0.3, 0.4, 0.5] * 20, "20 records", "full", NOT_REPRODUCED),
        ([0.05, 0.1, 0.15] * 10, "20 records", "full", NOT_COMPARABLE),
        ([0.05, 0.1, 0.15] * 20, "1000 records", "full", NOT_COMPARABLE),
        ([0.05, 0.1, 0.15] * 20, "20 records, criterion max", "full", NOT_COMPARABLE),
        ([0.05, 0.1, 0.15] * 20, "20 records", "small", NOT_COMPARABLE),
    ],
)
def test_the_example_of_the_paper_lies_among_the_runs_or_not(shares, data, form, verdict):
    found = {each.what: each for each in compare_with_published(made({(TURNS, "release"): shares}, data, form=form))}
    each = found[f"{data}, X3 hidden, 3 tables: disclosed"]
    # Records 2 and 18 of 20.
    assert (each.verdict, each.published) == (verdict, "0.100")


def test_figures_of_a_study_that_ran(here, tmp_path):
    run(study_of(), tmp_path / "s.sqlite", here)
    found = {figure.name: figure for figure in make_figures(load(tmp_path / "s.sqlite", "copies"))}
    assert list(found) == ["disclosure-by-copies", "interval-by-copies", "linkage-shares"]
    chart = found["disclosure-by-copies"].panels[0]
    assert [series.name for series in chart.series] == ["level 2", "levels 1, 3 in turn", BASELINE]
    assert [series.x for series in chart.series] == [(1.0, 3.0)] * 3
    assert all(low <= y <= high for s in chart.series for low, y, high in zip(s.low, s.y, s.high, strict=True))
