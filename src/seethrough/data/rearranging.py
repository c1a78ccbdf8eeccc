"""Frames of reverse-mapped tables: real values, as they stand in the user's table, in other places."""

from collections.abc import Collection, Mapping

import polars as pl

from seethrough.data.files.sources import CsvOptions, open_source
from seethrough.kernels.arrays import Floats, Ints


def rearrange(
    real: object,
    places: Mapping[str, Ints],
    numbers: Collection[str] = (),
    options: CsvOptions = CsvOptions(),  # noqa: B008 - it is frozen
) -> pl.DataFrame:
    """Put the values of each real column at their new places; `numbers` that stand as text become numbers."""
    source = open_source(real, "real", options)
    frame = source.collect(source.frame.select(source.column(name).alias(name) for name in places))
    # Under a name of its own, since Polars reads names such as ^a$ as patterns even in a method of a single column.
    columns = {name: frame[name].alias("values").gather(pl.Series(some)).alias(name) for name, some in places.items()}
    return pl.DataFrame([_number(column) if name in numbers else column for name, column in columns.items()])


def _number(column: pl.Series) -> pl.Series:
    """Make numbers of texts where all of them are; a code for missing, say, leaves the column as it was written."""
    if column.dtype == pl.String:
        for kind in (pl.Int64, pl.Float64):
            cast = column.cast(kind, strict=False)
            if cast.null_count() == column.null_count():
                return cast
    return column


def row_numbers_frame(places: Mapping[str, Ints], rows: Ints) -> pl.DataFrame:
    """Tell for each value which real row it came from, and beside it the synthetic row, all from 1 on."""
    columns = [pl.Series(name, some + 1) for name, some in places.items()]
    taken = "synthetic row"
    while taken in places:
        taken += " "
    return pl.DataFrame([pl.Series(taken, rows + 1), *columns])


def noise_frame(noise: Mapping[str, Floats]) -> pl.DataFrame:
    """Give the noise of each number, null where a value is missing."""
    return pl.DataFrame([pl.Series(name, some, nan_to_null=True) for name, some in noise.items()])
