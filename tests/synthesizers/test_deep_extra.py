"""The deep generators where torch is not installed: they can be read about, and say what to install."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from seethrough.errors import ConfigError
from seethrough.kernels.device import torch_extra
from seethrough.protocols.parameters import plain, with_texts
from seethrough.synthesizers.ctgan import ConditionalGan
from seethrough.synthesizers.pate_gan import TeacherGan
from seethrough.synthesizers.tvae import TabularAutoencoder

DEEP = [ConditionalGan(), TabularAutoencoder(), TeacherGan()]
NAMES = [generator.name for generator in DEEP]


@pytest.mark.parametrize("generator", DEEP, ids=NAMES)
def test_without_torch_the_extra_is_named(generator, tables_of, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(torch_extra, "import_module", absent)
    table = tables_of({"a": ["x", "y"]}, {"a": ["x"]})[0]
    with pytest.raises(ConfigError, match=rf"{generator.name} needs torch.*pip install 'seethrough\[deep\]'"):
        generator.fit(table, np.random.default_rng(0))


@pytest.mark.parametrize("generator", DEEP, ids=NAMES)
def test_the_card_says_what_is_needed(generator):
    assert generator.card.extra == "deep"
    assert generator.card.name == generator.name
    assert bool(generator.card.guarantee) == (generator.name == "pate-gan")


def test_reading_about_them_loads_neither_torch_nor_scikit_learn():
    code = "import sys, seethrough.plugins.catalog as c; c.named_synthesizers(['ctgan', 'tvae', 'pate-gan'])"
    code += "; print(sorted({'torch', 'sklearn'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_paper_s_sizes_are_the_defaults():
    assert plain(ConditionalGan()) == {"epochs": 300, "batch": 500, "pac": 10, "device": "auto"}
    assert plain(TabularAutoencoder()) == {"epochs": 300, "batch": 500, "device": "auto"}


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        (ConditionalGan, {"epochs": 0}, "ctgan.epochs is 0"),
        (ConditionalGan, {"batch": 505}, "batch is 505, which packs of 10 rows do not divide"),
        (ConditionalGan, {"pac": 0}, "packs of 0"),
        (TabularAutoencoder, {"epochs": -1}, "tvae.epochs is -1"),
        (TabularAutoencoder, {"batch": 1}, "tvae.batch is 1"),
        (TeacherGan, {"epsilon": 0.0}, "epsilon is 0"),
        (TeacherGan, {"epsilon": -2.0}, "epsilon is -2"),
        (TeacherGan, {"delta": 1.0}, "delta is 1"),
        (TeacherGan, {"teachers": 0}, "pate-gan.teachers is 0"),
        (TeacherGan, {"rounds": 0}, "pate-gan.rounds is 0"),
    ],
)
def test_what_is_no_training_is_refused(kind, values, words):
    with pytest.raises(ConfigError, match=words):
        kind(**values)


def test_parameters_are_set_from_text():
    found = with_texts(TeacherGan(), "pate-gan", {"epsilon": "0.2", "delta": "1e-6", "device": "cpu"})
    assert (found.epsilon, found.delta, found.device) == (0.2, 1e-6, "cpu")
    with pytest.raises(ConfigError, match="auto or cpu or cuda is expected"):
        with_texts(ConditionalGan(), "ctgan", {"device": "tpu"})


def test_the_noise_of_pate_gan_moves_with_epsilon_and_delta():
    scales = [TeacherGan(epsilon=epsilon).ledger(1000).noise for epsilon in (0.2, 1.0, 2.0, 10.0)]
    assert all(more > 1.5 * less for more, less in pairwise(scales))
    assert TeacherGan().ledger(1000).delta == pytest.approx(1 / (1000 * np.sqrt(1000)))
    assert TeacherGan(delta=1e-9).ledger(1000).noise > scales[1]


def test_all_answers_are_in_the_noise_of_pate_gan():
    generator = TeacherGan(rounds=30, student_steps=2, batch=10)
    ledger = generator.ledger(500)
    assert generator.queries == 600
    ledger.charge(600)
    assert 0.999 < ledger.spent <= 1
    with pytest.raises(ConfigError, match="above the budget"):
        ledger.charge(1)
