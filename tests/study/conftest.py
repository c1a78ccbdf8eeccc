"""Small plans on a small table."""

import json

import numpy as np
import polars as pl
import pytest

from seethrough.study.cells.results import FULL
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import parse_plan
from seethrough.study.run.running import run
from seethrough.study.run.workers import Here
from seethrough.study.store.store import Store

MEMORY = 1 << 28
PLAN = """
format = 1
name = "tiny"
seed = 5

[data.people]
file = "people.csv"
secret = "ill"
categorical = true

[[games]]
data = "people"
rows = 12
sizes = [6, 20]
games = 4
synthesizers = ["nonprivate", "indhist"]
attacks = ["dcr", "dcr:distance=codes"]
utility_games = 2
baselines = false

[[metrics]]
data = "people"
rows = 20
runs = 2
synthesizers = ["real", "indhist"]
checks = ["crp", "zcap"]
"""


def _write_people(path, rows=40, seed=0):
    rng = np.random.default_rng(seed)
    columns = {name: rng.choice(list("uvwxyz"), rows) for name in ("job", "town", "car")}
    pl.DataFrame({**columns, "ill": rng.choice(["no", "yes"], rows)}).write_csv(path)


@pytest.fixture
def write_people():
    return _write_people


@pytest.fixture
def plan_text():
    return PLAN


@pytest.fixture
def folder(tmp_path):
    _write_people(tmp_path / "people.csv")
    return tmp_path


@pytest.fixture
def study_of(folder):
    """Expand a plan beside the table, with texts of it exchanged."""

    def build(*changes, form=FULL, text=PLAN):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return expand(parse_plan(text, "tiny", form, folder))

    return build


@pytest.fixture
def here():
    return Here(MEMORY)


@pytest.fixture(scope="session")
def more_games():
    """What is exchanged in the plan for some 800 cells."""
    return "games = 4", "games = 100"


@pytest.fixture(scope="session")
def many_undisturbed(more_games, tmp_path_factory):
    """The results of so many cells in a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    _write_people(folder / "people.csv")
    study = expand(parse_plan(PLAN.replace(*more_games), "tiny", FULL, folder))
    run(study, folder / "s.sqlite", Here(MEMORY))
    found = _kept(folder / "s.sqlite")
    assert len(found) == study.size
    return found


@pytest.fixture
def kept():
    return _kept


def _kept(path):
    """What a store holds, without what a clock decides."""
    with Store.read(path) as store:
        rows = store.rows("SELECT key, status, value, result, error FROM cell ORDER BY key")
    return {key: (status, value, timeless(result), error) for key, status, value, result, error in rows}


def timeless(result):
    return {name: value for name, value in json.loads(result).items() if name != "seconds"}


@pytest.fixture
def undisturbed(study_of, here, tmp_path):
    """The results of a run that nothing happened to."""
    run(study_of(), tmp_path / "undisturbed.sqlite", here)
    return _kept(tmp_path / "undisturbed.sqlite")
