"""Labels of generators: taken apart, and made from what was set."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from seethrough.errors import ConfigError
from seethrough.plugins import catalog, discovery
from seethrough.plugins.labels import Label, label_of, parse_label, values
from seethrough.protocols.synthesizer import SynthesizerCard


@dataclass(frozen=True)
class Generator:
    name: ClassVar[str] = "gen"
    k: int = 3
    epsilon: float = 1.0
    run: str = ""


@pytest.mark.parametrize(
    ("whole", "label"),
    [
        ("gen", Label("gen", "gen", "")),
        ("gen:k=2", Label("gen:k=2", "gen", "k=2")),
        ("mine=gen", Label("mine", "gen", "")),
        ("mine=gen:run=a:b=c", Label("mine", "gen", "run=a:b=c")),
    ],
)
def test_a_label_is_taken_apart(whole, label):
    assert parse_label(whole) == label


def test_a_comma_separates_only_before_a_parameter():
    text = parse_label("gen:run=prog --with a,b=1 {rows}, k=2,epsilon=0.5")
    assert values(text, ["k", "epsilon", "run"]) == {"run": "prog --with a,b=1 {rows}", "k": "2", "epsilon": "0.5"}
    assert values(parse_label("gen"), ["k"]) == {}


@pytest.mark.parametrize(("whole", "words"), [("gen:k", "'k' in 'gen:k'"), ("gen:k=1,k=2", "sets k twice")])
def test_a_bad_label_is_refused(whole, words):
    with pytest.raises(ConfigError, match=words):
        values(parse_label(whole), ["k"])


def test_a_label_names_what_differs():
    assert label_of(Generator()) == "gen"
    assert label_of(Generator(k=2, epsilon=10.0)) == "gen:k=2,epsilon=10"


def test_generators_are_found_by_label():
    found = catalog.named_synthesizers(["real", "copy=real", "nonprivate"])
    assert list(found) == ["real", "copy", "nonprivate"]
    assert found["copy"].name == "real"
    with pytest.raises(ConfigError, match="two synthesizers are called 'x'"):
        catalog.named_synthesizers(["x=real", "x=nonprivate"])
    with pytest.raises(ConfigError, match="there is no synthesizer 'reel'; did you mean real"):
        catalog.named_synthesizers(["reel"])
    with pytest.raises(ConfigError, match="real has no parameter 'k'"):
        catalog.named_synthesizers(["real:k=2"])


def test_installed_packages_can_offer_generators(monkeypatch):
    class Point:
        name, value = "theirs", "theirs:Theirs"

        def load(self):
            return Theirs

    class Theirs:
        card = SynthesizerCard("theirs", "Theirs", "Somebody else's.")
        name = "theirs"

    monkeypatch.setattr(discovery, "entry_points", lambda group: [Point()] if group == catalog.SYNTHESIZERS else [])
    assert isinstance(catalog.named_synthesizers(["theirs"])["theirs"], Theirs)
