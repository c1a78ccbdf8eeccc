"""Budgets that are none, or promise next to nothing: refused or said by every generator that has one."""

import warnings
from math import inf, nan

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.plugins import catalog
from seethrough.protocols.parameters import parameters
from seethrough.synthesizers.pate_gan import PateGan
from seethrough.synthesizers.privbayes import PrivBayes
from seethrough.synthesizers.rap_softmax import RapSoftmax

PRIVATE = [name for name, each in catalog.all_synthesizers().items() if each.card.guarantee]
WITH_DELTA = [
    name
    for name in PRIVATE
    if any(parameter.name == "delta" for parameter in parameters(catalog.all_synthesizers()[name]))
]


def test_the_generators_are_known():
    assert sorted(PRIVATE) == ["pate-gan", "privbayes", "rap-softmax"]
    assert sorted(WITH_DELTA) == ["pate-gan", "rap-softmax"]


@pytest.mark.parametrize("epsilon", [0.0, -0.0, -1.0, nan, inf, -inf, 5e-324, 1e-300, 1e-10, 1e13, 1e308])
@pytest.mark.parametrize("name", PRIVATE)
def test_no_epsilon_no_generator(name, epsilon):
    with pytest.raises(ConfigError, match="epsilon is"):
        catalog.build_synthesizer(name, {"epsilon": epsilon})


@pytest.mark.parametrize("delta", [0.0, -1e-6, 1.0, 2.0, nan, inf, 5e-324, 1e-200])
@pytest.mark.parametrize("name", WITH_DELTA)
def test_no_delta_no_generator(name, delta):
    with pytest.raises(ConfigError, match="delta is"):
        catalog.build_synthesizer(name, {"delta": delta})


@pytest.mark.parametrize("words", [["--epsilon", "nan"], ["--epsilon", "inf"], ["--epsilon", "-1"], ["--epsilon", "0"]])
def test_the_command_refuses_them_too(tmp_path, words):
    pl.DataFrame({"a": ["x", "y"] * 5, "b": ["u", "v"] * 5}).write_csv(tmp_path / "real.csv")
    asked = ["synthesize", "--synthesizer", "privbayes", "--real", str(tmp_path / "real.csv"), "--rows", "5"]
    found = CliRunner().invoke(app, [*asked, "--out", str(tmp_path / "x.csv"), *words])
    assert found.exit_code == 2
    assert "epsilon is" in found.stderr
    assert not (tmp_path / "x.csv").exists()


def people(rows):
    rng = np.random.default_rng(0)
    schema = Schema(tuple(Column(name, Kind.CATEGORICAL, levels=tuple("uvw"), declared=True) for name in "abc"))
    return Table(schema, tuple(rng.integers(1, 4, rows).astype(np.uint8) for _ in "abc"))


@pytest.mark.parametrize("epsilon", [1e-9, 1e12])
def test_the_ends_work_without_a_warning(epsilon):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for maker in (PrivBayes(epsilon=epsilon, k=1), RapSoftmax(epsilon=epsilon, rounds=2, relaxed_rows=9, batch=9)):
            drawn = maker.fit(people(50), np.random.default_rng(0)).sample(100, np.random.default_rng(1))
            assert all(((column >= 1) & (column <= 3)).all() for column in drawn.columns)
        for delta in (1e-100, 1e-6, 0.999):
            votes = PateGan(epsilon=epsilon, delta=delta).noisy_votes(50)
            assert 0 < votes.noise < inf


def test_a_delta_that_promises_nothing_is_said():
    card = RapSoftmax(delta=0.02, rounds=2, relaxed_rows=9, batch=9).fit(people(50), np.random.default_rng(0)).card
    assert card.warnings[0].startswith("delta = 0.02 is not below 1/n for n = 50 records")
    card = RapSoftmax(delta=0.019, rounds=2, relaxed_rows=9, batch=9).fit(people(50), np.random.default_rng(0)).card
    assert card.warnings == ()
