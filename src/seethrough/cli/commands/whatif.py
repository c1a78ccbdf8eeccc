"""`seethrough whatif`: which change of a release would help."""

from pathlib import Path
from typing import Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.output import name_written
from seethrough.cli.progress import progress_bar


def whatif(  # noqa: PLR0913, PLR0917  one parameter for each option
    audit: Annotated[Path, typer.Argument(help="The folder of the audit (--out), or its report.json.")],
    real: options.AuditedReal = None,
    synthetic: options.AuditedSynthetic = None,
    holdout: Annotated[Path | None, typer.Option(help="The holdout of the audit.")] = None,
    lever: Annotated[
        list[str] | None,
        typer.Option(help="A change to try, as 'drop column zip'; may be repeated. Default: some of every kind."),
    ] = None,
    generator: Annotated[
        str | None, typer.Option(help="What made the release, as baynet. Default: by the card beside the file.")
    ] = None,
    family: Annotated[
        str | None, typer.Option(help="Rank by membership, attribute or identity. Default: the worst of them.")
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(help="A column that models predict; may be repeated. Default: the secrets."),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Attacks to run: full, attacks or fast. Default: as audited.")
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="Draws over which a random lever is averaged.")] = 3,
    card: options.Card = None,
    schema: Annotated[Path | None, typer.Option(help="The schema, if the audit was given one.")] = None,
    memory: options.Memory = options.MEMORY,
    threads: options.Threads = 0,
    out: Annotated[
        Path | None, typer.Option(help="Folder for whatif.html, whatif.json, whatif.md, whatif.svg.")
    ] = None,
    json: options.Json = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print all measures and remarks too.")] = False,
) -> None:
    """Try changes of an audited release: how much leak does each remove, and how much utility does it cost?"""
    from seethrough.api import whatif as api

    with progress_bar() as progress:
        found = api.whatif(
            audit,
            real,
            synthetic,
            holdout,
            levers=lever or (),
            generator=generator,
            family=family,
            targets=target or (),
            preset=preset,
            draws=draws,
            card=card,
            schema=schema,
            memory=values.memory(memory),
            threads=threads or None,
            progress=progress,
        )
    written = found.save(out) if out else ()
    if json:
        typer.echo(found.to_json(), nl=False)
    else:
        from rich.console import Console

        from seethrough.report.what_if import terminal

        terminal.render(found, Console(), verbose=verbose)
    name_written(written)
