"""Lists of neighbours of torch, on the processor, against all distances, sorted: distances, ties, copies and names."""

import numpy as np
import pytest

from seethrough.kernels.budget import Budget
from seethrough.kernels.device import pair_totals
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.kernels.points import Norm, Points, block_totals

HERE = Budget(threads=1)


def points(rng, rows, numbers, codes, decimals):
    return Points(
        rng.normal(size=(rows, numbers)).round(decimals) * 3,
        rng.integers(0, 4, (codes, rows)).astype(np.uint8),
        np.ones(codes),
        Norm.MANHATTAN,
    )


def agree(people, others, k, device):
    found, here = k_nearest(people, others, k, device), k_nearest(people, others, k, HERE)
    by_definition = np.sort(Norm.MANHATTAN.distance(block_totals(people, others)), axis=1)[:, :k]
    np.testing.assert_array_equal(found.distances, by_definition)
    np.testing.assert_array_equal(found.places, here.places)


@pytest.mark.parametrize("k", [1, 3, 20])
@pytest.mark.parametrize("rows", [(40, 700), (30, 17), (5, 3)])
@pytest.mark.parametrize(("numbers", "codes", "decimals"), [(0, 5, 0), (1, 3, 0), (3, 2, 6), (0, 9, 0), (2, 0, 12)])
def test_lists_are_those_of_the_processor(device, numbers, codes, decimals, rows, k):
    rng = np.random.default_rng(7)
    agree(*(points(rng, each, numbers, codes, decimals) for each in rows), k, device)


def test_the_last_digit_decides_a_tie(device):
    # 0.1 + 0.2 and 0.3 differ in the last bit and are equally far; the first by place is named, groups away.
    numbers = np.full((400, 2), 9.0)
    numbers[[50, 170, 290]] = [0.3, 0.0], [0.1, 0.2], [0.0, 0.3]
    people = Points(np.zeros((1, 2)), np.zeros((0, 1), np.uint8), np.empty(0), Norm.MANHATTAN)
    others = Points(numbers + np.arange(400)[:, None] * (numbers == 9), np.zeros((0, 400), np.uint8), np.empty(0))
    others = Points(others.numbers, others.codes, others.weights, Norm.MANHATTAN)
    found = k_nearest(people, others, 2, device)
    assert found.places.tolist() == [[50, 170]]
    assert found.distances.tolist() == [[0.3, 0.3]]


def test_many_are_equally_near_and_the_first_are_named(device):
    # All but three differ in one code; those three are equal to the person, the last of all among them.
    codes = np.zeros((3, 900), np.uint8)
    codes[0] = 1 + np.arange(900) % 3
    codes[0, [300, 899]] = 0
    codes[1, 300] = 1
    others = Points(np.empty((900, 0)), codes, np.ones(3), Norm.MANHATTAN)
    people = Points(np.empty((1, 0)), np.zeros((3, 1), np.uint8), np.ones(3), Norm.MANHATTAN)
    agree(people, others, 5, device)
    assert k_nearest(people, others, 5, device).places.tolist() == [[899, 0, 0, 0, 0]]


def test_weights_and_codes_that_others_do_not_have(device):
    rng, weights = np.random.default_rng(3), np.array([0.5, 1 / 3, 2.0])
    people, others = (
        Points(rng.normal(size=(rows, 1)), rng.integers(0, top, (3, rows)).astype(np.uint8), weights, Norm.MANHATTAN)
        for rows, top in ((60, 9), (200, 4))
    )
    agree(people, others, 20, device)


def test_blocks_of_people_change_nothing(device, monkeypatch):
    rng = np.random.default_rng(2)
    people, others = points(rng, 90, 2, 3, 9), points(rng, 300, 2, 3, 9)
    monkeypatch.setattr(pair_totals, "BYTES", 1 << 16)
    agree(people, others, 20, device)
