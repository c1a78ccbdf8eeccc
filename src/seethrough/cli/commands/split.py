"""`seethrough split`: people outside for an audit, set aside before a release is made."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options
from seethrough.cli.output import name_written, say

if TYPE_CHECKING:
    from seethrough.api.split import Split


def split(  # noqa: PLR0913, PLR0917  one parameter for each option
    real: Annotated[Path, typer.Argument(help="The real table: CSV, Parquet or Arrow.")],
    out: Annotated[Path, typer.Option(help="Folder for train, holdout and the card of the split.")],
    audit_share: Annotated[
        float, typer.Option(help="Share of people for each of whom a fair coin decides; all others are in.")
    ] = 0.4,
    entity: options.Entity = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Decides every coin. Default: drawn at random, and kept on the card.")
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    raw: options.Raw = False,
) -> None:
    """Split a real table before synthesis, so that an audit can compare members with people outside."""
    from seethrough.api import split as api

    found = api.split(real, audit_share=audit_share, entity=entity, seed=seed, separator=separator, encoding=encoding)
    written = found.write(out, raw=raw)
    _explain(found, *written)
    name_written(written)


def _explain(found: "Split", train: Path, holdout: Path, card: Path) -> None:
    own = found.card
    people = own.train.people + own.holdout.people
    put_in = own.audit_people - own.holdout.people
    say(
        f"{people:,} people: {own.train.people:,} in {train.name}, {own.holdout.people:,} in {holdout.name}. "
        f"For {own.audit_people:,} of them, the audit set, a fair coin decided: {put_in:,} are in."
    )
    say(
        f"Make the release from {train} alone. Keep {holdout.name} and {card.name} private: the card tells who of the "
        "audit set was in the data."
    )
    say(f"Then: seethrough audit --real {quote(str(train))} --holdout {quote(str(holdout))} --synthetic RELEASE")
