"""`seethrough attack linkage`: who is linked to whom by ranks, and what that discloses."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.output import print_json, write_rows
from seethrough.cli.progress import progress_bar

if TYPE_CHECKING:
    from seethrough.results.linkage import LinkageReport


def linkage(  # noqa: PLR0913, PLR0917  one parameter for each option
    context: typer.Context,
    real: options.Real,
    synthetic: options.Synthetic,
    holdout: options.Holdout = None,
    secret: options.Secrets = None,
    keys: options.Keys = "",
    criterion: Annotated[
        str | None, typer.Option(help="Of rank differences: sum, max or min; same as --param criterion=. Default: sum.")
    ] = None,
    narrow: Annotated[float, typer.Option(help="Share of all ranks that makes a narrow interval.")] = 0.25,
    param: options.OneAttackParams = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    memory: options.Memory = options.MEMORY,
    threads: options.Threads = 0,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for every record: linked rows, ranks, intervals.")] = None,
    raw: options.Raw = False,
    json: options.Json = False,
) -> None:
    """Link real records to the synthetic rows nearest in ranks, and read secret columns off them."""
    from seethrough.api import link as api

    name = str(context.info_name)  # one command under the name of each way to link
    given = values.parameters_of(param or (), name)
    with progress_bar() as progress:
        report = api.link(
            real,
            synthetic,
            holdout,
            secret=secret or (),
            keys=values.names(keys),
            attack=name,
            narrow=narrow,
            params={**given, **({"criterion": criterion} if criterion else {})},
            schema=schema,
            seed=seed,
            memory=values.memory(memory),
            threads=threads or None,
            separator=separator,
            encoding=encoding,
            progress=progress,
        )
    _finish(report, out, as_json=json, is_raw=raw)


def _finish(report: "LinkageReport", out: Path | None, *, as_json: bool, is_raw: bool) -> None:
    from seethrough.report.terminal import linkage as linkage_terminal

    if out:
        write_rows(out, report.records.columns, report.records.rows(), is_raw=is_raw)
    if as_json:
        print_json(report.to_dict())
        return
    from seethrough.report.terminal.printing import open_console

    linkage_terminal.render(report, open_console())
