"""What holds for every generator of the catalog. A new one is picked up by itself.

Generators that train are run for a few steps only. One whose extra is not installed is skipped, which pytest says.
"""

import json
import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.data.schema import Schema
from seethrough.plugins import catalog
from seethrough.plugins.testing import SYNTHESIZER_CLAUSES, shares_are_kept
from seethrough.plugins.testing.synthesizers import ROWS
from seethrough.protocols.parameters import parameters, with_values
from seethrough.protocols.synthesizer import guarantee_of

QUICK = {"epochs": 2, "steps": 50, "rounds": 20, "batch": 50, "batch_size": 50}
"""Values for parameters that decide how long training takes."""
NEEDED = {"deep": "torch"}
"""The module that an extra installs."""

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
INVENTS = {name: {"no_level_is_invented"} for name in NEW_LEVELS}
DEEP = {"whole_numbers_stay_whole", "missing_values_survive"}
"""Clauses that networks trained for a few steps cannot keep."""


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


@pytest.mark.parametrize("clause", SYNTHESIZER_CLAUSES, ids=lambda clause: clause.__name__)
def test_a_generator_keeps_its_contract(generator, clause):
    if clause.__name__ not in INVENTS.get(generator.name, set()) | (DEEP if generator.card.extra else set()):
        clause(generator)


def test_shares_are_kept_where_that_is_promised(generator):
    if generator.name in SAME_SHARES:
        rows = ROWS if generator.name == "real" else 5000
        shares_are_kept(generator, rows=rows, within=SAME_SHARES[generator.name])


def declared_by(frame):
    """Declare what a table holds, with one column spelt as it is there, which inference does not keep."""
    columns = (replace(column, declared=True) for column in st.infer_schema(frame).columns)
    spelt = {"ok": ("True", "False")}
    return Schema(tuple(replace(each, levels=spelt.get(each.name, each.levels)) for each in columns))


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
    schema = declared_by(frame) if guarantee_of(generator) else None
    found = st.synthesize(generator, tmp_path / "real.csv", 100, seed=3, schema=schema)
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
