"""Rows of a table, written as they were: records of a text file letter by letter, other formats with their types."""

import csv
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from seethrough.data.files.csv_files import sniff_separator
from seethrough.data.files.sources import BinaryFormat, CsvOptions, Source, binary_format
from seethrough.data.files.text_files import TextFile, recognise
from seethrough.errors import DataError
from seethrough.kernels.arrays import Bools
from seethrough.text.formulas import defuse, restore

_BOM = b"\xef\xbb\xbf"
FRAME_SUFFIX = ".parquet"
"""The format of parts of a data frame, which has no file."""


def take_rows(given: object, source: Source, rows: Bools) -> Any:
    """Take rows of a table in the kind that was given; Polars for a file, and for what is not in memory."""
    if not isinstance(given, str | Path | pl.DataFrame):
        try:
            return nw.from_native(given, eager_only=True)[np.flatnonzero(rows).tolist()].to_native()  # type: ignore[call-overload]
        except TypeError:  # it is neither a file nor in memory
            pass
    return source.collect(source.frame).filter(pl.Series(rows))


def suffix_of(given: object) -> str:
    """Name the format of a file by the end of its name."""
    if not isinstance(given, str | Path):
        return FRAME_SUFFIX
    suffixes = Path(given).suffixes
    return "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:]) or ".csv"


def write_rows(
    given: object, source: Source, rows: Bools, path: Path, options: CsvOptions, *, is_raw: bool = False
) -> None:
    """Write rows in the format of the table that they are from.

    A record of a text file stays as it is, but where a spreadsheet would run a cell of it; with `is_raw` there too.
    """
    form = binary_format(Path(given)) if isinstance(given, str | Path) else BinaryFormat.PARQUET
    if form is None:
        assert isinstance(given, str | Path)
        _write_records(recognise(Path(given), options.encoding), rows, path, options.separator, is_raw)
        return
    frame = source.collect(source.frame).filter(pl.Series(rows))
    match form:
        case BinaryFormat.PARQUET:
            frame.write_parquet(path)
        case BinaryFormat.ARROW:
            frame.write_ipc(path)
        case BinaryFormat.ARROW_STREAM:
            frame.write_ipc_stream(path)


def _write_records(text: TextFile, rows: Bools, path: Path, separator: str | None, is_raw: bool) -> None:
    separator = separator or sniff_separator(text.head())
    with text.open() as lines, _text_like(text, path) as out:
        records = _records(lines, separator, is_raw)
        header, width = next(records)
        line_end = header[len(header.rstrip("\r\n")) :] or "\n"
        out.write(header.rstrip("\r\n") + line_end)
        at = 0
        for record, fields in records:
            if not fields and width > 1:  # a blank line is no row
                continue
            if at >= len(rows):
                raise _other_rows(text, at + 1, len(rows))
            if rows[at]:
                out.write(record if record.endswith(("\r", "\n")) else record + line_end)
            at += 1
    if at != len(rows):
        raise _other_rows(text, at, len(rows))


def _other_rows(text: TextFile, found: int, expected: int) -> DataError:
    return DataError(
        f"{text.path.name} has {expected} rows, of which {found} could be told apart; its quotation marks are not sound"
    )


def _records(lines: io.TextIOWrapper, separator: str, is_raw: bool) -> Iterator[tuple[str, int]]:
    """Give each record as it stands in the file, over all lines that it spans, and how many fields it has."""
    taken: list[str] = []

    def tape() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    try:
        for fields in csv.reader(tape(), delimiter=separator):
            record = "".join(taken)
            yield record if is_raw else _defused_record(record, fields, separator), len(fields)
            taken.clear()
    except csv.Error as error:
        raise DataError(f"the records of a text file cannot be told apart: {error}") from error


def _defused_record(record: str, fields: list[str], separator: str) -> str:
    """Write a record again if a spreadsheet would run a field of it; one that has its apostrophe keeps it."""
    safe = [defuse(restore(field)) for field in fields]
    if safe == fields:
        return record
    line = io.StringIO()
    csv.writer(line, delimiter=separator, lineterminator=record[len(record.rstrip("\r\n")) :] or "\n").writerow(safe)
    return line.getvalue()


@contextmanager
def _text_like(text: TextFile, path: Path) -> Iterator[io.TextIOWrapper]:
    """Open a file for text of the same encoding, packed where the other is."""
    with path.open("wb") as file:
        packed = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) if text.is_zipped else file
        with io.TextIOWrapper(packed, encoding=_encoding(text), newline="") as out:
            yield out


def _encoding(text: TextFile) -> str:
    """Name the encoding to write: a byte order mark stands only where the other file has one."""
    if text.encoding != "utf-8-sig":
        return text.encoding
    with gzip.open(text.path, "rb") if text.is_zipped else text.path.open("rb") as file:
        return "utf-8-sig" if file.read(len(_BOM)) == _BOM else "utf-8"
