"""The deep generators where torch is not installed: they can be read about, and say what to install."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from seethrough.errors import ConfigError, Overspent
from seethrough.kernels.device import torch_extra
from seethrough.protocols.parameters import plain, with_values
from seethrough.synthesizers.ctgan import Ctgan
from seethrough.synthesizers.pate_gan import PateGan
from seethrough.synthesizers.tvae import Tvae

DEEP = [Ctgan(), Tvae(), PateGan()]
NAMES = [generator.name for generator in DEEP]


@pytest.mark.parametrize("generator", DEEP, ids=NAMES)
def test_without_torch_the_extra_is_named(generator, tables_of, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(torch_extra, "import_module", absent)
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("seethrough.synthesizers._deep.")]:
        monkeypatch.delitem(sys.modules, name)
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
    assert plain(Ctgan()) == {"epochs": 300, "batch": 500, "pac": 10, "device": "auto"}
    assert plain(Tvae()) == {"epochs": 300, "batch": 500, "device": "auto"}


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        (Ctgan, {"epochs": 0}, "ctgan.epochs is 0"),
        (Ctgan, {"batch": 505}, "batch is 505, which packs of 10 rows do not divide"),
        (Ctgan, {"pac": 0}, "packs of 0"),
        (Tvae, {"epochs": -1}, "tvae.epochs is -1"),
        (Tvae, {"batch": 1}, "tvae.batch is 1"),
        (PateGan, {"epsilon": 0.0}, "epsilon is 0"),
        (PateGan, {"epsilon": -2.0}, "epsilon is -2"),
        (PateGan, {"delta": 1.0}, "delta is 1"),
        (PateGan, {"teachers": 0}, "pate-gan.teachers is 0"),
        (PateGan, {"rounds": 0}, "pate-gan.rounds is 0"),
    ],
)
def test_what_is_no_training_is_refused(kind, values, words):
    with pytest.raises(ConfigError, match=words):
        kind(**values)


def test_parameters_are_set_from_text():
    found = with_values(PateGan(), "pate-gan", {"epsilon": "0.2", "delta": "1e-6", "device": "cpu"})
    assert (found.epsilon, found.delta, found.device) == (0.2, 1e-6, "cpu")
    with pytest.raises(ConfigError, match="auto or cpu or cuda is expected"):
        with_values(Ctgan(), "ctgan", {"device": "tpu"})


def test_the_noise_of_pate_gan_moves_with_epsilon_and_delta():
    scales = [PateGan(epsilon=epsilon).noisy_votes(1000).noise for epsilon in (0.2, 1.0, 2.0, 10.0)]
    assert all(more > 1.5 * less for more, less in pairwise(scales))
    assert PateGan().noisy_votes(1000).delta == pytest.approx(1 / (1000 * np.sqrt(1000)))
    assert PateGan(delta=1e-9).noisy_votes(1000).noise > scales[1]


def test_all_answers_are_in_the_noise_of_pate_gan():
    generator = PateGan(rounds=30, student_steps=2, batch=10)
    noisy_votes, rng = generator.noisy_votes(500), np.random.default_rng(0)
    assert generator.queries == 600
    noisy_votes.majority(np.full(600, 3), 10, rng)
    assert 0.999 < noisy_votes.epsilon_spent <= 1
    with pytest.raises(Overspent, match="an answer from the votes would cost"):
        noisy_votes.majority(np.full(1, 3), 10, rng)
