"""`seethrough verify`: is a report what these tables give?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.exit_codes import NOT_VERIFIED
from seethrough.cli.output import remark, say
from seethrough.cli.progress import progress_bar

if TYPE_CHECKING:
    from seethrough.api.verify import Verification

_SHOWN = 20


def verify(  # noqa: PLR0913, PLR0917  one parameter for each option
    report: Annotated[Path, typer.Argument(help="The report.json of an audit, or its folder.")],
    real: options.AuditedReal = None,
    synthetic: options.AuditedSynthetic = None,
    holdout: Annotated[Path | None, typer.Option(help="The holdout, if the audit had one.")] = None,
    card: options.Card = None,
    schema: Annotated[Path | None, typer.Option(help="The schema, if the audit was given one.")] = None,
    memory: options.Memory = options.MEMORY,
    threads: options.AuditThreads = 0,
) -> None:
    """Repeat an audit from its record and compare; ends with 0 if all agrees, 1 if not, 2 if it cannot be repeated."""
    from seethrough.api import verify as verifying

    amount = values.memory(memory)
    with progress_bar() as progress:
        found = verifying.verify(
            report,
            real,
            synthetic,
            holdout,
            card=card,
            schema=schema,
            memory=amount,
            threads=threads or None,
            progress=progress,
        )
    for difference in (*found.versions, *found.names):
        remark(f"note: {difference}")
    differences = (*found.inputs, *found.numbers)
    for difference in differences[:_SHOWN]:
        say(str(difference))
    if len(differences) > _SHOWN:
        say(f"and {len(differences) - _SHOWN} more differences")
    if not found.holds:
        remark(f"seethrough: not verified: {_reason(found)}")
        raise typer.Exit(NOT_VERIFIED)
    say(f"verified: {found.compared} checks on the same tables give the same numbers")


def _reason(found: "Verification") -> str:
    edited = "the report was edited after it was made"
    if found.inputs:
        what = "the tables are not those of the report"
    elif found.numbers:
        what = "the numbers are not those of the report"
    else:
        return f"{edited}, in what no run repeats (times, versions, layout)"
    return f"{what}; {edited}" if found.is_edited else what
