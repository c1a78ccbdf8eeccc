"""`seethrough game`: how far attacks get against releases of a known making."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import progress, values
from seethrough.plugins import names

if TYPE_CHECKING:
    from seethrough.results.game import GameReport


def game(  # noqa: PLR0913, PLR0917  one parameter for each option
    data: Annotated[Path, typer.Option(help="The population of real records: CSV, Parquet or Arrow.")],
    secret: Annotated[str, typer.Option(help="The column to be guessed.")],
    synthesizer: Annotated[
        list[str] | None,
        typer.Option(
            help=f"NAME, NAME:PARAM=VALUE or OWN=NAME:PARAM=VALUE, of {', '.join(names.own_synthesizers())}; "
            "may be repeated. Default: nonprivate."
        ),
    ] = None,
    rows: Annotated[int, typer.Option(min=1, help="Records in the table that releases are made from.")] = 1000,
    sizes: Annotated[str, typer.Option(help="Rows of the releases, A,B,C.")] = "100,1000,10000",
    games: Annotated[int, typer.Option(min=1, help="How often it is played.")] = 100,
    attacks: Annotated[str, typer.Option(help="Attacks, A,B,C; recon:robust is a variant.")] = "recon,dcr,infer",
    variant: Annotated[str | None, typer.Option(help="Variant of recon where none is named.")] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="Set a parameter of an attack, ATTACK.NAME=VALUE; may be repeated.")
    ] = None,
    targets: Annotated[int, typer.Option(min=1, help="People attacked at once; their answers depend on another.")] = 1,
    schema: Annotated[Path | None, typer.Option(help="Schema in TOML, or SDV metadata in JSON.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides every random number.")] = 0,
    memory: Annotated[str, typer.Option(help="Memory for temporary arrays.")] = "4GiB",
    threads: Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each core.")] = 0,
    device: Annotated[str, typer.Option(help="Where games are played: cpu, or together on cuda with torch.")] = "cpu",
    separator: Annotated[str | None, typer.Option(help="What separates CSV fields, if not found out.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Encoding of CSV files, if not found out.")] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for every single answer.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play the attribute inference game: can an adversary who sees a release tell the secret of one person?"""
    from os import cpu_count

    from seethrough.api import audit as api

    params = values.parameters(param or ())
    if variant:
        params.setdefault("recon", {}).setdefault("variant", variant)
    with progress.bar() as tell:
        report = api.play_game(
            data,
            secret,
            synthesizers=synthesizer or ("nonprivate",),
            rows=rows,
            sizes=values.counts(sizes, "--sizes"),
            games=games,
            attacks=values.names(attacks),
            params=params,
            targets=targets,
            schema=schema,
            seed=seed,
            memory=values.memory(memory),
            device=device,
            threads=threads or cpu_count() or 1,
            separator=separator,
            encoding=encoding,
            tell=tell,
        )
    _finish(report, out, as_json=json)


def _finish(report: "GameReport", out: Path | None, *, as_json: bool) -> None:
    from seethrough.report.machine.spreadsheet import csv_text
    from seethrough.report.terminal import game as game_terminal
    from seethrough.results.game import PLAY_COLUMNS
    from seethrough.results.whole_files import write_whole_text

    if out:
        write_whole_text(out, csv_text(PLAY_COLUMNS, report.rows_of_plays()))
        typer.echo(f"wrote {out}", err=True)
    if as_json:
        from json import dumps

        typer.echo(dumps(report.to_dict(), indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    game_terminal.render_game(report, Console())
