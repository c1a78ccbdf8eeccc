"""`seethrough attack linkage`: who is linked to whom by ranks, and what that discloses."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import progress, values

if TYPE_CHECKING:
    from seethrough.results.linkage import LinkageReport


def linkage(  # noqa: PLR0913, PLR0917  one parameter for each option
    real: Annotated[Path, typer.Option(help="The real table: CSV, Parquet or Arrow.")],
    synthetic: Annotated[list[Path], typer.Option(help="A synthetic table made from it; may be repeated.")],
    holdout: Annotated[Path | None, typer.Option(help="Real records that were kept out of the synthesis.")] = None,
    hide: Annotated[
        list[str] | None, typer.Option(help="A column to be read off the linked rows; may be repeated.")
    ] = None,
    keys: Annotated[str, typer.Option(help="Columns to link by, A,B,C. Default: all that are not hidden.")] = "",
    criterion: Annotated[str, typer.Option(help="Of rank differences: sum, max or min.")] = "sum",
    narrow: Annotated[float, typer.Option(help="Share of all ranks that makes a narrow interval.")] = 0.25,
    schema: Annotated[Path | None, typer.Option(help="Schema in TOML, or SDV metadata in JSON.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides every random number.")] = 0,
    memory: Annotated[str, typer.Option(help="Memory for temporary arrays.")] = "4GiB",
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 is one for each core.")] = 0,
    separator: Annotated[str | None, typer.Option(help="What separates CSV fields, if not found out.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Encoding of CSV files, if not found out.")] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for every record: linked rows, ranks, intervals.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Link real records to the synthetic rows nearest in ranks, and read hidden columns off them."""
    from seethrough.api import link as api

    with progress.share("linkage") as tick:
        report = api.link(
            real,
            synthetic,
            holdout,
            hide=hide or (),
            known=values.names(keys),
            criterion=criterion,
            narrow=narrow,
            schema=schema,
            seed=seed,
            memory=values.memory(memory),
            threads=threads or None,
            separator=separator,
            encoding=encoding,
            tick=tick,
        )
    _finish(report, out, as_json=json)


def _finish(report: "LinkageReport", out: Path | None, *, as_json: bool) -> None:
    from seethrough.report.machine.spreadsheet import csv_text
    from seethrough.report.terminal import linkage as linkage_terminal
    from seethrough.results.whole_files import write_whole_text

    if out:
        write_whole_text(out, csv_text(report.records.columns, report.records.rows()))
        typer.echo(f"wrote {out}", err=True)
    if as_json:
        from json import dumps

        typer.echo(dumps(report.to_dict(), indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    linkage_terminal.render(report, Console())
