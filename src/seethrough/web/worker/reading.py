"""Reading a file that was given: what it is, how it is written, its first rows; or one sentence that says why not."""

import gzip
import zlib
from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from seethrough.data.files.csv_files import sniff_separator
from seethrough.data.files.sources import CsvOptions, Source, binary_format, open_source
from seethrough.data.files.text_files import GZIP_MAGIC, cells_of_any_length, recognise
from seethrough.data.reading.chunks import row_count
from seethrough.errors import DataError, SeethroughError
from seethrough.web.session.given_files import FIRST_ROWS, GivenFile

INFLATED = 10
"""Times the upload limit that a packed file may unpack to."""
_LONGEST_CELL = 200
_BLOCK = 1 << 20


def read_given(file: GivenFile, csv: Mapping[str, str], limit: int) -> tuple[GivenFile, Source | None]:
    """Read a file as far as its page needs; where it cannot be used, say why."""
    fresh = replace(file, rows=None, columns=None, notes=(), names=(), first_rows=(), problem="")
    try:
        return _read(fresh, csv, limit)
    except SeethroughError as error:
        return replace(fresh, problem=call_by_label(str(error), file)), None
    except Exception as error:  # noqa: BLE001  a file that nobody foresaw must not end the audit; it names no value
        return replace(fresh, problem=f"{file.label} cannot be read ({type(error).__name__})"), None


def call_by_label(said: str, file: GivenFile) -> str:
    """Call a file by the name that the user knows it by."""
    for name in (str(file.path), file.path.name):
        said = said.replace(name, file.label, 1) if said.startswith(name) else said
    return said


def _read(file: GivenFile, csv: Mapping[str, str], limit: int) -> tuple[GivenFile, Source]:
    _refuse_bomb(file, limit)
    told = CsvOptions(csv.get("separator") or None, csv.get("encoding") or None)
    source = open_source(file.path, file.label, told)
    shown = _shown_options(file, told)
    notes = tuple(call_by_label(note, file) for note in source.notes)
    source = replace(source, name=file.label, notes=notes)
    rows = row_count(source)
    first = source.collect(source.frame.head(FIRST_ROWS).select(pl.all().cast(pl.String, strict=False)))
    found = replace(
        file,
        rows=rows,
        columns=len(source.dtypes),
        separator=shown.separator or "",
        encoding=_said_encoding(shown.encoding or ""),
        notes=notes,
        names=tuple(source.dtypes),
        first_rows=tuple(tuple(_cell(cell) for cell in row) for row in first.iter_rows()),
    )
    return found, source


@cells_of_any_length()
def _shown_options(file: GivenFile, told: CsvOptions) -> CsvOptions:
    """Give separator and encoding: what the user says, else what the file shows; a file with types has neither."""
    if binary_format(file.path) is not None:
        return CsvOptions()
    text = recognise(file.path, told.encoding)
    return CsvOptions(told.separator or sniff_separator(text.head()), text.encoding)


def _said_encoding(encoding: str) -> str:
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _refuse_bomb(file: GivenFile, limit: int) -> None:
    """Refuse a packed file that unpacks to more than it may."""
    if not file.path.is_file():
        raise DataError(f"{file.label} is not there any more")
    with file.path.open("rb") as start:
        if start.read(2) != GZIP_MAGIC:
            return
    most, unpacked = INFLATED * limit, 0
    try:
        with gzip.open(file.path, "rb") as content:
            while block := content.read(_BLOCK):
                unpacked += len(block)
                if unpacked > most:
                    raise DataError(f"{file.label} unpacks to more than {most / 2**20:,.0f} MiB")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{file.label} is damaged: its gzip stream cannot be unpacked") from error


def _cell(cell: str | None) -> str:
    return "" if cell is None else cell[:_LONGEST_CELL]
