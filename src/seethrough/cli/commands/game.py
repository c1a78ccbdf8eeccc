"""`seethrough game`: how far attacks get against releases of a known making."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from seethrough.cli import options, values
from seethrough.cli.output import print_json, write_rows
from seethrough.cli.progress import progress_bar
from seethrough.plugins import names

if TYPE_CHECKING:
    from seethrough.results.game import GameReport


def game(  # noqa: PLR0913, PLR0917  one parameter for each option
    real: Annotated[Path, typer.Option(help="The population of real records: CSV, Parquet or Arrow.")],
    secret: options.Secret,
    synthesizer: Annotated[
        list[str] | None,
        typer.Option(
            help=f"NAME, NAME:PARAM=VALUE or OWN=NAME:PARAM=VALUE, of {', '.join(names.own_synthesizers())}; "
            "may be repeated. Default: nonprivate."
        ),
    ] = None,
    attacks: Annotated[
        str, typer.Option(help=f"Attacks, A,B,C, of {', '.join(names.own_attacks())}; recon:robust is a variant.")
    ] = "recon,dcr,infer",
    variant: Annotated[str | None, typer.Option(hidden=True)] = None,  # an older spelling of --param recon.variant=
    rows: Annotated[int, typer.Option(min=1, help="Records in the table that releases are made from.")] = 1000,
    sizes: Annotated[str, typer.Option(help="Rows of the releases, A,B,C.")] = "100,1000,10000",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    targets: Annotated[
        int, typer.Option(min=1, help="People attacked in a game; their answers depend on each other.")
    ] = 1,
    aim: Annotated[
        Literal["random", "isolated"],
        typer.Option(help="Who is attacked: unique records at random, or the most isolated of them."),
    ] = "random",
    param: options.AttackParams = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    memory: options.Memory = options.MEMORY,
    workers: options.Workers = 0,
    device: Annotated[str, typer.Option(help="Where games are played: cpu, or together on cuda with torch.")] = "cpu",
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for every single answer.")] = None,
    raw: options.Raw = False,
    json: options.Json = False,
) -> None:
    """Play the attribute inference game: can an adversary who sees a release guess the secret of one person?"""
    from seethrough.api import game as api

    params = values.parameters(param or ())
    if variant:
        params.setdefault("recon", {}).setdefault("variant", variant)
    with progress_bar() as progress:
        report = api.play_game(
            real,
            secret=secret,
            synthesizers=synthesizer or ("nonprivate",),
            attacks=values.names(attacks),
            rows=rows,
            sizes=values.counts(sizes, "--sizes"),
            games=games,
            targets=targets,
            aim=aim,
            params=params,
            schema=schema,
            seed=seed,
            memory=values.memory(memory),
            workers=workers,
            device=device,
            separator=separator,
            encoding=encoding,
            progress=progress,
        )
    _finish(report, out, as_json=json, is_raw=raw)


def _finish(report: "GameReport", out: Path | None, *, as_json: bool, is_raw: bool) -> None:
    from seethrough.report.terminal import game as game_terminal
    from seethrough.results.game import PLAY_COLUMNS

    if out:
        write_rows(out, PLAY_COLUMNS, report.rows_of_plays(), is_raw=is_raw)
    if as_json:
        print_json(report.to_dict())
        return
    from seethrough.report.terminal.printing import open_console

    game_terminal.render_game(report, open_console())
