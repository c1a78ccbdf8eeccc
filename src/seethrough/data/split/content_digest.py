"""The content of a table as one text: names of columns and canonical values, row by row, whatever the file format."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from seethrough.data.canonical import MISSING_TEXTS, canonical, present, text
from seethrough.data.files.sources import Source

_PIECE = 1 << 18


@dataclass
class _ColumnHash:
    """Lengths and letters of a column's values; pieces of any size give the same."""

    lengths: Any = field(default_factory=hashlib.sha256)
    letters: Any = field(default_factory=hashlib.sha256)

    def update(self, values: pl.Series) -> None:
        self.lengths.update(values.str.len_bytes().cast(pl.Int64).fill_null(-1).to_numpy().astype("<i8").tobytes())
        self.letters.update((values.str.join("", ignore_nulls=True).item() or "").encode())


def content_digest(source: Source) -> str:
    """Identify what stands in a table, rows in their order; 1, "1" and 1.0 are the same, and so are empty values."""
    names = list(source.dtypes)
    hashes = [_ColumnHash() for _ in names]
    for piece in source.pieces(_PIECE):
        texts = (canonical(present(text(source, name), MISSING_TEXTS)).alias(str(at)) for at, name in enumerate(names))
        frame = piece.collect(piece.frame.select(texts))
        for hashed, values in zip(hashes, frame.get_columns(), strict=True):
            hashed.update(values)
    whole = hashlib.sha256(repr(names).encode("utf-8", "backslashreplace"))
    for hashed in hashes:
        whole.update(hashed.lengths.digest() + hashed.letters.digest())
    return whole.hexdigest()
