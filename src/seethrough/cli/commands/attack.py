"""`seethrough attack NAME`: what an adversary can do with a release, by an attack of this package or of another."""

from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from seethrough.cli import values
from seethrough.plugins import names

if TYPE_CHECKING:
    from seethrough.results.game import AttackReport


class AttackGroup(TyperGroup):
    """Knows the attacks of installed packages too; they are looked for only where none of ours is meant.

    Contexts and commands are of click, or of the click that newer versions of typer bring along.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the attacks of this package and of others."""
        return [*super().list_commands(ctx), *names.installed_attacks()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find an attack; all attribute attacks have the same options."""
        found = super().get_command(ctx, cmd_name)
        if found is not None or cmd_name not in names.installed_attacks():
            return found
        same = copy(self.commands[names.own_attacks()[0]])
        same.name = cmd_name
        return same


def attack(  # noqa: PLR0913, PLR0917  one parameter for each option
    context: typer.Context,
    known: Annotated[Path, typer.Option(help="The people to attack: what is known about them, without the secret.")],
    synthetic: Annotated[list[Path], typer.Option(help="A released table; may be repeated, they are pooled.")],
    secret: Annotated[str, typer.Option(help="The column to be guessed.")],
    truth: Annotated[Path | None, typer.Option(help="A table with the secret, rows as in --known: to compare.")] = None,
    variant: Annotated[str | None, typer.Option(help="Variant of recon.")] = None,
    k: Annotated[int | None, typer.Option(help="Columns of a query of recon, the secret among them.")] = None,
    queries: Annotated[int | None, typer.Option(help="Number of queries of recon, drawn at random.")] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="Set a parameter of the attack, ATTACK.NAME=VALUE; may be repeated.")
    ] = None,
    schema: Annotated[Path | None, typer.Option(help="Schema in TOML, or SDV metadata in JSON.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides every random number.")] = 0,
    memory: Annotated[str, typer.Option(help="Memory for temporary arrays.")] = "4GiB",
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 is one for each core.")] = 0,
    separator: Annotated[str | None, typer.Option(help="What separates CSV fields, if not found out.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Encoding of CSV files, if not found out.")] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for the guesses, one row for each person.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Guess a secret of people of whom everything else is known."""
    from seethrough.api import audit as api
    from seethrough.errors import ConfigError

    how = str(context.info_name)  # one command under the name of each attack
    given = values.parameters(param or ())
    if others := given.keys() - {how}:
        raise ConfigError(f"--param sets a parameter of {min(others)}, but the attack is {how}")
    options = {"variant": variant, "k": k, "query_count": queries}
    report = api.attack(
        how,
        known,
        synthetic,
        secret,
        truth=truth,
        params={**given.get(how, {}), **{name: value for name, value in options.items() if value is not None}},
        schema=schema,
        seed=seed,
        memory=values.memory(memory),
        threads=threads or None,
        separator=separator,
        encoding=encoding,
    )
    _finish(report, out, as_json=json)


def _finish(report: "AttackReport", out: Path | None, *, as_json: bool) -> None:
    from dataclasses import astuple

    from seethrough.report.machine.spreadsheet import csv_text
    from seethrough.report.terminal import game as game_terminal
    from seethrough.results.whole_files import write_whole_text

    if out:
        columns = ("row", "guess", "score", "certainty")
        write_whole_text(out, csv_text(columns, map(astuple, report.people)))
        typer.echo(f"wrote {out}", err=True)
    if as_json:
        from json import dumps

        typer.echo(dumps(report.to_dict(), indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    game_terminal.render_attack(report, Console())
