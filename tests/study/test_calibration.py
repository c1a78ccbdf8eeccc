"""The calibration of verdicts: releases whose leak is known, cells, rates and goals."""

import numpy as np
import polars as pl
import pytest

from seethrough.data.rows import row_numbers, stack_tables
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.evidence import LeakFamily
from seethrough.study.cells.results import FULL, SMALL, Results
from seethrough.study.kinds.calibration.compare import MET, NOT_MET
from seethrough.study.kinds.calibration.releases import KINDS, isolation
from seethrough.study.kinds.comparison import compare_with_published
from seethrough.study.kinds.figures import figure_makers, make_figures
from seethrough.study.kinds.published import NOT_COMPARABLE
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import parse_plan, read_plan
from seethrough.study.run.running import run
from seethrough.study.store.frame import cell_columns, load

PLAN = """
format = 1
name = "trust"
seed = 2

[data.people]
file = "people.csv"
secret = "ill"

[[calibration]]
data = "people"
sizes = ["40/40"]
releases = ["independent", "best-guess", "coin-secret", "mode-seeking", "network-of-others", "copy"]
audits = 2
preset = "fast"
permutations = 199
"""
BUDGET = Budget(threads=1)
SCHEMA = Schema(
    (
        *(Column(name, Kind.CATEGORICAL, levels=tuple("abcdef")) for name in ("job", "town")),
        Column("age", Kind.NUMERIC, low=0.0, high=100.0, fill=40.0),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)


def sample(rows, seed):
    rng = np.random.default_rng(seed)
    job, town, age = rng.integers(1, 7, rows), rng.integers(1, 7, rows), rng.normal(40, 12, rows)
    ill = 1 + (rng.random(rows) < np.where(age > 40, 0.9, 0.1))
    return Table(SCHEMA, (job.astype(np.uint8), town.astype(np.uint8), age, ill.astype(np.uint8)))


MEMBERS, OTHERS = sample(200, 1), sample(200, 2)


def make(name, members=MEMBERS, others=OTHERS, seed=3):
    return KINDS[name].make(members, others, np.random.default_rng(seed), BUDGET)


def shared_rows(first, second):
    """Tell which rows of the first table stand in the second."""
    numbers = row_numbers(stack_tables([first, second]))
    return np.isin(numbers[: len(first)], numbers[len(first) :])


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if not kind.leaks])
def test_what_leaks_nothing_is_the_same_whoever_the_members_are(name):
    first, second = make(name), make(name, members=sample(200, 9))
    for mine, other in zip(first.table.columns, second.table.columns, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert len(first.table) == 200
    assert not first.copied.any()


@pytest.mark.parametrize(("name", "count"), [("copied-5", 10), ("copied-1", 2), ("outliers", 10)])
def test_so_many_members_are_copied_and_named(name, count):
    made = make(name)
    assert len(made.table) == 200
    assert made.copied.sum() == count
    np.testing.assert_array_equal(shared_rows(MEMBERS, made.table), made.copied)
    assert shared_rows(made.table, OTHERS).sum() == 200 - count


def test_outliers_are_the_members_farthest_from_others():
    ages = np.r_[np.arange(20.0), 100.0, 200.0, np.repeat(300.0, 2)]
    flat = np.ones(24, np.uint8)
    table = Table(SCHEMA, (flat, flat, ages, flat))
    # In standard deviations; neighbours are 1 apart, 100 from 19 by 81, 200 from its nearest by 100, twins by 0.
    spread = ages.std()
    np.testing.assert_allclose(isolation(table, 1, BUDGET)[[0, 20, 21, 22, 23]] * spread, [1, 81, 100, 0, 0])
    made = make("outliers", members=table, others=sample(24, 4))
    assert set(np.flatnonzero(made.copied)) >= {20, 21}
    assert not made.copied[22:].any()


def test_a_mode_seeking_generator_drops_the_rarer_half():
    released = shared_rows(OTHERS, make("mode-seeking").table)
    rarity = isolation(OTHERS, 5, BUDGET)
    assert rarity[released].max() <= np.median(rarity) + 1e-9
    assert 0.3 < released.sum() / 100 < 0.95  # drawn with repetition


def test_secrets_are_exchanged_and_nothing_else():
    truth = OTHERS.column("ill")
    for name, agreement in (("best-guess", (0.75, 1.0)), ("coin-secret", (0.35, 0.65))):
        made = make(name).table
        for column in ("job", "town", "age"):
            np.testing.assert_array_equal(made.column(column), OTHERS.column(column))
        assert agreement[0] < (made.column("ill") == truth).mean() < agreement[1]


def test_noisy_copies_are_near_the_members_they_are_of():
    made = make("noisy-copies")
    assert (len(made.table), made.copied.sum()) == (200, 20)
    copies = made.table.take(np.arange(20))
    ages = MEMBERS.column("age")[made.copied]
    nearest = np.abs(copies.column("age")[:, None] - ages[None]).min(axis=1)
    assert (nearest < 3.0).mean() > 0.8  # a twentieth of 12 years, one in ten exchanged
    assert not shared_rows(made.table.take(np.arange(20)), MEMBERS).any()


@pytest.fixture
def calibration_of(tmp_path):
    rng = np.random.default_rng(1)
    columns = {name: rng.choice(list("uvwxyz"), 130) for name in ("job", "town", "car")}
    ages = rng.normal(40, 10, 130).round(1)
    pl.DataFrame({**columns, "age": ages, "ill": rng.choice(["no", "yes"], 130)}).write_csv(tmp_path / "people.csv")

    def build(*changes):
        text = PLAN
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return expand(parse_plan(text, "trust", FULL, tmp_path))

    return build


def test_audits_of_a_plan_are_stored_drawn_and_held_against_goals(calibration_of, here, kept, tmp_path):
    assert run(calibration_of(), tmp_path / "s.sqlite", here).progress.computed == 12
    results = load(tmp_path / "s.sqlite", "trust")
    cells = results.cells
    assert cells["status"].to_list() == ["done"] * 12
    assert set(cells["attack_failures"]) == {""}
    copies = cells.filter(pl.col("synthesizer") == "copy")
    assert copies["grade_membership"].to_list() == ["severe"] * 2
    assert copies["value"].to_list() == [1.0, 1.0]
    assert copies["listed_copied"].to_list() == [None, None]  # everybody is in the release
    alarms, power, _ = make_figures_of(results)
    assert [row[4] for row in alarms.table.rows] == [2] * 5
    assert power.table.rows[0][:9] == ("copy", "people", 40, 40, 2, 2, 1.0, *wilson(2, 2, 0.95))
    assert {each.verdict for each in compare_with_published(results)} == {NOT_COMPARABLE}
    run(calibration_of(), tmp_path / "again.sqlite", here)
    assert kept(tmp_path / "again.sqlite") == kept(tmp_path / "s.sqlite")


def make_figures_of(results):
    assert {figure.name for figure in make_figures(results)} == {"false-alarms", "power"}
    return [figure_makers()[name](results) for name in ("false-alarms", "power", "people-precision")]


def test_more_audits_keep_those_of_fewer_and_other_rules_make_others(calibration_of):
    mine = calibration_of().group_of.keys()
    assert mine < calibration_of(("audits = 2", "audits = 3")).group_of.keys()
    for change in (("199", "299"), ("40/40", "40/41"), ("seed = 2", "seed = 3"), ("fast", "full")):
        assert not mine & calibration_of(change).group_of.keys()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"40/40"', '"40"', r"calibration\[1\].sizes has '40'; members / people outside, as '1000/300'"),
        ('"40/40"', '"40/29"', r"sizes has '40/29'; .* at least 30 of each"),
        ('"40/40"', '"50/31"', r"sizes: 50/31 needs 131 people, .*; people has 130 records"),
        ('"copy"', '"copies"', r"calibration\[1\].releases names 'copies'; did you mean copied-5 or "),
        ('"copy"', '"zero"', r"calibration\[1\].releases names 'zero'; there are independent, "),
        ('"fast"', '"slow"', r"calibration\[1\].preset names 'slow'; there are full, fast"),
        ('secret = "ill"', "", r"calibration\[1\].releases, people: a secret column of categories is needed"),
        ('secret = "ill"', 'secret = "age"', r"calibration\[1\].releases, people: a secret column of categories"),
    ],
)
def test_a_calibration_at_fault_is_refused_with_the_place(calibration_of, old, new, said):
    with pytest.raises(ConfigError, match=said):
        calibration_of((old, new))


def test_the_shipped_plan_has_a_small_form_on_the_shipped_extract():
    assert expand(read_plan("calibration", SMALL)).size == 10 * 2 * 5 + 5 * 5


def told(counts, form="full"):
    """Cells: (release, data, size, leak in every family, listed, copied) to how many audits of that kind."""
    rows = []
    for (release, data, size, leak, listed, copied), count in counts.items():
        grade = "clear" if leak else "no leak found"
        members, outside = map(int, size.split("/"))
        rows += [
            {
                **dict.fromkeys(cell_columns()),
                **{f"grade_{family.value}": grade for family in LeakFamily},
                **{"kind": "calibration", "data": data, "synthesizer": release, "size": members, "name": size},
                **{"number": number, "status": "done", "value": float(leak), "grade": grade, "outside": outside},
                **{"listed": listed, "listed_copied": copied, "seconds": 1.0, "error": ""},
            }
            for number in range(count)
        ]
    frame = pl.DataFrame(rows, schema=cell_columns(), orient="row")
    return Results("made", form, "", "", 0, (), frame)


def verdicts(counts, form="full"):
    return {each.what: (each.verdict, each.ours) for each in compare_with_published(told(counts, form))}


ALL = "leak-free releases called leaking"
SIZE = "1000/1000"


def test_false_alarms_are_held_against_share_and_interval():
    quiet = {("independent", "acs", "100/100", False, 0, 0): 960, ("independent", "acs", "300/100", True, 0, 0): 40}
    found = verdicts(quiet)
    assert found[ALL] == (MET, "4.0% (3.0% to 5.4%; 40 of 1,000)")
    few, many = (
        f"leak-free, independent sample, members {more} people outside" for more in ("at most as many as", "more than")
    )
    assert (found[few][0], found[many][0]) == (MET, NOT_MET)
    # 60 of 1,000 are more than 5 %; 4 of 99 are too few audits.
    assert verdicts({**quiet, ("coin-secret", "acs", "300/100", True, 0, 0): 20})[ALL][0] == NOT_MET
    assert verdicts({("coin-secret", "acs", "300/100", True, 0, 0): 19})[ALL][0] == NOT_COMPARABLE
    assert verdicts(quiet, "small")[ALL][0] == NOT_COMPARABLE


def test_precision_is_of_long_lists_and_chance_is_averaged_over_all_audits():
    counts = {
        ("copied-5", "acs", SIZE, True, 20, 17): 1,
        ("copied-5", "acs", SIZE, True, 4, 1): 1,
        ("copied-5", "acs", SIZE, False, 0, 0): 2,
        ("copy", "acs", SIZE, True, 50, None): 1,
    }
    (row,) = figure_makers()["people-precision"](told(counts)).table.rows
    # One long list, 17 of 20; by chance 3/20 and 3/4 of two lists, and of two audits without a list none.
    assert row == ("copied-5", "acs", SIZE, 4, 1, 20, 17, 0.85, *wilson(17, 20, 0.95), pytest.approx((0.15 + 0.75) / 4))


def test_power_is_that_of_each_table_at_the_size_of_the_goal():
    found = verdicts(
        {
            ("copied-5", "acs", SIZE, True, 12, 11): 18,
            ("copied-5", "acs", SIZE, False, 0, 0): 2,
            ("copied-5", "adult", SIZE, True, 12, 9): 17,
            ("copied-5", "adult", SIZE, False, 0, 0): 3,
            ("outliers", "acs", "300/300", True, 9, 0): 30,
        }
    )
    assert found["acs, 1000/1000, 5 % of members copied: membership leak found"][0] == MET
    assert found["adult, 1000/1000, 5 % of members copied: membership leak found"][0] == NOT_MET
    assert found["adult, 1000/1000, 1 % of members copied: leak found"] == (NOT_COMPARABLE, "")
    assert not any("outliers" in what for what in found)
    # Lists of fewer than ten names are left out: 11 of 12 on the one table, 9 of 12 on the other.
    lists = "{}: people on lists of at least 10 names who were copied"
    assert found[lists.format("acs")] == (MET, "91.7% (87.2% to 94.7%; 198 of 216)")
    assert found[lists.format("adult")][0] == NOT_MET
