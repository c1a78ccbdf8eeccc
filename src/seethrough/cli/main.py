"""The `seethrough` command: which commands there are, and how errors end them (exit_codes.py)."""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from errno import EBADF
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import typer

from seethrough import __version__
from seethrough.cli.commands.attack import AttackGroup, attack
from seethrough.cli.commands.audit import audit
from seethrough.cli.commands.demo import demo
from seethrough.cli.commands.explain import explain
from seethrough.cli.commands.game import game
from seethrough.cli.commands.linkage import linkage
from seethrough.cli.commands.list_checks import list_checks
from seethrough.cli.commands.membership import membership
from seethrough.cli.commands.open import open_tool
from seethrough.cli.commands.reverse_map import reverse_map
from seethrough.cli.commands.schema import schema
from seethrough.cli.commands.split import split
from seethrough.cli.commands.study.compare import compare
from seethrough.cli.commands.study.export import export
from seethrough.cli.commands.study.figures import figures
from seethrough.cli.commands.study.list_plans import list_plans
from seethrough.cli.commands.study.merge import merge
from seethrough.cli.commands.study.run import run
from seethrough.cli.commands.study.status import status
from seethrough.cli.commands.synthesize import synthesize
from seethrough.cli.commands.verify import verify
from seethrough.cli.commands.whatif import whatif
from seethrough.cli.endings import free_standard_error, memory_sentence, refuse_too_little_memory, stopped_sentence
from seethrough.cli.exit_codes import BUG, INVALID_REQUEST, OUT_OF_MEMORY, OUTPUT_LOST, STOPPED_BY
from seethrough.cli.near_options import OptionCommand, OptionGroup
from seethrough.cli.output import remark
from seethrough.errors import SeethroughError
from seethrough.plugins import names
from seethrough.results.whole_files import written_files
from seethrough.system.memory import is_memory_shortage, is_near_limit
from seethrough.system.signals import SIGNAL_OF_CTRL_C
from seethrough.text.streams import printable_output

P = ParamSpec("P")


class _Program(OptionGroup):
    """The program: all that it prints is printable, what Typer says against a command line too."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command line."""
        with printable_output():
            return super().main(*args, **kwargs)


def _group(name: str, about: str, kind: type[OptionGroup] = OptionGroup) -> typer.Typer:
    # Plain help text: formatted help would load a library that takes longer than all the rest.
    return typer.Typer(
        name=name,
        cls=kind,
        help=about,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _guarded(command: Callable[P, None]) -> Callable[P, None]:
    """End a command that cannot go on with one sentence, without a traceback."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            _refuse_closed_output()
            refuse_too_little_memory()
            try:
                command(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except SystemExit as error:  # Rich ends the process where nobody reads the pipe
            raise typer.Exit(_lose_output(BrokenPipeError())) from error
        except BaseException as error:  # the panic of a native library is no Exception
            raise typer.Exit(_ending(error)) from error

    return guarded


def _refuse_closed_output() -> None:
    if sys.stdout is None:
        raise OSError(EBADF, "it is closed")


def _ending(error: BaseException) -> int:
    """Say in one sentence what ended a command, and give the exit code for it."""
    match error:
        case SeethroughError():
            _complain(str(error))
            return INVALID_REQUEST
        case KeyboardInterrupt():
            number = getattr(error, "number", SIGNAL_OF_CTRL_C)
            free_standard_error()
            _complain(stopped_sentence(number, written_files()))
            error.is_told = True  # type: ignore[attr-defined]
            return STOPPED_BY + number
        case _ if is_memory_shortage(error) or (is_near_limit() and not isinstance(error, OSError)):
            _complain(memory_sentence())
            return OUT_OF_MEMORY
        case OSError() if error.filename is None:
            return _lose_output(error)
        case OSError():
            _complain(f"{error.filename} cannot be used: {error.strerror or 'the system refuses it'}")
            return INVALID_REQUEST
    _own_up(error)
    return BUG


def _own_up(error: BaseException) -> None:
    """Say that the program is at fault."""
    if "SEETHROUGH_DEBUG" in os.environ:
        traceback.print_exception(error)
        return
    # Not the text of the error, which may hold values of a table.
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"
    _complain(f"this is an error of the program ({where}); SEETHROUGH_DEBUG=1 shows where it comes from")


def _lose_output(error: OSError) -> int:
    """Say that nobody takes what is printed; whoever closed a pipe knows."""
    if not isinstance(error, BrokenPipeError):
        _complain(f"standard output cannot be written: {error.strerror or error}")
    # Python would try again when it ends, and complain.
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OUTPUT_LOST


def _complain(sentence: str) -> None:
    with suppress(OSError):
        remark(f"seethrough: {sentence}")


attacks = _group("attack", "Attack a release as an adversary.", AttackGroup)
for attribute_attack in names.own_attacks():
    attacks.command(attribute_attack, cls=OptionCommand, short_help=names.first_line(attribute_attack))(
        _guarded(attack)
    )
attacks.command(cls=OptionCommand)(_guarded(membership))
attacks.command(cls=OptionCommand)(_guarded(linkage))

studies = _group("study", "Plans of experiments: run them, go on where they stopped, draw what came out.")
studies.command("list", cls=OptionCommand)(_guarded(list_plans))
for study_command in (run, status, figures, compare, export, merge):
    studies.command(cls=OptionCommand)(_guarded(study_command))

app = _group(
    "seethrough",
    "Is your synthetic data see-through? Measures how much of the original a synthetic table still shows.",
    _Program,
)
app.command(cls=OptionCommand)(_guarded(split))
app.command(cls=OptionCommand)(_guarded(audit))
app.command("open", cls=OptionCommand)(_guarded(open_tool))
app.add_typer(attacks)
app.command("reverse-map", cls=OptionCommand)(_guarded(reverse_map))
app.command(cls=OptionCommand)(_guarded(whatif))
app.command(cls=OptionCommand)(_guarded(verify))
app.command(cls=OptionCommand)(_guarded(game))
app.command(cls=OptionCommand)(_guarded(synthesize))
app.command(cls=OptionCommand)(_guarded(schema))
app.command("list", cls=OptionCommand)(_guarded(list_checks))
app.command(cls=OptionCommand)(_guarded(explain))
app.command(cls=OptionCommand)(_guarded(demo))
app.add_typer(studies)


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
    """Understand the options of the program itself."""


def main() -> None:
    """Run the command line."""
    app()
