"""Reverse mapping: synthetic tables expressed by real values; see docs/reverse-mapping.md."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from seethrough import __version__
from seethrough.api.arguments import SchemaLike, TableLike, TablesLike, list_tables
from seethrough.attacks.linkage import reverse_mapping
from seethrough.data import rearranging
from seethrough.data.files.sources import CsvOptions
from seethrough.data.ordering import orders, taken_note
from seethrough.data.reading.release_tables import read_release
from seethrough.data.schema import Kind
from seethrough.games.linkage.release import size_notes
from seethrough.report.machine import frames
from seethrough.report.terminal.mapping import MappingSummary
from seethrough.seeds import stream


@dataclass(frozen=True, eq=False)
class ReverseMapping:
    """Synthetic tables, each expressed by real values.

    For each of `synthetic`: `mapped`, whose columns are permutations of the real ones; `permutations`, the real row
    that each value came from; `noise`, what has to be added to a mapped number to give the synthetic one.
    """

    real: str
    size: int
    synthetic: tuple[str, ...]
    mapped: tuple[pl.DataFrame, ...]
    permutations: tuple[pl.DataFrame, ...]
    noise: tuple[pl.DataFrame, ...]
    notes: tuple[str, ...]
    seed: int

    def summary(self) -> MappingSummary:
        """Say what was mapped and how large the noise is, without a value of it."""
        sizes = {
            name: {column: _mean_size(noise[column]) for column in noise.columns}
            for name, noise in zip(self.synthetic, self.noise, strict=True)
        }
        return MappingSummary(__version__, self.real, self.size, self.mapped[0].width, sizes, self.notes, self.seed)

    def save(
        self, folder: str | Path, form: Literal["parquet", "csv"] = "parquet", *, raw: bool = False
    ) -> tuple[Path, ...]:
        """Write mapped-1, permutation-1, noise-1 and so on to a folder, all of them or none; `raw` as for `write`."""
        parts = {"mapped": self.mapped, "permutation": self.permutations, "noise": self.noise}
        named = {f"{part}-{n}": frame for part, some in parts.items() for n, frame in enumerate(some, 1)}
        filled = {name: frame for name, frame in named.items() if frame.width}
        return frames.write(filled, Path(folder), form, is_raw=raw)


def _mean_size(noise: pl.Series) -> float:
    # Under another name, since Polars reads names such as ^a$ as patterns.
    return float(noise.alias("noise").abs().mean() or 0.0)  # type: ignore[arg-type]


def reverse_map(
    real: TableLike,
    synthetic: TablesLike,
    *,
    schema: SchemaLike = None,
    seed: int = 0,
    separator: str | None = None,
    encoding: str | None = None,
) -> ReverseMapping:
    """Express synthetic tables as permutations of the columns of the real one; arguments are as for `audit`.

    A table of another size is brought to that of the real one first: rows are left out, or drawn again, at random.
    """
    release = read_release(real, list_tables(synthetic), schema=schema, separator=separator, encoding=encoding)
    options = CsvOptions(separator, encoding)
    train = release.train
    found = [
        reverse_mapping.reverse_map(train.table, named.table, stream(seed, f"reverse mapping {number}"))
        for number, named in enumerate(release.synthetic)
    ]
    numbers = [column.name for column in train.table.schema.used if column.kind is Kind.NUMERIC]
    notes = [note for named in release.all for note in named.remarks()] + size_notes(release)
    notes += taken_note(orders(train.table).values())
    return ReverseMapping(
        real=train.name,
        size=len(train.table),
        synthetic=tuple(named.name for named in release.synthetic),
        mapped=tuple(rearranging.rearrange(real, each.places, numbers, options) for each in found),
        permutations=tuple(rearranging.row_numbers_frame(each.places, each.rows) for each in found),
        noise=tuple(rearranging.noise_frame(each.noise) for each in found),
        notes=tuple(notes),
        seed=seed,
    )
