"""Places of the nearest points against sorting all distances."""

import numpy as np
import pytest

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.nearest_places import nearest_places
from seethrough.kernels.points import Points


def cloud(rng, size):
    numbers = rng.integers(0, 4, (size, 2)) / 3
    return Points(numbers, rng.integers(0, 3, (2, size)).astype(np.uint8), np.ones(2))


@pytest.mark.parametrize("k", [1, 7, 40, 90])
def test_of_equally_far_points_the_first_are_taken(k):
    rng = np.random.default_rng(k)
    people, others = cloud(rng, 30), cloud(rng, 60)
    expected = []
    for row in range(30):
        apart = np.square(people.numbers[row] - others.numbers).sum(axis=1)
        apart += (people.codes[:, [row]] != others.codes).sum(axis=0)
        expected.append(sorted(np.argsort(apart.round(12), kind="stable")[:k].tolist()))
    for budget in (Budget(threads=1), Budget(memory=2000, threads=3)):
        assert nearest_places(people, others, k, budget).tolist() == expected
