"""`seethrough attack membership`: who of some people was in the data, as an adversary would tell."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.output import name_written, print_json, write_rows
from seethrough.cli.progress import progress_bar

if TYPE_CHECKING:
    from seethrough.api.rate_people import Membership


def membership(  # noqa: PLR0913, PLR0917  one parameter for each option
    people: Annotated[Path, typer.Option(help="The people to rate: who of them was in the data?")],
    synthetic: Annotated[list[Path], typer.Option(help="A released table; may be repeated, each by itself.")],
    reference: Annotated[
        Path | None,
        typer.Option(help="People of the same population who were not in the data: false alarm rates need them."),
    ] = None,
    rating: Annotated[
        list[str] | None,
        typer.Option(
            help="A rating, see `seethrough list --attacks`, or all; may be repeated. "
            "Default: log-ratio with a reference, self-ratio without."
        ),
    ] = None,
    identifier: Annotated[
        str | None, typer.Option("--id", help="Column of --people that names them: shown, and compared with nothing.")
    ] = None,
    param: options.AttackParams = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    memory: options.Memory = options.MEMORY,
    threads: options.Threads = 0,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File for the ratings, one row for each person: .csv, .parquet, .arrow or .json."),
    ] = None,
    raw: options.Raw = False,
    json: options.Json = False,
) -> None:
    """Rate how likely each of some people was in the data, without knowing of anybody."""
    from seethrough.api import rate_people as api

    if out:
        _check_name(out)
    with progress_bar() as progress:
        report = api.rate_people(
            people,
            synthetic,
            reference,
            rating=tuple(name for each in rating or () for name in values.names(each)),
            identifier=identifier,
            params=values.parameters(param or ()),
            schema=schema,
            seed=seed,
            memory=values.memory(memory),
            threads=threads or None,
            separator=separator,
            encoding=encoding,
            progress=progress,
        )
    _finish(report, out, as_json=json, is_raw=raw)


def _check_name(out: Path) -> None:
    """Refuse a file whose name does not say what to write, before anything is computed."""
    from seethrough.data.writing import check_suffix

    if out.suffix.lower() != ".json":
        check_suffix(out)


def _finish(report: "Membership", out: Path | None, *, as_json: bool, is_raw: bool) -> None:
    from seethrough.report.terminal import rated_people
    from seethrough.report.terminal.printing import open_console

    if out:
        _write(report, out, is_raw=is_raw)
    if as_json:
        print_json(report.to_dict())
    else:
        rated_people.render(report, open_console())


def _write(report: "Membership", out: Path, *, is_raw: bool) -> None:
    from seethrough.data.writing import write_files
    from seethrough.results.membership.rated_people import COLUMNS
    from seethrough.results.whole_files import write_whole_text
    from seethrough.text.printable import json_text

    if out.suffix.lower() == ".csv":
        write_rows(out, COLUMNS, report.rows(), is_raw=is_raw)
        return
    if out.suffix.lower() == ".json":
        write_whole_text(out, json_text(report.to_dict()) + "\n")
    else:
        write_files(report.frame(), out, {}, is_raw=is_raw)
    name_written([out])
