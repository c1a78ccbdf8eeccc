"""Making a synthetic table: read, fit, draw, and say on a card what was done."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from seethrough import __version__
from seethrough.api.arguments import NO_PARAMS, SchemaLike, TableLike, list_synthesizers
from seethrough.data import writing
from seethrough.data.declared.declared_reading import read_declared
from seethrough.data.declared.declared_writing import declared_frame
from seethrough.data.declared.demands import demand_declared
from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading import single_table
from seethrough.data.release import NamedTable
from seethrough.data.schema import Schema, list_names
from seethrough.data.schema_files import read_schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, SchemaMismatch
from seethrough.plugins.labels import label_of
from seethrough.protocols.parameters import plain, with_values
from seethrough.protocols.synthesizer import (
    Privacy,
    Sampler,
    Synthesizer,
    SynthesizerWithProgress,
    draw_rows,
    guarantee_of,
)
from seethrough.results.outcome import Value
from seethrough.results.timings import Progress, ShowProgress, ignore_progress
from seethrough.seeds import stream
from seethrough.text.printable import json_text

if TYPE_CHECKING:
    import polars as pl

FORMAT = 3
"""Grows whenever a reader of the card has to change."""
CARD_SUFFIX = ".card.json"


@dataclass(frozen=True)
class SynthesisCard:
    """How a synthetic table was made: everything to make it again, and what it cost in privacy.

    `seed` is None where the operating system gave the randomness and nobody knows it. `real` has name, rows and
    columns of the real table, and no digest of it: whoever guesses a table could check the guess against one.
    """

    version: str
    synthesizer: str
    title: str
    parameters: Mapping[str, Value]
    seed: int | None
    rows: int
    real: Mapping[str, Value]
    privacy: Privacy | None
    details: Mapping[str, Value]
    warnings: tuple[str, ...]
    seconds: Mapping[str, float] = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        plain_values = asdict(self)
        return {"format": FORMAT, "seethrough": plain_values.pop("version"), **plain_values}


@dataclass(frozen=True, eq=False)
class Synthesis:
    """A synthetic table: `frame` is of the kind that the real table was given as, Polars where that was a file.

    `private_notes` are about the records of the real table. With a guarantee they are for its owner alone: epsilon does
    not cover them, and they are on no card.
    """

    frame: Any
    card: SynthesisCard
    polars: "pl.DataFrame" = field(repr=False)
    private_notes: tuple[str, ...] = ()

    def write(self, path: str | Path, *, raw: bool = False) -> tuple[Path, Path]:
        """Write the table as CSV, Parquet or Arrow, by the suffix, and its card beside it; return where they are.

        In CSV an apostrophe stands before texts that a spreadsheet would run as formulas, unless `raw`.
        """
        path = Path(path)
        card = path.with_name(path.name + CARD_SUFFIX)
        text = json_text(self.card.to_dict()) + "\n"
        writing.write_files(self.polars, path, {card.name: text}, is_raw=raw)
        return path, card


def synthesize(  # noqa: PLR0913  what a caller may say about a synthesis
    synthesizer: str | Synthesizer,
    real: TableLike,
    rows: int | None = None,
    *,
    params: Mapping[str, Any] = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    progress: ShowProgress | None = None,
) -> Synthesis:
    """Make a synthetic table; see docs/synthesizers/README.md.

    `synthesizer` is a name ("baynet", "privbayes:epsilon=1"), a synthesizer, or any object with `fit` and `sample`;
    `params` sets its parameters. Without a seed a generator with a privacy guarantee takes its randomness from the
    operating system and does not record it, any other one uses seed 0. With a guarantee `schema` has to declare every
    column, and it alone decides columns, types and texts of the release. Without `rows` there are as many as in the
    real table, whose number of records counts as public with a guarantee too. All else is as for `audit`.
    """
    ((_, maker),) = list_synthesizers([synthesizer]).items()
    maker = with_values(maker, maker.name, params)
    if rows is not None and rows < 1:
        raise ConfigError(f"{rows} rows cannot be drawn; at least one is needed")
    source = open_source(real, "real", CsvOptions(separator, encoding))
    given = read_schema(schema) if isinstance(schema, str | Path) else schema
    declared = demand_declared(source, given, maker.name) if guarantee_of(maker) else None
    table = read_declared(source, declared) if declared else single_table.read_source(source, given)
    _refuse_undeclared(table)
    size = len(table.table) if rows is None else rows
    return _SynthesisOrder(maker, real, source, table, size, seed, declared).carry_out(progress or ignore_progress)


@dataclass(frozen=True, eq=False)
class _SynthesisOrder:
    """What is to be made: by which generator, from which table, so many rows; `given` is the table as it was given.

    `declared` is the schema of a release with a guarantee, which alone decides how the release is written.
    """

    maker: Synthesizer
    given: object
    source: Source
    real: NamedTable
    rows: int
    seed: int | None
    declared: Schema | None

    def carry_out(self, progress: ShowProgress) -> Synthesis:
        """Fit, draw, and write the card."""
        begun, label, root = perf_counter(), label_of(self.maker), _root(self.maker, self.seed)
        sampler = _fit(self.maker, self.real.table, stream(root, f"fit {label}"), progress)
        fitted = perf_counter()
        progress(Progress(1, 2, "sampling"))
        found = draw_rows(sampler, self.rows, stream(root, f"sample {label}"))
        frame = (
            declared_frame(found.table, self.declared) if self.declared else writing.as_frame(found.table, self.source)
        )
        # How long a fit takes depends on the records, and no guarantee covers it.
        spent = {"fitting": round(fitted - begun, 3), "sampling": round(perf_counter() - fitted, 3)}
        seconds = {} if self.declared else spent
        progress(Progress(2, 2, "writing"))
        card = SynthesisCard(
            version=__version__,
            synthesizer=self.maker.name,
            title=self.maker.card.title,
            parameters=plain(self.maker),
            seed=root if root == self.seed or not self.declared else None,
            rows=self.rows,
            real=_described(self.real),
            privacy=sampler.card.privacy,
            details={**sampler.card.details, **found.details},
            warnings=(*self._remarks(), *sampler.card.warnings, *found.warnings),
            seconds=seconds,
        )
        notes = self.real.notes if self.declared else ()
        return Synthesis(writing.as_given(frame, self.given), card, frame, notes)

    def _remarks(self) -> tuple[str, ...]:
        """Say what was remarked about the table, and what is not in the release, or better were not."""
        left_out = [column.name for column in self.real.table.schema.columns if not column.is_used]
        found = [*(() if self.declared else self.real.notes)]
        found += [f"columns left out: {list_names(left_out)}"] if left_out else []
        if self.seed is not None and self.declared:
            found.append(
                f"the noise follows from the seed {self.seed}: the guarantee holds only against those who do not know "
                "it, and this card names it; leave the seed out for a release"
            )
        return tuple(found)


def _fit(maker: Synthesizer, table: Table, rng: np.random.Generator, progress: ShowProgress) -> Sampler:
    progress(Progress(0, 2, "fitting"))
    if isinstance(maker, SynthesizerWithProgress):
        return maker.fit_with_progress(table, rng, lambda share: progress(Progress(share, 2, "fitting")))
    return maker.fit(table, rng)


def _root(maker: Synthesizer, seed: int | None) -> int:
    """Choose where randomness comes from: noise that can be computed again protects nobody."""
    if seed is not None:
        return seed
    return secrets.randbits(128) if guarantee_of(maker) else 0


def _refuse_undeclared(real: NamedTable) -> None:
    for column, values in zip(real.table.schema.used, real.table.columns, strict=True):
        if column.kind.has_levels and int(values.max(initial=0)) > len(column.levels):
            raise SchemaMismatch(
                f"{real.name}: column {column.name!r} has values that are not among its declared levels; "
                "declare them, or take these records out"
            )


def _described(real: NamedTable) -> dict[str, Value]:
    return {"name": real.name, "rows": len(real.table), "columns": len(real.table.schema.used)}
