"""Rows drawn from relaxed rows: a relaxed row at random, then each column from its probabilities by itself."""

import numpy as np
import numpy.typing as npt

from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries

ROWS_AT_ONCE = 1 << 18


def sample_cells(
    probabilities: Matrix, three_way: ThreeWayQueries, rows: int, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Draw rows, given by the value of each column; relaxed rows are the columns of `probabilities`."""
    parts = zip(three_way.starts[:-1], three_way.starts[1:], strict=True)
    ladders = [_ladder(probabilities[start:end]) for start, end in parts]
    found = np.empty((rows, len(three_way.sizes)), np.int32, order="F")
    for start in range(0, rows, ROWS_AT_ONCE):
        block = found[start : start + ROWS_AT_ONCE]
        sources = rng.integers(0, probabilities.shape[1], len(block))
        for column, (ladder, size) in enumerate(zip(ladders, three_way.sizes, strict=True)):
            if size == 1:
                block[:, column] = 0
                continue
            places = np.searchsorted(ladder, sources + rng.random(len(block)), side="right") - sources * size
            block[:, column] = np.minimum(places, size - 1)
    return found


def _ladder(probabilities: Matrix) -> npt.NDArray[np.float64]:
    """Put the distribution functions of all relaxed rows end to end, so that one search serves all of them."""
    reach = np.cumsum(probabilities.T, axis=1, dtype=np.float64)
    reach /= reach[:, -1:]
    found: npt.NDArray[np.float64] = (reach + np.arange(len(reach))[:, None]).ravel()
    return found
