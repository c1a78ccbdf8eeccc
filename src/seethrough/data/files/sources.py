"""Sources: anything a user can hand in, as a name and a lazy frame."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

import polars as pl

from seethrough.data.files.arrow_buffers import refuse_damaged_lengths
from seethrough.data.files.csv_files import scan_csv
from seethrough.data.files.frames import frame_of
from seethrough.data.files.panics import hold_back_panics
from seethrough.errors import DataError
from seethrough.system.memory import physical_memory

_PARQUET = b"PAR1"
_ARROW = b"ARROW1"
_QUOTED = re.compile(r"[`'\"\n]")
_TWINS = re.compile("more than one occurrence|duplicate", re.IGNORECASE)
_ARROW_STREAM = b"\xff\xff\xff\xff"
_OLD_FEATHER = b"FEA1"
_BINARY_SUFFIXES = frozenset({".parquet", ".pq", ".arrow", ".feather", ".ipc"})


MOST_COLUMNS = 10_000
_BYTES = 8
"""What a value takes in memory, at the least."""
_LONG = 1024
"""Bytes of a text, on average over a column, from which on texts are counted: shorter ones are read in blocks."""
_SHARE_OF_TEXTS = 4
"""Long texts may fill one of so many parts of memory, since they are held more than once while they are read."""


class BinaryFormat(Enum):
    """A file format that has types of its own."""

    PARQUET = "parquet"
    ARROW = "arrow"
    ARROW_STREAM = "arrow stream"


@dataclass(frozen=True)
class CsvOptions:
    """What the user says about text files; None is found out from the file."""

    separator: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, eq=False)
class Source:
    """A table not yet read: the name the user knows it by, its rows, and what was remarked.

    `before` counts the rows of the table before the first of these, where they are a piece of it. A reader `may_panic`
    on a damaged file that has types of its own. `files` are where the rows lie, where that is known, and `options` how
    they are read.
    """

    name: str
    frame: pl.LazyFrame
    dtypes: dict[str, pl.DataType]
    notes: tuple[str, ...] = ()
    before: int = 0
    may_panic: bool = False
    files: tuple[Path, ...] = ()
    options: CsvOptions = CsvOptions()

    def column(self, name: str) -> pl.Expr:
        """Refer to a column by its place, since Polars reads names such as ^a$ or * as patterns."""
        return pl.nth(list(self.dtypes).index(name))

    def collect(self, query: pl.LazyFrame) -> pl.DataFrame:
        """Run a query on this source; what Polars has to say against it becomes one sentence."""
        with readable(self.name, self.may_panic):
            return query.collect(engine="streaming")

    def pieces(self, rows: int) -> "Iterator[Source]":
        """Read the table a number of rows at a time, in order; only those are in memory."""
        before = 0
        batches = iter(self.frame.collect_batches(chunk_size=rows, maintain_order=True, engine="streaming"))
        while True:
            with readable(self.name, self.may_panic):
                piece = next(batches, None)
            if piece is None:
                return
            yield replace(self, frame=piece.lazy(), before=before)
            before += len(piece)


@contextmanager
def readable(name: str, may_panic: bool = False) -> Iterator[None]:
    """Turn what a reader has to say against a table into one sentence.

    On some damaged files Polars panics, and a panic is no `Exception`.
    """
    try:
        with hold_back_panics() if may_panic else nullcontext():
            yield
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{name} cannot be read: {_without_values(error)}") from error
    except pl.exceptions.PanicException as error:
        raise DataError(f"{name} cannot be read: it is damaged, or two columns have one name") from error


def open_source(
    given: object,
    name: str,
    options: CsvOptions = CsvOptions(),
    *,
    in_chunks: bool = False,
) -> Source:
    """Open a path or a data frame; `name` is what a frame is called, a file is called by its own name.

    A folder is one table, whose files are put under each other in the order of their names. What is read `in_chunks`
    may be larger than memory.
    """
    if isinstance(given, str | Path):
        path = Path(given)
        found = _open_folder(path, options) if path.is_dir() else _open_file(path, options)
        if not in_chunks and found.may_panic:
            with readable(found.name, may_panic=True):
                refuse_too_large(found)
        return found
    with readable(name):
        return _source(name, frame_of(given, name))


def binary_format(path: Path) -> BinaryFormat | None:
    """Tell the format of a file by its first bytes; None for text."""
    with path.open("rb") as file:
        magic = file.read(6)
    marks = {
        _PARQUET: BinaryFormat.PARQUET,
        _ARROW: BinaryFormat.ARROW,
        _ARROW_STREAM: BinaryFormat.ARROW_STREAM,
    }
    return next((form for mark, form in marks.items() if magic.startswith(mark)), None)


def _open_file(path: Path, options: CsvOptions) -> Source:
    with readable(path.name, may_panic=True):
        _refuse_what_is_no_file(path)
        with path.open("rb") as file:
            magic = file.read(6)
        frame = _binary_frame(path, magic)
        if frame is not None:
            return replace(_source(path.name, frame), may_panic=True, files=(path,), options=options)
    table = scan_csv(path, options.separator, options.encoding)
    return replace(_source(path.name, table.frame, table.notes), files=(path,), options=options)


def _open_folder(path: Path, options: CsvOptions) -> Source:
    """Put the files of a folder under each other; hidden ones, and those that begin with _, are no part of the table.

    Programs that write tables as folders put marks such as _SUCCESS beside them.
    """
    with readable(str(path)):
        files = sorted(each for each in path.iterdir() if each.is_file() and each.name[0] not in "._")
    if not files:
        raise DataError(f"{path} is a folder without files; CSV, Parquet or Arrow files are expected")
    parts = [_open_file(each, options) for each in files]
    first = parts[0]
    for part in parts[1:]:
        if part.dtypes.keys() != first.dtypes.keys():
            raise DataError(f"{path.name}: {part.name} has other columns than {first.name}; one table is expected")
        if part.dtypes != {name: first.dtypes[name] for name in part.dtypes}:
            raise DataError(f"{path.name}: a column of {part.name} is of another type than in {first.name}")
    frames = [part.frame.select(part.column(name).alias(name) for name in first.dtypes) for part in parts]
    notes = tuple(note for part in parts for note in part.notes)
    frame = pl.concat(frames, how="vertical") if len(frames) > 1 else frames[0]
    return replace(
        first,
        name=path.name,
        frame=frame,
        notes=notes,
        files=tuple(files),
        may_panic=any(part.may_panic for part in parts),
    )


def _refuse_what_is_no_file(path: Path) -> None:
    if not path.exists():
        raise DataError(f"{path} is not there; a CSV, Parquet or Arrow file is expected")
    if path.is_dir():
        raise DataError(f"{path} is a folder; a CSV, Parquet or Arrow file is expected")
    if not path.is_file():
        raise DataError(f"{path} is a pipe or a device; a file is expected, since it is read more than once")


def _binary_frame(path: Path, magic: bytes) -> pl.LazyFrame | None:
    if not magic:
        raise DataError(f"{path.name} is empty; a header and rows are expected")
    if magic.startswith(_PARQUET):
        _refuse_cut(path, _PARQUET)
        return pl.scan_parquet(path, glob=False)
    if magic.startswith(_ARROW):
        _refuse_cut(path, _ARROW)
        refuse_damaged_lengths(path)
        return pl.scan_ipc(path, glob=False)
    if magic.startswith(_ARROW_STREAM):
        refuse_damaged_lengths(path)
        return pl.read_ipc_stream(path).lazy()
    if magic.startswith(_OLD_FEATHER):
        raise DataError(f"{path.name} is in the first Feather format; Feather 2 (Arrow) or Parquet is expected")
    if path.suffix.lower() in _BINARY_SUFFIXES:
        raise DataError(f"{path.name} is not a {path.suffix[1:].lower()} file: its first bytes say so")
    return None


def refuse_too_large(source: Source) -> None:
    """Refuse a table that memory cannot hold: a file of some kilobytes may say that it has a thousand million rows."""
    memory = physical_memory()
    if memory is None:
        return
    rows = source.collect(source.frame.select(pl.len())).item()
    needed = rows * len(source.dtypes) * _BYTES
    if needed > memory:
        raise DataError(
            f"{source.name} has {rows:,} rows of {len(source.dtypes):,} columns, which need {_in_gib(needed)}; "
            f"this machine has {_in_gib(memory)} of memory"
        )
    _refuse_long_texts(source, rows, memory)


def _refuse_long_texts(source: Source, rows: int, memory: int) -> None:
    """Refuse texts that unpack to more than memory can hold: a file keeps one that is repeated once."""
    kinds = (pl.String, pl.Categorical, pl.Enum)
    lengths = {
        name: source.column(name).cast(pl.String).str.len_bytes().cast(pl.Float64).sum().alias(str(place))
        for place, (name, dtype) in enumerate(source.dtypes.items())
        if isinstance(dtype, kinds)
    }
    if not lengths or not rows:
        return
    sums = dict(zip(lengths, source.collect(source.frame.select(*lengths.values())).row(0), strict=True))
    long = {name: length for name, length in sums.items() if length > _LONG * rows}
    if sum(long.values()) > memory / _SHARE_OF_TEXTS:
        worst = max(long, key=lambda name: long[name])
        raise DataError(
            f"{source.name}: its long texts ({long[worst] / rows:,.0f} bytes on average in column {worst!r}) unpack to "
            f"{_in_gib(sum(long.values()))}; at most {_in_gib(memory / _SHARE_OF_TEXTS)}, a quarter of this machine's "
            "memory, are read"
        )


def _in_gib(size: float) -> str:
    return f"{size / 2**30:,.1f} GiB"


def _refuse_cut(path: Path, mark: bytes) -> None:
    """Parquet and Arrow files end with the mark that they begin with."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - len(mark)))
        if file.read() != mark or path.stat().st_size <= 2 * len(mark):
            raise DataError(f"{path.name} ends in the middle: the closing mark {mark.decode()} is not there")


def _source(name: str, frame: pl.LazyFrame, notes: tuple[str, ...] = ()) -> Source:
    dtypes = dict(frame.collect_schema())
    if not dtypes:
        raise DataError(f"{name} has no columns")
    if len(dtypes) > MOST_COLUMNS:
        raise DataError(f"{name} has {len(dtypes):,} columns; at most {MOST_COLUMNS:,} are read")
    return Source(name, frame, dtypes, notes)


def _without_values(error: Exception) -> str:
    """Give the reason of a reader up to the first thing that it quotes, which may be a cell."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if _TWINS.search(str(error)):
        return "two columns have one name"
    reason = _QUOTED.split(str(error).strip(), maxsplit=1)[0].rstrip(" :=(")
    return reason or "its content is not what its format promises"
