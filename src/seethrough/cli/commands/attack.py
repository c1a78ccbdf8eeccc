"""`seethrough attack NAME`: what an adversary can do with a release, by an attack of this package or of another."""

from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seethrough.cli import options, values
from seethrough.cli.near_options import OptionGroup
from seethrough.cli.output import print_json, write_rows
from seethrough.plugins import names

if TYPE_CHECKING:
    from seethrough.results.game import AttackReport


class AttackGroup(OptionGroup):
    """Knows the attacks of installed packages too; they are looked for only where none of ours is meant.

    Contexts and commands are of click, or of the click that newer versions of typer bring along.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the attacks of this package and of others."""
        return [*super().list_commands(ctx), *names.installed_attacks(), *names.installed_linkage_attacks()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find an attack; all attribute attacks have the same options, and all that link."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            return found
        if cmd_name in names.installed_attacks():
            same = copy(self.commands[names.own_attacks()[0]])
        elif cmd_name in names.installed_linkage_attacks():
            same = copy(self.commands["linkage"])
        else:
            return None
        same.name = cmd_name
        return same


def attack(  # noqa: PLR0913, PLR0917  one parameter for each option
    context: typer.Context,
    people: Annotated[Path, typer.Option(help="The people to attack: what is known about them, without the secret.")],
    synthetic: Annotated[list[Path], typer.Option(help="A released table; may be repeated, they are pooled.")],
    secret: options.Secret,
    truth: Annotated[
        Path | None, typer.Option(help="A table with the secret, rows as in --people: to compare.")
    ] = None,
    variant: Annotated[str | None, typer.Option(hidden=True)] = None,  # older spellings of parameters of recon
    k: Annotated[int | None, typer.Option(hidden=True)] = None,
    queries: Annotated[int | None, typer.Option(hidden=True)] = None,
    param: options.OneAttackParams = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    memory: options.Memory = options.MEMORY,
    threads: options.Threads = 0,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for the guesses, one row for each person.")] = None,
    raw: options.Raw = False,
    json: options.Json = False,
) -> None:
    """Guess a secret of people of whom everything else is known."""
    from seethrough.api import attack as api

    name = str(context.info_name)  # one command under the name of each attack
    given = values.parameters_of(param or (), name)
    older = {"variant": variant, "k": k, "query_count": queries}
    report = api.attack(
        name,
        people,
        synthetic,
        secret=secret,
        truth=truth,
        params={**given, **{parameter: value for parameter, value in older.items() if value is not None}},
        schema=schema,
        seed=seed,
        memory=values.memory(memory),
        threads=threads or None,
        separator=separator,
        encoding=encoding,
    )
    _finish(report, out, as_json=json, is_raw=raw)


def _finish(report: "AttackReport", out: Path | None, *, as_json: bool, is_raw: bool) -> None:
    from dataclasses import astuple

    from seethrough.report.terminal import game as game_terminal

    if out:
        write_rows(out, ("row", "guess", "score", "certainty"), map(astuple, report.guesses), is_raw=is_raw)
    if as_json:
        print_json(report.to_dict())
        return
    from seethrough.report.terminal.printing import open_console

    game_terminal.render_attack(report, open_console())
