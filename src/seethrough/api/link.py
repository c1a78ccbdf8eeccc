"""What a Python user calls for the attacker of maximum knowledge: reverse mapping, linkage, and the paper's experiment.

See docs/attacks/linkage.md and docs/reverse-mapping.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import polars as pl

from seethrough import __version__
from seethrough.attacks.linkage import reverse_mapping
from seethrough.attacks.linkage.maximum_knowledge import MaximumKnowledge, SuppliedCriterion
from seethrough.data import rearranging
from seethrough.data.files.sources import CsvOptions
from seethrough.data.ordering import orders, taken_note
from seethrough.data.reading.release_tables import read_release
from seethrough.data.schema import Kind, Schema
from seethrough.games.linkage.closeness import closeness_tables
from seethrough.games.linkage.release import LinkageRequest, link_release, size_notes
from seethrough.kernels.budget import GIB, Budget
from seethrough.kernels.ranks.criteria import Criterion
from seethrough.protocols.linkage import LinkageAttack
from seethrough.protocols.parameters import with_values
from seethrough.report.machine import frames
from seethrough.report.terminal.mapping import MappingSummary
from seethrough.results.linkage import LinkageReport
from seethrough.seeds import stream

Names = str | Sequence[str]


@dataclass(frozen=True, eq=False, repr=False)
class Linkage(LinkageReport):
    """A linkage that can show itself: `linkage["income"].files["release"]`, `linkage.records.linked_rows(1)`."""

    def frame(self) -> pl.DataFrame:
        """List every record, hidden column and file: linked rows, ranks found, hit, error, interval."""
        return pl.DataFrame(list(self.records.rows()), schema=list(self.records.columns), orient="row")

    def __repr__(self) -> str:
        """Show what the command line prints."""
        from rich.console import Console

        from seethrough.report.terminal import linkage as linkage_terminal

        page = StringIO()
        linkage_terminal.render(self, Console(file=page, width=100, force_terminal=False, no_color=True))
        return page.getvalue()


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
            name: {column: float(noise[column].abs().mean() or 0.0) for column in noise.columns}  # type: ignore[arg-type]
            for name, noise in zip(self.synthetic, self.noise, strict=True)
        }
        return MappingSummary(__version__, self.real, self.size, self.mapped[0].width, sizes, self.notes, self.seed)

    def save(self, folder: str | Path, form: Literal["parquet", "csv"] = "parquet") -> tuple[Path, ...]:
        """Write mapped-1, permutation-1, noise-1 and so on to a folder, all of them or none."""
        parts = {"mapped": self.mapped, "permutation": self.permutations, "noise": self.noise}
        named = {f"{part}-{n}": frame for part, some in parts.items() for n, frame in enumerate(some, 1)}
        return frames.write({name: frame for name, frame in named.items() if frame.width}, Path(folder), form)


def reverse_map(
    real: Any,
    synthetic: Any,
    *,
    schema: Schema | str | Path | None = None,
    seed: int = 0,
    separator: str | None = None,
    encoding: str | None = None,
) -> ReverseMapping:
    """Express synthetic tables as permutations of the columns of the real one; tables are as for `audit`.

    A table of another size is brought to that of the real one first: rows are left out, or drawn again, at random.
    """
    release = read_release(real, _several(synthetic), schema=schema, separator=separator, encoding=encoding)
    options = CsvOptions(separator, encoding)
    train = release.train
    found = [
        reverse_mapping.reverse_map(train.table, named.table, stream(seed, f"reverse mapping {number}"))
        for number, named in enumerate(release.synthetic)
    ]
    numbers = [column.name for column in train.table.schema.used if column.kind is Kind.NUMERIC]
    notes = [f"{named.name}: {note}" for named in release.all for note in named.notes] + size_notes(release)
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


def link(  # noqa: PLR0913  what a caller may say about a linkage
    real: Any,
    synthetic: Any,
    holdout: Any = None,
    *,
    hide: Names = (),
    known: Names = (),
    criterion: str | Criterion = "sum",
    narrow: float = 0.25,
    schema: Schema | str | Path | None = None,
    seed: int = 0,
    memory: int = 4 * GIB,
    threads: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    tick: Callable[[float], None] | None = None,
) -> Linkage:
    """Link every real record to the rows nearest in ranks of every synthetic table; tables are as for `audit`.

    Parameters
    ----------
    hide
        Columns that the attacker does not know: they are left out of the linkage and read off the linked rows. With
        none, records are looked for by all columns.
    known
        Columns to link by; without them, all that are not hidden.
    criterion
        "sum", "max" or "min" of the absolute differences of ranks, or a function that makes distances (a x b) of
        such differences (a x b x columns); a function is asked for all pairs.
    narrow
        Share of all ranks up to which an interval counts as narrow.
    tick
        Called with the share of the work that is done.
    """
    release = read_release(
        real,
        _several(synthetic),
        holdout,
        schema=schema,
        secrets=_names(hide),
        keys=_names(known),
        separator=separator,
        encoding=encoding,
    )
    budget = Budget(memory, threads or Budget().threads, tick or Budget().tick)
    wanted = LinkageRequest(_names(hide), _names(known), narrow)
    return Linkage(**vars(link_release(release, _attack(criterion), wanted, seed, budget, __version__)))


def closeness_experiment(  # noqa: PLR0913  what a caller may say about it
    records: int = 20,
    files: int = 3,
    *,
    hide: Names = "X3",
    criterion: str | Criterion = "sum",
    narrow: float = 0.25,
    levels: Sequence[int] | None = None,
    seed: int = 0,
) -> Linkage:
    """Run the experiment of section 4 of the paper at any size; its attributes are X1, X2 and X3.

    The closeness of the synthetic tables goes through the levels 1, 2 and 3 again and again, unless `levels` are given.
    """
    chosen = tuple(levels) if levels is not None else tuple(1 + number % 3 for number in range(files))
    real, tables = closeness_tables(records, chosen, seed)
    synthetic = {name: pl.DataFrame(columns) for name, columns in tables.items()}
    return link(pl.DataFrame(real), synthetic, hide=hide, criterion=criterion, narrow=narrow, seed=seed)


def _attack(criterion: str | Criterion) -> LinkageAttack:
    if callable(criterion):
        return SuppliedCriterion(criterion)
    return with_values(MaximumKnowledge(), "linkage", {"criterion": criterion})


def _names(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _several(synthetic: Any) -> Any:
    return synthetic if isinstance(synthetic, list | tuple | dict) else [synthetic]
