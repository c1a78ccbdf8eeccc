"""How much of the machine a kernel may use."""

import pytest

from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget


@pytest.mark.parametrize(
    ("given", "words"), [({"memory": "8GiB"}, "memory is '8GiB'"), ({"threads": 0}, "threads is 0")]
)
def test_what_is_no_number_is_refused(given, words):
    with pytest.raises(ConfigError, match=words):
        Budget(**given)
