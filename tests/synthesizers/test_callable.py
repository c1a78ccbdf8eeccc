"""Python objects as generators, in the ways that libraries have."""

import random
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import seethrough as st
from seethrough.errors import ConfigError, DataError
from seethrough.seeds import stream
from seethrough.synthesizers.callable import CallableGenerator, HeldGenerator

MODULE = """
import numpy as np
import random


class SdvStyle:
    fits = 0

    def fit(self, data):
        assert type(data).__module__.startswith("pandas"), type(data)
        self.data = data
        self.fits += 1

    def sample(self, num_rows, batch_size=None):
        assert self.fits == 1
        return self.data.sample(num_rows, replace=True)


class Loader:
    def __init__(self, data):
        self.data = data

    def dataframe(self):
        return self.data


class SynthcityStyle:
    def fit(self, X, *args, **kwargs):
        self.data = X
        return self

    def generate(self, count=None, **kwargs):
        return Loader(self.data.iloc[np.random.randint(0, len(self.data), count)])


class ByKeywords(SynthcityStyle):
    def generate(self, **kwargs):
        return super().generate(kwargs["count"])


class FitReturns:
    def fit(self, data):
        return lambda n: data.iloc[[random.randrange(len(data)) for _ in range(n)]]


def factory():
    return SdvStyle()


def fit(data):
    return FitReturns().fit(data)


def fit_model(data):
    return {"data": data}


def sample_model(model, n):
    return model["data"].sample(n, replace=True)


instance = SdvStyle()
pair = (fit_model, sample_model)
nothing = object()
three = (fit, fit, fit)


class Broken(SdvStyle):
    def fit(self, data):
        raise RuntimeError("no metadata")


class TooFew(SdvStyle):
    def sample(self, num_rows):
        return self.data[:1]


class OtherColumns(SdvStyle):
    def sample(self, num_rows):
        return self.data[["a"]]


class Unbuildable(SdvStyle):
    def __init__(self, metadata):
        pass
"""


@pytest.fixture(autouse=True)
def module(tmp_path, monkeypatch):
    (tmp_path / "their_generators.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "their_generators", raising=False)


@pytest.fixture
def real(tables_of):
    columns = {"a": ["x", "y", None, "x"], "b": [1.0, None, 3.0, 4.0], "c": ["1", "2", "2", "3"]}
    return tables_of(columns, columns)[0]


def rows_of(table):
    return {tuple(np.nan_to_num(value, nan=-1.0) for value in row) for row in zip(*table.columns, strict=True)}


@pytest.mark.parametrize(
    "name", ["SdvStyle", "SynthcityStyle", "ByKeywords", "FitReturns", "factory", "fit", "instance", "pair"]
)
def test_each_way_works_and_the_seed_decides(real, name):
    generator = CallableGenerator(object=f"their_generators:{name}")
    for _ in range(2):  # an instance is not used up by its first fit
        sampler = generator.fit(real, stream(0, "fit"))
        found = sampler.sample(60, stream(0, "sample"))
        assert rows_of(found) == rows_of(real)
        assert found.schema == real.schema
    assert sampler.sample(60, stream(0, "sample")).digest == found.digest
    assert sampler.sample(60, stream(1, "sample")).digest != found.digest


def test_global_random_states_are_put_back(real):
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002  foreign code uses it
    CallableGenerator(object="their_generators:fit").fit(real, stream(0, "f")).sample(9, stream(0, "s"))
    CallableGenerator(object="their_generators:SynthcityStyle").fit(real, stream(0, "f")).sample(9, stream(0, "s"))
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002


def test_a_polars_frame_is_given_where_asked_for(real):
    def learn(frame):
        assert isinstance(frame, pl.DataFrame)
        assert frame.schema == {"a": pl.String, "b": pl.Int64, "c": pl.String}
        return lambda n: frame.sample(n, with_replacement=True, seed=0)

    assert len(HeldGenerator(learn, "polars").fit(real, stream(0, "f")).sample(7, stream(0, "s"))) == 7


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("", ConfigError, "not of the form module:object"),
        ("their_generators", ConfigError, "not of the form module:object"),
        ("no_such_module:X", ConfigError, "cannot be loaded: No module named"),
        ("their_generators:Nobody", ConfigError, "cannot be loaded: .*no attribute 'Nobody'"),
        ("their_generators:nothing", ConfigError, "a object has no method fit"),
        ("their_generators:three", ConfigError, "a pair of functions"),
        ("their_generators:Broken", DataError, "failed to learn: RuntimeError: no metadata"),
        ("their_generators:Unbuildable", DataError, "failed to be made: TypeError: .*metadata"),
        ("their_generators:TooFew", DataError, "made 1 rows where 6 were asked for"),
        ("their_generators:OtherColumns", DataError, "has no column 'b'"),
    ],
)
def test_failures_are_told(real, name, error, words):
    with pytest.raises(error, match=words):
        CallableGenerator(object=name).fit(real, stream(0, "f")).sample(6, stream(0, "s"))


class Mine:
    """An object at hand."""

    def fit(self, frame):
        self.frame = frame

    def sample(self, n):
        return self.frame.sample(n, replace=True)


def test_objects_are_taken_from_python():
    people = pd.DataFrame(
        {"job": ["a", "b", "c"] * 20, "sex": ["f", "m"] * 30, "age": [(7 * v) % 61 + 0.5 for v in range(60)]}
    )
    made = st.synthesize(Mine(), people, 25, seed=1)
    assert len(made.frame) == 25
    assert made.card.synthesizer == "Mine"
    report = st.play_game(
        people, secret="sex", synthesizers={"mine": Mine()}, rows=30, sizes=[50], games=2, attacks="dcr"
    )
    assert {score.synthesizer for score in report.scores} == {"mine"}
