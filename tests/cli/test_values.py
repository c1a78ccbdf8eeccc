"""Values of options, as people write them."""

import pytest

from seethrough.cli import values
from seethrough.cli.values import parameters
from seethrough.errors import ConfigError


def test_parameters_are_sorted_by_check():
    found = parameters(["mdcr.squash=tanh", "hitting-rate.width = 0.1", "mdcr.per=real", "air.secret=a=b + c.d"])
    assert found == {
        "mdcr": {"squash": "tanh", "per": "real"},
        "hitting-rate": {"width": "0.1"},
        "air": {"secret": "a=b + c.d"},
    }


def test_two_values_for_one_parameter_are_refused():
    assert parameters(["dcr.dimensions=2", "dcr.dimensions=2"]) == {"dcr": {"dimensions": "2"}}
    with pytest.raises(ConfigError, match=r"sets dcr\.dimensions to both '2' and '3'"):
        parameters(["dcr.dimensions=2", "dcr.dimensions=3"])


def test_a_name_with_a_comma_is_quoted():
    assert values.names('age, "a,b",sex') == ("age", "a,b", "sex")
    assert values.names("") == ()
