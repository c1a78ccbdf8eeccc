"""Whole real rows written as text into one column of a release, joined by any punctuation, in any order.

A row is known by how often it has each letter and digit: a sum of random numbers, one for each character, which neither
the order of values nor what stands between them changes, and from which columns left out are subtracted. Words that are
names of columns, that mean "missing" or that stand in every text are left out on both sides. A person is found if a
text has the sum of the whole row, or of the row without one column in four (two at most). Rows that have the same
characters by accident are as frequent among people outside, which is what the share is held against.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from seethrough.data.canonical import MISSING_TEXTS, canonical, text
from seethrough.data.files.sources import Source
from seethrough.data.reading.folding import fold_texts
from seethrough.data.schema import Column
from seethrough.data.shared_identifiers import RowsAsText
from seethrough.seeds import stream

Sums = npt.NDArray[np.uint64]
MOST = 20_000
"""People and texts that are looked at; of more, every so many."""
FEWEST_CHARACTERS, FEWEST_COLUMNS = 8, 3
_WORD = re.compile(r"[^\W_]+")
_ZEROS = re.compile(r"(\d)\.0+(?!\d)")
_OUTSIDERS, _MIXED = "people outside", "real values put together at random"


def find_row_texts(
    source: Source, real: Source, holdout: Source | None, columns: Sequence[Column]
) -> tuple[RowsAsText, ...]:
    """Look for rows of people in the text columns of a release."""
    names = [column.name for column in columns if column.is_used]
    if not (candidates := _candidates(source, real, names)):
        return ()
    people = _cells(real, names)
    others = [_mixed(values) for values in enumerate(people)] if holdout is None else _cells(holdout, names)
    against = _MIXED if holdout is None else _OUTSIDERS
    return tuple(_found(name, _texts(source, name), names, (people, others), against) for name in candidates)


def _candidates(source: Source, real: Source, names: Sequence[str]) -> list[str]:
    """Name the columns with a text that is at least half as long as a row of people."""
    texts = [name for name, dtype in source.dtypes.items() if isinstance(dtype, pl.String | pl.Categorical | pl.Enum)]
    if not texts or len(names) < FEWEST_COLUMNS:
        return []
    longest = source.collect(source.frame.select(_length(source, name).max().alias(name) for name in texts)).row(0)
    typical = real.collect(real.frame.select(_length(real, name).mean().alias(name) for name in names)).row(0)
    enough = max(sum(length or 0.0 for length in typical) / 2, FEWEST_CHARACTERS)
    return [name for name, length in zip(texts, longest, strict=True) if (length or 0) >= enough]


def _length(source: Source, name: str) -> pl.Expr:
    return text(source, name).str.len_chars()


def _cells(source: Source, names: Sequence[str]) -> list[list[str]]:
    frame = source.collect(
        source.frame.select(canonical(text(source, name)).fill_null("").alias(str(at)) for at, name in enumerate(names))
    )
    return [_some(frame[str(at)]).to_list() for at in range(len(names))]


def _texts(source: Source, name: str) -> list[str]:
    found = source.collect(source.frame.select(text(source, name).alias("text")).drop_nulls()).to_series()
    return _some(found.unique().sort()).to_list()


def _some(values: pl.Series) -> pl.Series:
    return values.gather_every(-(-len(values) // MOST)) if len(values) > MOST else values


def _mixed(numbered: tuple[int, list[str]]) -> list[str]:
    place, values = numbered
    step = (place * 7919 + 1) % max(len(values), 1)
    return values[step:] + values[:step]


def _found(
    place: str, texts: list[str], names: Sequence[str], groups: tuple[list[list[str]], list[list[str]]], against: str
) -> RowsAsText:
    words = [_words(each) for each in fold_texts(_ZEROS.sub(r"\1", each) for each in texts)]
    everywhere = set.intersection(*map(set, words)) if words else set()
    silent = everywhere | {word for name in fold_texts([*names, *MISSING_TEXTS, "none"]) for word in _words(name)}
    weights = _Weights()
    written = np.unique(weights.sums(words, silent))
    met = [_is_written(cells, written, weights, silent) for cells in groups]
    (real, found), (outside, found_outside) = [(len(each), int(each.sum())) for each in met]
    return RowsAsText(place, real, found, outside, found_outside, against)


def _is_written(cells: list[list[str]], written: Sums, weights: "_Weights", silent: set[str]) -> npt.NDArray[np.bool_]:
    sums = []
    for values in cells:
        different, places = np.unique(np.array(values, dtype=object), return_inverse=True)
        words = [_words(each) for each in fold_texts(_ZEROS.sub(r"\1", str(each)) for each in different)]
        sums.append(weights.sums(words, silent)[places])
    whole = np.sum(sums, axis=0, dtype=np.uint64)
    found = np.isin(whole, written)
    for left_out in range(1, min(len(cells) // 4, 2) + 1):
        for some in combinations(sums, left_out):
            found |= np.isin(whole - np.sum(some, axis=0, dtype=np.uint64), written)
    return np.asarray(found, dtype=np.bool_)


class _Weights:
    """A random number for each character, the same in every run."""

    def __init__(self) -> None:
        self._of: dict[str, int] = {}

    def sums(self, texts: Iterable[list[str]], silent: set[str]) -> Sums:
        """Add up the numbers of the characters of each text."""
        added = (sum(map(self._weight, "".join(word for word in words if word not in silent))) for words in texts)
        return np.array([total % (1 << 64) for total in added], dtype=np.uint64)

    def _weight(self, character: str) -> int:
        if character not in self._of:
            self._of[character] = int(stream(0, f"character {character}").integers(1 << 63))
        return self._of[character]


def _words(folded: str) -> list[str]:
    return _WORD.findall(folded)
