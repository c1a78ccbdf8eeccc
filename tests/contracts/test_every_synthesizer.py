"""What holds for every generator of the catalog. A new one is picked up by itself.

Generators that train are run for a few steps only. One whose extra is not installed is skipped, which pytest says.
"""

import json
import sys
from importlib.util import find_spec

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.plugins import catalog
from seethrough.plugins.labels import label_of
from seethrough.protocols.parameters import parameters, plain, with_values
from seethrough.protocols.synthesizer import draw_rows
from seethrough.seeds import stream

QUICK = {"epochs": 2, "steps": 50, "rounds": 20, "batch": 50, "batch_size": 50}
"""Values for parameters that decide how long training takes."""
NEEDED = {"deep": "torch"}
"""The module that an extra installs."""
ROWS = 300

PROGRAM = """
import csv, random, sys
random.seed(int(sys.argv[4]))
with open(sys.argv[1], newline="") as file:
    head, *records = csv.reader(file)
with open(sys.argv[2], "w", newline="") as file:
    csv.writer(file).writerows([head, *random.choices(records, k=int(sys.argv[3]))])
"""
MODULE = """
def fit(frame):
    return lambda n: frame.sample(n, replace=True)
"""
SAME_SHARES = {"real": 0.0, "nonprivate": 0.0, "indhist": 0.0, "command": 0.0, "callable": 0.0, "baynet": 0.03}
"""Generators that promise the shares of every column, and by how much they may miss them beside sampling error."""
NEW_LEVELS = {"random"}
"""Generators that invent categories."""
SCHEMA = Schema(
    (
        Column("age", Kind.NUMERIC, low=0.0, high=90.0, fill=45.0),
        Column("weight", Kind.NUMERIC, low=-3.0, high=3.0, fill=0.0),
        Column("job", Kind.CATEGORICAL, levels=tuple("abcde")),
        Column("town", Kind.CATEGORICAL, levels=tuple("vwxyz")),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)


def people(rows, seed):
    rng = np.random.default_rng(seed)
    age, weight = rng.integers(0, 91, rows) + 0.0, np.clip(rng.normal(size=rows), -3, 3)
    job, town = rng.integers(1, 6, rows), rng.integers(0, 6, rows)
    ill = 1 + (rng.random(rows) < 0.1 + 0.6 * age / 90)
    weight[rng.random(rows) < 0.2] = np.nan
    return Table(SCHEMA, (age, weight, job.astype(np.uint8), town.astype(np.uint8), ill.astype(np.uint8)))


REAL = people(ROWS, 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generators")
    (folder / "program.py").write_text(PROGRAM)
    (folder / "generators_of_this_test.py").write_text(MODULE)
    return folder


@pytest.fixture(params=catalog.all_synthesizers())
def generator(request, folder, monkeypatch):
    made = catalog.all_synthesizers()[request.param]
    extra = made.card.extra
    if extra and not find_spec(NEEDED[extra]):
        pytest.skip(f"{request.param} needs the extra {extra!r}, which is not installed")
    monkeypatch.syspath_prepend(str(folder))
    known = {parameter.name for parameter in parameters(made)}
    values = {name: value for name, value in QUICK.items() if name in known}
    if request.param == "command":
        values["run"] = f"'{sys.executable}' '{folder / 'program.py'}' {{input}} {{output}} {{rows}} {{seed}}"
    if request.param == "callable":
        values["object"] = "generators_of_this_test:fit"
    return with_values(made, request.param, values)


def made(generator, rows=ROWS, seed=0):
    sampler = generator.fit(REAL, stream(seed, "fit"))
    return sampler, draw_rows(sampler, rows, stream(seed, "sample")).table


def test_the_card_says_what_it_is(generator):
    card = generator.card
    assert card.name == generator.name
    assert card.title
    assert card.summary.endswith(".")
    assert all(value is None or isinstance(value, str | int | float | bool) for value in plain(generator).values())
    assert label_of(type(generator)()) == generator.name


def test_the_same_seed_gives_the_same_table_and_another_one_another(generator):
    first, second, other = (made(generator, seed=seed)[1] for seed in (0, 0, 1))
    assert first.digest == second.digest != other.digest


def test_the_table_is_one_of_the_schema(generator):
    sampler, found = made(generator, 150)
    assert found.schema == SCHEMA
    assert len(found) == 150
    for column, values in zip(SCHEMA.used, found.columns, strict=True):
        if column.kind.has_levels:
            assert values.dtype.kind == "u"
            assert generator.name in NEW_LEVELS or values.max() <= len(column.levels)
        else:
            assert values.dtype == np.float64
            assert not np.isinf(values).any()
    card = sampler.card
    assert (card.synthesizer, card.rows, dict(card.parameters)) == (generator.name, ROWS, plain(generator))
    assert bool(card.privacy) or not generator.card.guarantee


def test_fitting_changes_neither_the_table_nor_the_generator(generator):
    before, label = [column.copy() for column in REAL.columns], label_of(generator)
    made(generator)
    assert all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(before, REAL.columns, strict=True))
    assert label_of(generator) == label


def test_missing_values_survive_and_whole_numbers_stay_whole(generator):
    found = made(generator)[1]
    age, weight, _, town, _ = found.columns
    assert (age == np.round(age)).all() or generator.card.extra
    assert not np.isnan(age).any()
    assert np.isnan(weight).any() or generator.card.extra
    assert (town == 0).any() or generator.card.extra


def test_shares_are_kept_where_that_is_promised(generator):
    if generator.name not in SAME_SHARES:
        return
    found = made(generator, ROWS if generator.name == "real" else 5000)[1]
    for name in ("job", "town", "ill"):
        wanted, got = (np.bincount(t.column(name), minlength=6) / len(t) for t in (REAL, found))
        error = 5 * np.sqrt(wanted * (1 - wanted) / len(found))
        assert (np.abs(got - wanted) <= error + SAME_SHARES[generator.name]).all()


def test_no_rows_are_refused(generator):
    sampler = generator.fit(REAL, stream(0, "fit"))
    with pytest.raises(ConfigError, match="0 rows cannot be drawn"):
        draw_rows(sampler, 0, stream(0, "sample"))


def test_a_file_becomes_a_file(generator, tmp_path):
    rng = np.random.default_rng(0)
    days = pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 7, 18), eager=True).gather(rng.integers(0, 200, 200))
    frame = pl.DataFrame(
        {
            "born": days.dt.strftime("%d.%m.%Y"),
            "job": [f"job {v}" for v in rng.integers(0, 4, 200)],
            "code": [f"0{v}" for v in rng.integers(0, 3, 200)],
            "children": rng.integers(0, 40, 200),
            "ok": [["True", "False"][v] for v in rng.integers(0, 2, 200)],
        }
    )
    frame.write_csv(tmp_path / "real.csv")
    found = st.synthesize(generator, tmp_path / "real.csv", 100, seed=3)
    written, card = found.write(tmp_path / "synthetic.csv")
    back = pl.read_csv(written, infer_schema=False)
    assert back.columns == frame.columns
    assert back["born"].str.to_date("%d.%m.%Y", strict=True).null_count() == 0
    if generator.name not in NEW_LEVELS:
        assert set(back["code"]) <= {"00", "01", "02"}
        assert set(back["ok"]) <= {"True", "False"}
    said = json.loads(card.read_text())
    assert said["synthesizer"] == generator.name
    assert said["seed"] == 3
    assert bool(said["privacy"]) or not generator.card.guarantee
