"""`seethrough synthesize`: a synthetic table from a real one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.output import name_written, print_json
from seethrough.cli.progress import progress_bar

if TYPE_CHECKING:
    from seethrough.api.synthesize import Synthesis


def synthesize(  # noqa: PLR0913, PLR0917  one parameter for each option
    synthesizer: Annotated[str | None, typer.Option(help="The generator; see --list.")] = None,
    real: Annotated[Path | None, typer.Option(help="The real table: CSV, Parquet or Arrow.")] = None,
    rows: Annotated[int | None, typer.Option(help="Rows to draw. Default: as many as the real table has.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write: .csv, .csv.gz, .parquet or .arrow.")] = None,
    epsilon: Annotated[float | None, typer.Option(help="Privacy budget; same as --param epsilon=.")] = None,
    delta: Annotated[float | None, typer.Option(help="Privacy budget; same as --param delta=.")] = None,
    param: Annotated[list[str] | None, typer.Option(help="Set a parameter, NAME=VALUE; may be repeated.")] = None,
    schema: options.Schema = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Decides every random number. Default: 0; DP generators draw a random seed and do not record it.",
        ),
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    raw: options.Raw = False,
    everything: Annotated[bool, typer.Option("--list", help="List the generators and exit.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the card, or the list, as JSON.")] = False,
) -> None:
    """Make a synthetic table from a real one, with a card that says how."""
    if everything:
        _list(as_json=json)
        return
    from seethrough.api import synthesize as api
    from seethrough.data.writing import check_suffix
    from seethrough.errors import ConfigError

    for option, value in (("--synthesizer", synthesizer), ("--real", real), ("--out", out)):
        if value is None:
            raise ConfigError(f"{option} is missing; `seethrough synthesize --list` shows the generators")
    assert synthesizer is not None
    assert out is not None
    check_suffix(out)
    budget = {"epsilon": epsilon, "delta": delta}
    given = {**values.own_parameters(param or ()), **{name: each for name, each in budget.items() if each is not None}}
    with progress_bar() as progress:
        made = api.synthesize(
            synthesizer,
            real,
            rows,
            params=given,
            schema=schema,
            seed=seed,
            separator=separator,
            encoding=encoding,
            progress=progress,
        )
        written = made.write(out, raw=raw)
    _finish(made, written, as_json=json)


def _finish(made: "Synthesis", written: tuple[Path, ...], *, as_json: bool) -> None:
    from seethrough.report.terminal import synthesis as synthesis_terminal
    from seethrough.report.terminal.printing import open_console

    card = made.card.to_dict()
    if as_json:
        print_json(card)
    else:
        synthesis_terminal.render_card(card, open_console())
    synthesis_terminal.render_warnings(made.card.warnings, open_console(is_error=True))
    synthesis_terminal.render_private_notes(made.private_notes, open_console(is_error=True))
    name_written(written)


def _list(*, as_json: bool) -> None:
    from dataclasses import asdict

    from seethrough.plugins import catalog
    from seethrough.protocols.parameters import parameters

    found = [
        {**asdict(each.card), "parameters": [asdict(parameter) for parameter in parameters(each)]}
        for each in catalog.all_synthesizers().values()
    ]
    if as_json:
        print_json(found)
        return
    from seethrough.report.terminal import synthesis as synthesis_terminal
    from seethrough.report.terminal.printing import open_console

    synthesis_terminal.render_list(found, open_console())
