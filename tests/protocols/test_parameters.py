"""Parameters of checks: described, validated, set from text."""

from dataclasses import dataclass
from typing import Literal

import pytest

from seethrough.errors import ConfigError
from seethrough.protocols.parameters import (
    Parameter,
    parameters,
    plain,
    stream_name,
    validate,
    with_values,
)


@dataclass(frozen=True)
class Sample:
    norm: Literal["absolute", "pairs"] = "absolute"
    width: float = 0.5
    folds: int = 5
    strict: bool = False
    reach: float | None = None
    secret: tuple[str, ...] = ()


def test_parameters_are_described():
    norm, *_, reach, secret = parameters(Sample(secret=("a", "b")))
    assert norm == Parameter("norm", "choice", ("absolute", "pairs"), optional=False, value="absolute")
    assert reach == Parameter("reach", "number", (), optional=True, value=None)
    assert secret == Parameter("secret", "list", (), optional=False, value="a, b")
    assert plain(Sample())["width"] == 0.5
    assert plain(object()) == {}


def test_parameters_are_set_from_text():
    texts = {"norm": "pairs", "width": "2", "folds": "3", "strict": "True", "reach": "0.1", "secret": "a + b"}
    assert with_values(Sample(), "s", texts) == Sample("pairs", 2.0, 3, True, 0.1, ("a", "b"))
    assert with_values(Sample(reach=1.0), "s", {"reach": "none"}) == Sample()


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"norm": "euclid"}, "parameter s.norm is 'euclid'; absolute or pairs is expected"),
        ({"folds": "2.5"}, "parameter s.folds is '2.5'; whole number is expected"),
        ({"strict": "maybe"}, "parameter s.strict is 'maybe'; true or false is expected"),
        ({"reach": "far"}, "parameter s.reach is 'far'; number or none is expected"),
        ({"width": "inf"}, "parameter s.width is inf; number is expected"),
        ({"reach": float("-inf")}, "parameter s.reach is -inf; number or none is expected"),
        ({"width": "nan"}, "parameter s.width is nan; number is expected"),
        ({"hat": "1"}, "s has no parameter 'hat'; it has norm, width, folds, strict, reach, secret"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(texts, said):
    with pytest.raises(ConfigError) as found:
        with_values(Sample(), "s", texts)
    assert str(found.value) == said


@pytest.mark.parametrize("wrong", [{"norm": "x"}, {"width": "1"}, {"folds": 2.0}, {"folds": True}, {"secret": ["a"]}])
def test_what_python_users_set_is_validated_too(wrong):
    with pytest.raises(ConfigError, match=f"parameter s.{next(iter(wrong))} is"):
        validate(Sample(**wrong), "s")


def test_values_are_taken_as_they_are_and_texts_understood():
    values = {"norm": "pairs", "folds": 3, "strict": "true", "reach": None, "secret": ["a", "b"]}
    assert with_values(Sample(reach=1.0), "s", values) == Sample("pairs", 0.5, 3, True, None, ("a", "b"))
    assert with_values(object, "bare", {}) is object
    with pytest.raises(ConfigError, match=r"parameter s\.folds is 2\.5; whole number is expected"):
        with_values(Sample(), "s", {"folds": 2.5})
    with pytest.raises(ConfigError, match="bare has no parameter 'x'; it has none"):
        with_values(object(), "bare", {"x": 1})


def test_a_random_stream_is_named_by_what_users_see_and_not_by_a_class():
    @dataclass(frozen=True)
    class Renamed(Sample):
        name = "sample"

    @dataclass(frozen=True)
    class Before(Sample):
        name = "sample"

    assert stream_name(Renamed()) == stream_name(Before())
    assert stream_name(Renamed()) != stream_name(Renamed(folds=6))
    assert "Renamed" not in stream_name(Renamed())
