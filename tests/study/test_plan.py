"""Plans: what is read, and what is refused with the place named."""

import pytest

from seethrough.errors import ConfigError, DataError
from seethrough.study.cells.results import FULL, SMALL
from seethrough.study.plan import expansion
from seethrough.study.plan.plan import parse_plan, read_plan, shipped_plans


def test_a_plan_expands_into_every_combination_once(study_of):
    study = study_of()
    # 4 games x 2 synthesizers x 2 sizes x 2 attacks, utility in 2 games x 2 x 2; 2 runs x 2 synthesizers x 2 checks
    assert study.size == 32 + 8 + 8
    assert len(study.groups) == 4 * 2 + 2 * 2
    assert len(study.group_of) == study.size


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"indhist"]\nattacks',
            '"indhost"]\nattacks',
            r"games\[1\].synthesizers\[2\]: there is no synthesizer 'indhost'",
        ),
        ('"dcr:distance=codes"', '"dcr:distanc=codes"', r"games\[1\].attacks\[2\]: dcr has no parameter 'distanc'"),
        ('"dcr:distance=codes"', '"dcr:distance=far"', r"games\[1\].attacks\[2\]: parameter dcr.distance is 'far'"),
        ('"zcap"]', '"zcop"]', r"metrics\[1\].checks\[2\]: there is no check 'zcop'; did you mean"),
        ("rows = 12", "row = 12", r"games\[1\] has an unknown key 'row'"),
        ("rows = 12", "rows = 0", r"games\[1\].rows is 0; a whole number from 1 on"),
        ("rows = 12\n", "", r"games\[1\] lacks rows"),
        ("[6, 20]", "[6, 0]", r"games\[1\].sizes is \[6, 0\]"),
        (
            'secret = "ill"',
            'secret = "sick"',
            r"data.people: secret names column 'sick', which is missing in people.csv",
        ),
        ('secret = "ill"', 'secret = "ill"\nignore = ["x"]', r"data.people: ignore names column 'x'"),
        ('secret = "ill"', "", r"games\[1\].data: people has no secret"),
        (
            'data = "people"\nrows = 12',
            'data = "folk"\nrows = 12',
            r"games\[1\].data names 'folk'; the plan has people",
        ),
        ("rows = 12", "rows = 50", r"games\[1\]: 50 rows cannot be drawn from a population of 40"),
        ("rows = 20\nruns", "rows = 60\nruns", r"metrics\[1\].rows: 60 rows and 0 kept out are more than the 40"),
        ("format = 1", "format = 2", "format = 1 is expected"),
        ("seed = 5", "sed = 5", "unknown key 'sed'"),
        ("seed = 5", "seed = -5", "seed is -5"),
        ("[6, 20]", "[6, 6]", r"games\[1\] asks twice for one cell: people, nonprivate, 6 rows, dcr, number 0"),
        ('"people.csv"', '"folk.csv"', "folk.csv is not there"),
    ],
)
def test_a_plan_at_fault_is_refused_with_the_place(study_of, old, new, said):
    with pytest.raises((ConfigError, DataError), match=said) as found:
        study_of((old, new))
    assert str(found.value).startswith("plan tiny:")


def test_two_parts_that_ask_for_one_cell_are_refused(study_of, plan_text):
    part = plan_text[plan_text.index("[[metrics]]") :]
    with pytest.raises(ConfigError, match=r"metrics\[2\] asks for a cell of plan tiny: metrics\[1\] again"):
        study_of(text=plan_text + part)


def test_what_is_no_plan_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="there is no plan 'aia-siz'; did you mean aia-size\\?"):
        read_plan("aia-siz")
    with pytest.raises(ConfigError, match="cannot be read as a plan"):
        read_plan(tmp_path / "absent.toml")
    (tmp_path / "bad.toml").write_text("format = = 1")
    with pytest.raises(ConfigError, match="plan bad is not TOML"):
        read_plan(tmp_path / "bad.toml")


def test_the_small_form_takes_the_place_of_the_full_one(study_of, plan_text):
    small = '\n[small]\nseed = 6\n[[small.games]]\ndata = "people"\nrows = 5\nsizes = [5]\ngames = 1\n'
    text = (
        plan_text + small + 'synthesizers = ["nonprivate"]\nattacks = ["dcr"]\nutility_games = 0\nbaselines = false\n'
    )
    assert study_of(text=text).size == 48
    found = study_of(text=text, form=SMALL)
    assert (found.size, found.plan.seed) == (1, 6)


def test_a_table_may_be_left_to_the_user(folder, study_of, plan_text):
    text = plan_text.replace('file = "people.csv"\n', 'about = "all people"\n')
    with pytest.raises(ConfigError, match=r"data.people has no file \(all people\); name one with --data people=FILE"):
        study_of(text=text)
    with pytest.raises(ConfigError, match="nothing is left to compute: data people is left out"):
        study_of(text=text, form=SMALL)
    plan = parse_plan(text, "tiny", FULL, folder)
    assert plan.with_files({"people": folder / "people.csv"}).data[0].is_named
    with pytest.raises(ConfigError, match="--data folk"):
        plan.with_files({"folk": folder / "people.csv"})


def test_the_small_form_falls_back_on_a_sample(study_of, plan_text):
    default = '[data.people.default]\nsample = "acs"\nsecret = "sex"\n\n[[games]]\ndata'
    text = plan_text.replace('file = "people.csv"\n', "").replace("[[games]]\ndata", default, 1)
    assert len(study_of(text=text, form=SMALL).data["people"].table) == 10_000
    with pytest.raises(ConfigError, match="name one with --data"):
        study_of(text=text)


@pytest.mark.parametrize("change", ["values", "secret", "seed", "drawn", "parameter", "rows"])
def test_everything_that_decides_a_result_is_in_its_key(folder, study_of, write_people, change):
    before = study_of().group_of.keys()
    changes = {
        "secret": [('secret = "ill"', 'secret = "job"')],
        "seed": [("seed = 5", "seed = 6")],
        "drawn": [("[6, 20]", "[6, 21]"), ("rows = 20", "rows = 21")],
        "parameter": [('"dcr", "dcr:distance=codes"', '"infer"'), ('"crp", "zcap"', '"gcap"')],
        "rows": [("rows = 12", "rows = 13"), ("rows = 20", "rows = 21")],
    }
    if change == "values":
        write_people(folder / "people.csv", seed=1)
    after = study_of(*changes.get(change, ())).group_of
    shared = {cell.what for key in before & after.keys() for cell in after[key].cells if cell.key == key}
    assert shared == ({"utility"} if change == "parameter" else set())


def test_more_games_and_runs_keep_the_keys_of_fewer(study_of):
    more = study_of(("games = 4", "games = 6"), ("runs = 2", "runs = 3")).group_of.keys()
    assert study_of().group_of.keys() < more


def test_names_of_plan_and_data_decide_nothing(study_of):
    other = study_of(("data.people]", "data.folk]"), ('data = "people"', 'data = "folk"'), ('"tiny"', '"other"'))
    assert other.group_of.keys() == study_of().group_of.keys()


def test_labels_that_mean_the_same_are_one(study_of):
    study = study_of(('"dcr:distance=codes"', '{ name = "dcr", distance = "codes" }'))
    assert study.group_of.keys() == study_of().group_of.keys()
    named = study_of(('"dcr:distance=codes"', '{ name = "dcr", distance = "codes", label = "mine" }'))
    assert {cell.name for group in named.groups for cell in group.cells} >= {"dcr", "mine"}


@pytest.mark.parametrize("name", shipped_plans())
@pytest.mark.parametrize("form", [FULL, SMALL])
def test_shipped_plans_can_be_read(name, form):
    plan = read_plan(name, form)
    assert plan.name == name
    assert plan.title
    assert plan.source
    assert plan.figures


def test_games_that_aim_at_isolated_people_are_games_of_their_own(study_of):
    before, after = (
        {cell.key: cell.name for group in study_of(*change).groups for cell in group.cells if group.kind == "games"}
        for change in ((), (("games = 4", 'games = 4\naim = "isolated"'),))
    )
    assert not before.keys() & after.keys()
    assert {name for name in after.values() if name.endswith("isolated people")}
    with pytest.raises(ConfigError, match=r"aim is 'loud'; random or isolated is expected"):
        study_of(("games = 4", 'games = 4\naim = "loud"'))


def test_a_plan_of_too_many_cells_is_refused_before_all_are_listed(study_of, plan_text, monkeypatch):
    assert "runs = 2\n" in plan_text
    monkeypatch.setattr(expansion, "MOST_CELLS", 100)
    with pytest.raises(ConfigError, match="plan tiny: it asks for more than 100 cells; ask for fewer runs or games"):
        study_of(text=plan_text.replace("runs = 2\n", "runs = 1000000000000\n"))
