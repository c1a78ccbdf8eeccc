"""`seethrough synthesize`: a synthetic table from a real one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import progress, values

if TYPE_CHECKING:
    from seethrough.api.synthesize import Synthesis


def synthesize(  # noqa: PLR0913, PLR0917  one parameter for each option
    how: Annotated[str, typer.Option("--with", help="The generator; see --list.")] = "",
    data: Annotated[Path | None, typer.Option(help="The real table: CSV, Parquet or Arrow.")] = None,
    rows: Annotated[int | None, typer.Option(help="Rows to draw.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write: .csv, .csv.gz, .parquet or .arrow.")] = None,
    epsilon: Annotated[float | None, typer.Option(help="Privacy budget; same as --param epsilon=.")] = None,
    delta: Annotated[float | None, typer.Option(help="Privacy budget; same as --param delta=.")] = None,
    param: Annotated[list[str] | None, typer.Option(help="Set a parameter, NAME=VALUE; may be repeated.")] = None,
    schema: Annotated[Path | None, typer.Option(help="Schema in TOML, or SDV metadata in JSON.")] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Decides every random number. Default: 0, or unknown where noise protects."),
    ] = None,
    separator: Annotated[str | None, typer.Option(help="What separates CSV fields, if not found out.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Encoding of CSV files, if not found out.")] = None,
    everything: Annotated[bool, typer.Option("--list", help="List the generators and exit.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the card, or the list, as JSON.")] = False,
) -> None:
    """Make a synthetic table from a real one, with a card that says how."""
    if everything:
        _list(as_json=json)
        return
    from seethrough.api import audit as api
    from seethrough.data.writing import check_suffix
    from seethrough.errors import ConfigError

    for option, value in (("--with", how or None), ("--data", data), ("--rows", rows), ("--out", out)):
        if value is None:
            raise ConfigError(f"{option} is missing; `seethrough synthesize --list` shows the generators")
    assert out is not None
    assert rows is not None
    check_suffix(out)
    budget = {"epsilon": epsilon, "delta": delta}
    given = {**values.own_parameters(param or ()), **{name: each for name, each in budget.items() if each is not None}}
    with progress.bar() as tell:
        made = api.synthesize(
            how,
            data,
            rows,
            params=given,
            schema=schema,
            seed=seed,
            separator=separator,
            encoding=encoding,
            tell=tell,
        )
        written = made.write(out)
    _finish(made, written, as_json=json)


def _finish(made: "Synthesis", written: tuple[Path, ...], *, as_json: bool) -> None:
    from json import dumps

    from rich.console import Console

    from seethrough.report.terminal import synthesis as synthesis_terminal

    card = made.card.to_dict()
    if as_json:
        typer.echo(dumps(card, indent=2, ensure_ascii=False))
    else:
        synthesis_terminal.render_card(card, Console())
    synthesis_terminal.render_warnings(made.card.warnings, Console(stderr=True))
    for path in written:
        typer.echo(f"wrote {path}", err=True)


def _list(*, as_json: bool) -> None:
    from dataclasses import asdict

    from seethrough.plugins import catalog
    from seethrough.protocols.parameters import parameters

    found = [
        {**asdict(each.card), "parameters": [asdict(parameter) for parameter in parameters(each)]}
        for each in catalog.all_synthesizers().values()
    ]
    if as_json:
        from json import dumps

        typer.echo(dumps(found, indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    from seethrough.report.terminal import synthesis as synthesis_terminal

    synthesis_terminal.render_list(found, Console())
