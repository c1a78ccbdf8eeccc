"""Levenshtein distance of one text to many: insertions, deletions and replacements of characters.

    d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i differs from b_j])

One pass over the characters of the text and of the longest other serves all others at once.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Ints


class EditDistances:
    """Distances to a fixed list of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Lay out the texts as characters, one row each."""
        self._lengths = np.array([len(text) for text in texts], np.int64)
        longest = int(self._lengths.max(initial=0))
        self._characters: npt.NDArray[np.uint32] = np.zeros((longest, len(texts)), np.uint32)
        for place, text in enumerate(texts):
            self._characters[: len(text), place] = [ord(character) for character in text]

    def of(self, text: str) -> Ints:
        """Give the distance of a text to each of the list."""
        longest, others = self._characters.shape
        row = np.repeat(np.arange(longest + 1, dtype=np.int64)[:, None], others, axis=1)
        for number, character in enumerate(text, 1):
            above, row = row, np.empty_like(row)
            row[0] = number
            differs = self._characters != ord(character)
            for j in range(longest):
                row[j + 1] = np.minimum(np.minimum(above[j + 1], row[j]) + 1, above[j] + differs[j])
        return np.asarray(row[self._lengths, np.arange(others)])
