"""Making a synthetic table: read, fit, draw, and say on a card what was done."""

import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from seethrough.auditing.run import Progress
from seethrough.data import writing
from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading import single_table
from seethrough.data.release import NamedTable
from seethrough.data.schema import Schema, list_names
from seethrough.data.table import Table
from seethrough.errors import ConfigError, SchemaMismatch
from seethrough.plugins import catalog
from seethrough.plugins.labels import label_of
from seethrough.protocols.parameters import plain, with_values
from seethrough.protocols.synthesizer import Privacy, Sampler, Synthesizer, TellingSynthesizer, draw_rows
from seethrough.results.outcome import Value
from seethrough.seeds import stream
from seethrough.synthesizers.callable import HeldGenerator

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
"""Grows whenever a reader of the card has to change."""
CARD_SUFFIX = ".card.json"
Tell = Callable[[Progress], None]


@dataclass(frozen=True)
class SynthesisCard:
    """How a synthetic table was made: everything to make it again, and what it cost in privacy.

    `seed` is None where the operating system gave the randomness and nobody knows it. `data` has name, rows, columns
    and digest of the real table.
    """

    version: str
    synthesizer: str
    title: str
    parameters: Mapping[str, Value]
    seed: int | None
    rows: int
    data: Mapping[str, Value]
    privacy: Privacy | None
    details: Mapping[str, Value]
    warnings: tuple[str, ...]
    seconds: Mapping[str, float] = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        found = {"format": FORMAT, "seethrough": self.version, **asdict(self)}
        del found["version"]
        return found


@dataclass(frozen=True, eq=False)
class Synthesis:
    """A synthetic table: `frame` is of the kind that the real table was given as, Polars where that was a file."""

    frame: Any
    card: SynthesisCard
    polars: "pl.DataFrame" = field(repr=False)

    def write(self, path: str | Path) -> tuple[Path, Path]:
        """Write the table as CSV, Parquet or Arrow, by the suffix, and its card beside it; return where they are."""
        path = Path(path)
        card = path.with_name(path.name + CARD_SUFFIX)
        text = json.dumps(self.card.to_dict(), indent=2, ensure_ascii=False) + "\n"
        writing.write_files(self.polars, path, {card.name: text})
        return path, card


@dataclass(frozen=True, eq=False)
class SynthesisOrder:
    """What is to be made: by which generator, from which table, so many rows; `given` is the table as it was given."""

    maker: Synthesizer
    given: object
    source: Source
    real: NamedTable
    rows: int
    seed: int | None

    def carry_out(self, version: str, tell: Tell) -> Synthesis:
        """Fit, draw, and write the card."""
        begun, label, root = perf_counter(), label_of(self.maker), _root(self.maker, self.seed)
        sampler = _fitted(self.maker, self.real.table, stream(root, f"fit {label}"), tell)
        fitted = perf_counter()
        tell(Progress(1, 2, "sampling"))
        found = draw_rows(sampler, self.rows, stream(root, f"sample {label}"))
        frame = writing.as_frame(found.table, self.source)
        seconds = {"fitting": round(fitted - begun, 3), "sampling": round(perf_counter() - fitted, 3)}
        tell(Progress(2, 2, "writing"))
        card = SynthesisCard(
            version=version,
            synthesizer=self.maker.name,
            title=self.maker.card.title,
            parameters=plain(self.maker),
            seed=root if root == self.seed or not self.maker.card.guarantee else None,
            rows=self.rows,
            data=_described(self.real),
            privacy=sampler.card.privacy,
            details={**sampler.card.details, **found.details},
            warnings=(*self._remarks(), *sampler.card.warnings, *found.warnings),
            seconds=seconds,
        )
        return Synthesis(writing.as_given(frame, self.given), card, frame)

    def _remarks(self) -> tuple[str, ...]:
        """Say what was remarked about the table, and what is not in the release, or better were not."""
        left_out = [column.name for column in self.real.table.schema.columns if not column.is_used]
        found = [*self.real.notes, *([f"columns left out: {list_names(left_out)}"] if left_out else [])]
        if self.seed is not None and self.maker.card.guarantee:
            found.append(
                f"the noise follows from the seed {self.seed}: the guarantee holds only against those who do not know "
                "it, and this card names it; leave the seed out for a release"
            )
        return tuple(found)


def order_synthesis(  # noqa: PLR0913  what a caller may say about a synthesis
    how: str | Synthesizer,
    data: object,
    rows: int,
    *,
    params: Mapping[str, Any],
    schema: Schema | str | Path | None,
    seed: int | None,
    options: CsvOptions,
) -> SynthesisOrder:
    """Find the generator and read the table."""
    ((_, maker),) = name_synthesizers([how]).items()
    maker = with_values(maker, maker.name, params)
    if rows < 1:
        raise ConfigError(f"{rows} rows cannot be drawn; at least one is needed")
    source = open_source(data, "data", options)
    real = single_table.read_source(source, schema)
    _refuse_undeclared(real)
    return SynthesisOrder(maker, data, source, real, rows, seed)


def name_synthesizers(given: Iterable[str | Synthesizer] | Mapping[str, Synthesizer]) -> Mapping[str, Synthesizer]:
    """Find synthesizers by label; objects are called by their name and the parameters that were set."""
    if isinstance(given, Mapping):
        return {name: _adapted(each) for name, each in given.items()}
    found: dict[str, Synthesizer] = {}
    for each in given:
        some = (
            catalog.named_synthesizers([each]) if isinstance(each, str) else {label_of(_adapted(each)): _adapted(each)}
        )
        for label, made in some.items():
            if found.setdefault(label, made) != made:
                raise ConfigError(f"two synthesizers are called {label!r}; give them as a mapping from names")
    return found


def _adapted(given: Any) -> Synthesizer:
    """Take a generator as it is, and any other object as one that can learn and make rows."""
    return given if hasattr(given, "card") else HeldGenerator(given)


def _fitted(maker: Synthesizer, table: Table, rng: np.random.Generator, tell: Tell) -> Sampler:
    tell(Progress(0, 2, "fitting"))
    if isinstance(maker, TellingSynthesizer):
        return maker.fit_with_progress(table, rng, lambda share: tell(Progress(share, 2, "fitting")))
    return maker.fit(table, rng)


def _root(maker: Synthesizer, seed: int | None) -> int:
    """Choose where randomness comes from: noise that can be computed again protects nobody."""
    if seed is not None:
        return seed
    return secrets.randbits(128) if maker.card.guarantee else 0


def _refuse_undeclared(real: NamedTable) -> None:
    for column, values in zip(real.table.schema.used, real.table.columns, strict=True):
        if column.kind.has_levels and int(values.max(initial=0)) > len(column.levels):
            raise SchemaMismatch(
                f"{real.name}: column {column.name!r} has values that are not among its declared levels; "
                "declare them, or take these records out"
            )


def _described(real: NamedTable) -> dict[str, Value]:
    columns = len(real.table.schema.used)
    return {"name": real.name, "rows": len(real.table), "columns": columns, "digest": real.table.digest}
