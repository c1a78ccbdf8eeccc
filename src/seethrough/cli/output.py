"""What commands print and write alike: JSON on standard output, files that are named on standard error."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from seethrough.results.outcome import Value


def print_json(value: Any) -> None:
    """Print plain values as JSON."""
    from json import dumps

    typer.echo(dumps(value, indent=2, ensure_ascii=False))


def name_written(paths: Iterable[Path]) -> None:
    """Name files that were written."""
    for path in paths:
        typer.echo(f"wrote {path}", err=True)


def write_rows(path: Path, columns: Sequence[str], rows: "Iterable[Sequence[Value]]") -> None:
    """Write rows as CSV that a spreadsheet opens safely."""
    from seethrough.report.machine.spreadsheet import csv_text
    from seethrough.results.whole_files import write_whole_text

    write_whole_text(path, csv_text(columns, rows))
    name_written([path])
