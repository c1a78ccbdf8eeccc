"""The battery as a study: people dealt, releases made, kept or read from files, scores, leaders and costs."""

import json

import numpy as np
import polars as pl
import pytest

from seethrough.errors import ConfigError
from seethrough.plugins import catalog
from seethrough.study.cells.release_parts import PART, PARTS, join_parts, take_parts
from seethrough.study.cells.results import FULL, Results
from seethrough.study.kinds.battery.releases import deal, place_of, release_of
from seethrough.study.kinds.battery.scores import attack_costs, attack_rows, battery_scores, summary
from seethrough.study.kinds.figures import figure_makers, make_figures
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import parse_plan
from seethrough.study.run.running import run
from seethrough.study.store.frame import cell_columns, load

PLAN = """
format = 1
name = "all-attacks"
seed = 2

[data.people]
file = "people.csv"
secret = "ill"

[[battery]]
data = "people"
members = 60
outside = 60
releases = 2
synthesizers = ["real", "random"]
permutations = 199
"""
FILES = """
[data.first]
file = "first"

[data.second]
file = "second"

[[battery]]
data = ["first", "second"]
made_by = "tabddpm"
called = "midst"
attacks = "fast"
permutations = 199
"""


def people(rows, seed):
    rng = np.random.default_rng(seed)
    columns = {name: rng.choice(list("uvwxyz"), rows) for name in ("job", "town", "car")}
    return pl.DataFrame({**columns, "age": rng.normal(40, 10, rows).round(1), "ill": rng.choice(["no", "yes"], rows)})


@pytest.fixture
def battery_of(tmp_path):
    people(150, 1).write_csv(tmp_path / "people.csv")
    for name, seed in (("first", 2), ("second", 5)):
        (tmp_path / name).mkdir()
        members = people(50, seed)
        members.write_csv(tmp_path / name / "members.csv")
        people(40, seed + 1).write_parquet(tmp_path / name / "outside.parquet")
        members.write_csv(tmp_path / name / "synthetic.csv")

    def build(*changes, more=""):
        text = PLAN + more
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return expand(parse_plan(text, "all-attacks", FULL, tmp_path))

    return build


def test_every_attack_is_run_on_every_release_and_stored(battery_of, here, tmp_path):
    assert run(battery_of(), tmp_path / "s.sqlite", here).progress.computed == 4
    results = load(tmp_path / "s.sqlite", "all-attacks")
    assert results.cells["status"].to_list() == ["done"] * 4
    assert set(results.cells["attack_failures"]) == {""}
    rows = attack_rows(results)
    assert set(catalog.ratings()) - set(rows["attack"]) <= {"edit-distance"}  # whose columns have to be named
    assert {f"{name} (ill)" for name in catalog.attacks()} <= set(rows["attack"])
    copied = rows.filter(pl.col("synthesizer") == "real", pl.col("attack") == "nearness")
    assert (copied["auc"] > 0.95).all()
    assert (rows.filter(pl.col("synthesizer") == "random", pl.col("attack") == "match")["leak"] == 0).all()
    assert [figure.name for figure in make_figures(results)] == ["battery-table", "battery-leaders", "battery-cost"]
    run(battery_of(), tmp_path / "again.sqlite", here)
    again = attack_rows(load(tmp_path / "again.sqlite", "all-attacks"))
    assert again.drop("seconds").equals(rows.drop("seconds"))


def test_releases_in_folders_are_read_as_they_are(battery_of, here, tmp_path):
    study = battery_of(("releases = 2", "releases = 1"), ('["real", "random"]', '["random"]'), more=FILES)
    run(study, tmp_path / "s.sqlite", here)
    results = load(tmp_path / "s.sqlite", "all-attacks")
    given = results.cells.filter(pl.col("data") == "midst")
    assert given.select("synthesizer", "size", "outside", "number", "status").rows() == [
        ("tabddpm", 50, 40, 0, "done"),
        ("tabddpm", 50, 40, 1, "done"),
    ]
    assert given["grade"].to_list() == ["severe"] * 2  # the release is the members
    first = study.data["first"].table
    assert [len(part) for part in take_parts(first)] == [50, 40, 50]
    assert first.schema[PART].levels == PARTS
    assert join_parts(take_parts(first)).digest == first.digest


def test_generators_share_people_and_a_kept_release_is_read_again(battery_of, tmp_path):
    study = battery_of(("permutations", f'keep = "{tmp_path / "kept"}"\npermutations'))
    table = study.data["people"].table
    tasks = [group.task() for group in study.groups]
    dealt = {(task["number"], *(part.digest for part in deal(table, task))) for task in tasks}
    assert len(dealt) == 2  # one deal a number, whatever the generator
    for _, members, outside in dealt:
        assert members != outside
    assert len({place_of(task) for task in tasks}) == 4
    random = next(task for task in tasks if task["synthesizer"]["name"] == "random")
    members, _ = deal(table, random)
    made = release_of(members, random)
    place = place_of(random)
    assert [each.name for each in place.parent.iterdir()] == [place.name]
    assert release_of(members, {**random, "keep": ""}).digest == made.digest
    # What is kept is what is read.
    for task in tasks:
        place_of(task).write_bytes(place.read_bytes())
        assert release_of(deal(table, task)[0], task).digest == made.digest


def test_where_releases_are_kept_decides_no_result(battery_of):
    mine = battery_of().group_of.keys()
    assert mine == battery_of(("permutations", 'keep = "there"\npermutations')).group_of.keys()
    assert mine < battery_of(("releases = 2", "releases = 3")).group_of.keys()
    for change in (("= 199", "= 299"), ("outside = 60", "outside = 61"), ("seed = 2", "seed = 3")):
        assert not mine & battery_of(change).group_of.keys()
    assert not mine & battery_of(("permutations", 'attacks = "fast"\npermutations')).group_of.keys()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("members = 60", "members = 100", r"battery\[1\].members: 160 people are needed; people has 150 records"),
        ("members = 60", "members = 3", r"battery\[1\].members is 3; a whole number from 30 on is expected"),
        ('"random"]', '"rand"]', r"battery\[1\].synthesizers\[2\]: there is no synthesizer 'rand'"),
        ("permutations", 'attacks = "slow"\npermutations', r"battery\[1\].attacks names 'slow'; there are all, full"),
        ("permutations", 'called = "me"\npermutations', r"battery\[1\] has an unknown key 'called'"),
    ],
)
def test_a_battery_at_fault_is_refused_with_the_place(battery_of, old, new, said):
    with pytest.raises(ConfigError, match=said):
        battery_of((old, new))


def test_a_table_or_a_folder_that_is_no_release_is_refused(battery_of, tmp_path):
    with pytest.raises(ConfigError, match=r"data, first: a folder with the files members, outside, synthetic"):
        battery_of(('file = "first"', 'file = "people.csv"'), more=FILES)
    (tmp_path / "first" / "outside.csv").touch()
    with pytest.raises(ConfigError, match=r"one file outside\.csv, .* there are outside\.csv, outside\.parquet"):
        battery_of(more=FILES)


def told(found):
    """Cells of (data, generator) with a list of results of each release: attack, family, measured number, seconds."""
    rows = []
    for (data, synthesizer), releases in found.items():
        for number, attacks in enumerate(releases):
            listed = [_attack(*attack) for attack in attacks]
            place = {"kind": "battery", "data": data, "synthesizer": synthesizer, "size": 100, "number": number}
            rest = {"status": "done", "value": 0.0, "attacks": json.dumps(listed), "error": "", "seconds": 1.0}
            rows.append({**dict.fromkeys(cell_columns()), **place, **rest})
    return Results("made", FULL, "", "", 0, (), pl.DataFrame(rows, schema=cell_columns(), orient="row"))


def _attack(name, family, value, seconds):
    is_rating = family == "membership"
    numbers = {"leak": value, "members": value, "outsiders": 0.0, "auc": 0.5, "p": 0.01, "p_adjusted": 0.02}
    rates = {f"tpr_{rate}": value if is_rating else None for rate in ("0.1", "0.01", "0.001")}
    secret = "ill" if family == "attribute" else None
    return {"attack": name, "family": family, "secret": secret, **numbers, **rates, "seconds": seconds}


MADE = {
    ("acs", "baynet"): [
        [("near", "membership", 0.10, 1.0), ("far", "membership", 0.02, 3.0), ("guess", "attribute", 0.2, 2.0)],
        [("near", "membership", 0.14, 1.0), ("far", "membership", 0.08, 3.0), ("guess", "attribute", 0.2, 2.0)],
    ],
    ("acs", "random"): [
        [("near", "membership", 0.01, 1.0), ("far", "membership", 0.00, 3.0), ("guess", "attribute", -0.1, 2.0)],
        [("near", "membership", 0.03, 1.0), ("far", "membership", 0.02, 3.0), ("guess", "attribute", 0.1, 2.0)],
    ],
}


def test_means_errors_leaders_and_shares_by_hand():
    results = told(MADE)
    row = summary(results).row(0, named=True)
    # Of .10 and .14: mean .12, standard deviation .02 sqrt 2, standard error .02.
    assert (row["attack"], row["releases"], row["p_small"], row["seconds"]) == ("near", 2, 1.0, 1.0)
    assert (row["tpr_0.01"], row["tpr_0.01_error"]) == (pytest.approx(0.12), pytest.approx(0.02))
    membership, attribute = battery_scores(results)
    assert (membership.attacks, membership.synthesizers) == (("near", "far"), ("baynet", "random"))
    assert (membership.leader("baynet"), membership.leader("random")) == ("near", None)
    assert membership.leader("baynet", without="near") is None
    # Near finds .12 +- .02, far .05 +- .03: not above chance, but (.05 - .01) / (.12 - .01) of what near finds.
    assert membership.share_of_best("far", "baynet") == pytest.approx(4 / 11)
    assert membership.share_of_best("near", "random") is None
    assert (attribute.attacks, attribute.leader("baynet"), attribute.leader("random")) == (
        ("guess (ill)",),
        "guess (ill)",
        None,
    )
    costs = [
        (cost.attack, cost.leads, cost.without_labels, cost.led, cost.share, cost.seconds)
        for cost in attack_costs(results)
    ]
    assert costs == [
        ("guess", 1, 1, 1, 1.0, 2.0),
        ("near", 1, 1, 1, 1.0, 1.0),
        ("far", 0, 0, 1, pytest.approx(4 / 11), 3.0),
    ]


def test_the_heat_map_has_generators_by_attacks():
    figure = figure_makers()["battery-table"](told(MADE))
    grid = figure.panels[0]
    assert (grid.rows, grid.columns) == (("near", "far"), ("baynet", "random"))
    assert grid.texts == (("12.0\n±2.0", "2.0\n±1.0"), ("5.0\n±3.0", "1.0\n±1.0"))
    assert grid.shades == ((1.0, None), (pytest.approx(4 / 11), None))
    leaders = figure_makers()["battery-leaders"](told(MADE))
    assert [row[:4] for row in leaders.table.rows] == [
        ("acs", "membership", "baynet", "near"),
        ("acs", "membership", "random", None),
        ("acs", "attribute", "baynet", "guess (ill)"),
        ("acs", "attribute", "random", None),
    ]
