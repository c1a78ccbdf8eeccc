"""The projection against a full singular value decomposition."""

import numpy as np
import pytest

from seethrough.kernels.neighbours import projection
from seethrough.kernels.points import Points


def by_svd(points, dimensions):
    """The definition: standardise, decompose the whole matrix, project on the leading right vectors."""
    numbers = points.numbers - points.numbers.mean(axis=0)
    spread = numbers.std(axis=0)
    blocks = [numbers / np.where(spread > 0, spread, 1)]
    for codes in points.codes:
        levels, counts = np.unique(codes, return_counts=True)
        share = counts / len(codes)
        blocks.append(((codes[:, None] == levels) - share) / np.sqrt(share))
    matrix = np.concatenate(blocks, axis=1)
    vectors = np.linalg.svd(matrix, full_matrices=False)[2][:dimensions]
    factor = 1 if points.numbers.shape[1] else len(points.codes) ** -0.5
    return matrix @ vectors.T * factor


def mixed(numbers, codes, n=300):
    rng = np.random.default_rng(0)
    drift = rng.normal(size=n)
    return Points(
        rng.normal(size=(n, numbers)) * np.arange(1, numbers + 1) + drift[:, None],
        np.stack([np.digitize(drift + rng.normal(size=n), [-1, 0, 2]) for _ in range(codes)]).astype(np.uint8)
        if codes
        else np.empty((0, n), np.uint8),
        np.ones(codes),
    )


@pytest.mark.parametrize(("numbers", "codes"), [(4, 0), (0, 5), (3, 4)], ids=["numbers", "categories", "mixed"])
@pytest.mark.parametrize("wide", [2000, 1], ids=["gram", "iteration"])
def test_coordinates_equal_those_of_the_full_decomposition(numbers, codes, wide, monkeypatch):
    monkeypatch.setattr(projection, "WIDE", wide)
    points = mixed(numbers, codes)
    found = projection.fit_projection(points, 2).coordinates(points)
    expected = by_svd(points, 2)
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=1e-8)


def test_equal_rows_of_two_tables_have_equal_coordinates():
    points = mixed(2, 2)
    fitted = projection.fit_projection(points, 2)
    few = points.take(np.array([7, 3]))
    assert fitted.coordinates(few).tobytes() == fitted.coordinates(points)[[7, 3]].tobytes()


def test_an_unseen_level_counts_as_none():
    points = mixed(1, 1)
    fitted = projection.fit_projection(points, 2)
    unseen = Points(points.numbers[:2], np.array([[200, 90]], np.uint8), points.weights)
    share = np.bincount(points.codes[0]) / len(points)
    none = fitted.levels[0][-1]
    expected = (fitted.levels[0][: len(share)] * share[:, None]).sum(axis=0)
    np.testing.assert_allclose(none * 0 + expected, 0, atol=1e-12)  # the levels' vectors balance out
    line = (points.numbers[:2] - fitted.centre) * fitted.slopes
    np.testing.assert_allclose(fitted.coordinates(unseen), line + none, atol=1e-12)


def test_no_more_dimensions_than_the_table_has():
    n = 20
    flat = Points(np.column_stack([np.arange(n), 2.0 * np.arange(n)]), np.empty((0, n), np.uint8), np.empty(0))
    assert projection.fit_projection(flat, 2).dimensions == 1
    assert projection.fit_projection(Points(np.ones((5, 1)), np.zeros((1, 5), np.uint8), np.ones(1)), 2).dimensions == 0
