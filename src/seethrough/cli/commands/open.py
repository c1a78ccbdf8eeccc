"""`seethrough open`: the tool in the browser."""

import signal
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.exit_codes import STOPPED_BY
from seethrough.cli.output import remark, say
from seethrough.errors import ConfigError

if TYPE_CHECKING:
    from seethrough.web.rooms import Wishes

_NEEDED = ("starlette", "uvicorn", "h11")
_REMOVED = "Tables that were not to be kept are removed."


def open_tool(  # noqa: PLR0913, PLR0917  one parameter for each option
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Tables to choose from in the browser; or the folder of an audit, or its report.json."),
    ] = None,
    real: Annotated[Path | None, typer.Option(help="The real table: CSV, Parquet or Arrow.")] = None,
    synthetic: Annotated[
        list[Path] | None, typer.Option(help="A synthetic table made from it; may be repeated.")
    ] = None,
    holdout: options.Holdout = None,
    secret: options.Secrets = None,
    keys: options.Keys = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any that is free.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link and open no browser.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep tables at the end, for all audits.")] = False,
    private: Annotated[bool, typer.Option("--private", help="Keep nothing at the end: no history.")] = False,
    limit: Annotated[str, typer.Option(help="Largest file that is taken.")] = "2GiB",
    memory: options.Memory = options.MEMORY,
    threads: options.AuditThreads = 0,
    listen: Annotated[str, typer.Option(help="Address to listen on. Default: 127.0.0.1.")] = "",
    behind: Annotated[str, typer.Option(help="Address of a proxy that brings TLS, https://NAME.")] = "",
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="NAME:PORT by which browsers call it, where a port is forwarded; may be repeated."),
    ] = None,
    without_tls: Annotated[
        bool, typer.Option("--without-tls", help="With --listen: others on the network can read along.")
    ] = False,
) -> None:
    """Open the tool in the browser: choose files, run, read the verdict, look at single people and attackers."""
    refuse_without_extra()
    from seethrough.web.house import make_house
    from seethrough.web.listening.addresses import choose_place
    from seethrough.web.rooms import Wishes
    from seethrough.web.serving import Manner, serve

    offered, audit = part_files(files or ())
    wishes = Wishes(
        offered,
        real,
        tuple(synthetic or ()),
        holdout,
        tuple(secret or ()),
        values.names(keys),
        audit,
        values.file_size(limit, "--limit"),
        values.memory(memory),
        threads,
        keep,
        private,
    )
    refuse_contradictions(wishes)
    refuse_unreadable(wishes)
    place = choose_place(listen, port, behind, tuple(host_name or ()), without_tls=without_tls)
    if place.warning:
        remark(f"seethrough: {place.warning}")
    ending = serve(make_house, wishes, place, Manner(say, remark, opens_browser=not no_browser))
    _conclude(ending.number, ending.reason)


def refuse_without_extra() -> None:
    """Refuse to begin where the packages of the extra are missing."""
    if any(find_spec(name) is None for name in _NEEDED):
        raise ConfigError("the tool in the browser needs further packages: pip install 'seethrough[web]'")


def part_files(paths: "list[Path] | tuple[Path, ...]") -> tuple[tuple[Path, ...], Path | None]:
    """Tell tables from the one folder, or report, of an audit."""
    audits = [path for path in paths if path.is_dir() or path.name == "report.json"]
    if len(audits) > 1:
        raise ConfigError(f"one audit is opened at a time, and these are {len(audits)}: {', '.join(map(str, audits))}")
    return tuple(path for path in paths if path not in audits), audits[0] if audits else None


def refuse_contradictions(wishes: "Wishes") -> None:
    """Refuse options that cannot both be meant."""
    if wishes.keeps and wishes.is_private:
        raise ConfigError("--keep keeps tables, and --private keeps nothing")
    named = wishes.real or wishes.synthetic or wishes.holdout
    if wishes.audit is not None and (named or wishes.offered or wishes.secrets or wishes.keys):
        raise ConfigError("the folder of an audit names its own tables and columns; give it alone")


def refuse_unreadable(wishes: "Wishes") -> None:
    """Refuse files that are not there or not ours to read, before a browser is opened for them."""
    for path in (*wishes.offered, wishes.real, *wishes.synthetic, wishes.holdout, wishes.audit):
        if path is not None and not path.is_dir():
            with path.open("rb"):
                pass
        elif path is not None and path != wishes.audit:
            raise ConfigError(f"{path} is a folder, not a table")
    if wishes.audit is not None and wishes.audit.is_dir() and not (wishes.audit / "report.json").is_file():
        raise ConfigError(f"{wishes.audit} has no report.json, so it is no folder that `seethrough audit --out` wrote")


def _conclude(number: int, reason: str) -> None:
    """Say how it ended; Ctrl-C is the usual way, and no failure."""
    from seethrough.system.signals import signal_name

    how = reason if not number else "Ctrl-C" if number == signal.SIGINT else signal_name(number)
    say(f"Seethrough has ended ({how}). {_REMOVED}")
    if number and number != signal.SIGINT:
        raise typer.Exit(STOPPED_BY + number)
