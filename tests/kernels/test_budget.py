"""How much of the machine a kernel may use."""

import pytest

from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget, useful_threads


@pytest.mark.parametrize(
    ("given", "words"), [({"memory": "8GiB"}, "memory is '8GiB'"), ({"threads": 0}, "threads is 0")]
)
def test_what_is_no_number_is_refused(given, words):
    with pytest.raises(ConfigError, match=words):
        Budget(**given)


def test_small_tables_use_few_threads_and_large_ones_all():
    assert [useful_threads(rows, 16) for rows in (10, 50_000, 50_001, 200_000, 200_001)] == [4, 4, 8, 8, 16]
    assert [useful_threads(rows, 2) for rows in (10, 100_000, 10**9)] == [2, 2, 2]
