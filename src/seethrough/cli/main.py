"""The `seethrough` command: what it understands, and how errors end it (exit_codes.py)."""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, ParamSpec

import typer

from seethrough import __version__
from seethrough.cli.commands import study
from seethrough.cli.commands.attack import AttackGroup, attack
from seethrough.cli.commands.audit import audit
from seethrough.cli.commands.demo import demo
from seethrough.cli.commands.explain import explain
from seethrough.cli.commands.game import game
from seethrough.cli.commands.linkage import linkage
from seethrough.cli.commands.listing import list_checks
from seethrough.cli.commands.reverse_map import reverse_map
from seethrough.cli.commands.schema import schema
from seethrough.cli.commands.synthesize import synthesize
from seethrough.cli.commands.verify import verify
from seethrough.cli.exit_codes import INVALID_REQUEST, STOPPED
from seethrough.errors import SeethroughError
from seethrough.plugins import names

# Plain help text: formatted help would load a library that takes longer than all the rest.
app = typer.Typer(
    name="seethrough",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
P = ParamSpec("P")


def _guarded(command: Callable[P, None]) -> Callable[P, None]:
    """End a command that cannot go on with one sentence, without a traceback."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except SeethroughError as error:
            typer.echo(f"seethrough: {error}", err=True)
            raise typer.Exit(INVALID_REQUEST) from error
        except KeyboardInterrupt as stop:
            typer.echo("seethrough: stopped; no report was written", err=True)
            raise typer.Exit(STOPPED) from stop

    return guarded


app.command()(_guarded(audit))
attacks = typer.Typer(
    cls=AttackGroup,
    help="Attack a release as an adversary.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for name in names.own_attacks():
    attacks.command(name)(_guarded(attack))
attacks.command()(_guarded(linkage))
app.add_typer(attacks, name="attack")
app.command("reverse-map")(_guarded(reverse_map))
app.command()(_guarded(verify))
app.command()(_guarded(game))
app.command()(_guarded(synthesize))
app.command()(_guarded(schema))
app.command("list")(_guarded(list_checks))
app.command()(_guarded(explain))
app.command()(_guarded(demo))
study.app.command("list")(_guarded(study.list_plans))
study.app.command("run")(_guarded(study.run))
study.app.command("status")(_guarded(study.status))
study.app.command("figures")(_guarded(study.figures))
study.app.command("compare")(_guarded(study.compare))
study.app.command("export")(_guarded(study.export))
study.app.command("merge")(_guarded(study.merge))
app.add_typer(study.app, name="study")


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"seethrough {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Is your synthetic data see-through? Measures how much of the original a synthetic table still shows."""


def main() -> None:
    """Run the command line."""
    app()
