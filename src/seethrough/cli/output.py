"""What commands print and write alike: JSON on standard output, files that are named on standard error."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from seethrough.text.printable import json_text, one_line

if TYPE_CHECKING:
    from seethrough.results.outcome import Value


def print_json(value: Any) -> None:
    """Print plain values as JSON."""
    typer.echo(json_text(value))


def say(sentence: str) -> None:
    """Print one line; a name in it that holds a line break cannot make a second."""
    typer.echo(one_line(sentence))


def remark(sentence: str) -> None:
    """Print one line on standard error."""
    typer.echo(one_line(sentence), err=True)


def name_written(paths: Iterable[Path]) -> None:
    """Name files that were written."""
    for path in paths:
        remark(f"wrote {path}")


def write_rows(path: Path, columns: Sequence[str], rows: "Iterable[Sequence[Value]]", *, is_raw: bool = False) -> None:
    """Write rows as CSV that a spreadsheet opens safely, unless `is_raw`."""
    from seethrough.report.machine.spreadsheet import csv_text
    from seethrough.results.whole_files import write_whole_text

    write_whole_text(path, csv_text(columns, rows, is_raw=is_raw))
    name_written([path])


def open_in_browser(page: Path) -> None:
    """Open a page that was written in the browser of this machine, or say where it is."""
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        remark(f"no browser could be opened; the page is {page}")
