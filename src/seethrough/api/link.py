"""Linkage by an attacker of maximum knowledge, and the paper's experiment; see docs/attacks/linkage.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

import polars as pl

from seethrough import __version__
from seethrough.api.arguments import (
    MEMORY,
    NO_PARAMS,
    Names,
    SchemaLike,
    TableLike,
    TablesLike,
    budget_of,
    list_names,
    list_tables,
    with_progress,
)
from seethrough.attacks.linkage.maximum_knowledge import SuppliedCriterion
from seethrough.data.reading.release_tables import read_release
from seethrough.games.linkage.closeness_experiment import closeness_tables
from seethrough.games.linkage.release import LinkageRequest, link_release
from seethrough.kernels.ranks.criteria import Criterion
from seethrough.plugins import catalog
from seethrough.protocols.linkage import LinkageAttack
from seethrough.protocols.parameters import with_values
from seethrough.results.linkage import LinkageReport
from seethrough.results.timings import ShowProgress


@dataclass(frozen=True, eq=False, repr=False)
class Linkage(LinkageReport):
    """A linkage that can show itself: `linkage["income"].files["release"]`, `linkage.records.linked_rows(1)`."""

    def frame(self) -> pl.DataFrame:
        """List every record, secret column and file: linked rows, ranks found, hit, error, interval."""
        return pl.DataFrame(list(self.records.rows()), schema=list(self.records.columns), orient="row")

    def __repr__(self) -> str:
        """Show what the command line prints."""
        from rich.console import Console

        from seethrough.report.terminal import linkage as linkage_terminal

        page = StringIO()
        linkage_terminal.render(self, Console(file=page, width=100, force_terminal=False, no_color=True))
        return page.getvalue()


def link(  # noqa: PLR0913  what a caller may say about a linkage
    real: TableLike,
    synthetic: TablesLike,
    holdout: TableLike = None,
    *,
    attack: str | LinkageAttack = "linkage",
    secret: Names = (),
    keys: Names = (),
    criterion: str | Criterion | None = None,
    narrow: float = 0.25,
    params: Mapping[str, Any] = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int = 0,
    memory: int = MEMORY,
    threads: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    progress: ShowProgress | None = None,
) -> Linkage:
    """Link every real record to the rows nearest in ranks of every synthetic table.

    Parameters
    ----------
    attack
        The name of a way to link, or one; `params` sets its parameters.
    secret
        Columns that the attacker does not know: they are left out of the linkage and read off the linked rows. With
        none, records are linked by all columns, to see who is linked to whom.
    keys
        Columns to link by; without them, all that are not secret.
    criterion
        "sum" (the default), "max" or "min" of the absolute differences of ranks, which is the parameter `criterion`,
        or a function that makes distances (a x b) of such differences (a x b x columns) and is asked for all pairs.
    narrow
        Share of all ranks up to which an interval counts as narrow.

    All else is as for `audit`.
    """
    chosen = _attack(attack, criterion, params)
    release = read_release(
        real,
        list_tables(synthetic),
        holdout,
        schema=schema,
        secrets=list_names(secret),
        keys=list_names(keys),
        separator=separator,
        encoding=encoding,
    )
    budget = with_progress(budget_of(memory, threads), progress, 1, "linkage")
    request = LinkageRequest(list_names(secret), list_names(keys), narrow)
    return Linkage(**vars(link_release(release, chosen, request, seed, budget, __version__)))


def closeness_experiment(  # noqa: PLR0913  what a caller may say about it
    records: int = 20,
    files: int = 3,
    *,
    secret: Names = "X3",
    criterion: str | Criterion = "sum",
    narrow: float = 0.25,
    levels: Sequence[int] | None = None,
    seed: int = 0,
) -> Linkage:
    """Run the experiment of section 4 of the paper at any size; its attributes are X1, X2 and X3.

    The closeness of the synthetic tables goes through the levels 1, 2 and 3 again and again, unless `levels` are given.
    """
    chosen = tuple(levels) if levels is not None else tuple(1 + number % 3 for number in range(files))
    real, tables = closeness_tables(records, chosen, seed)
    synthetic = {name: pl.DataFrame(columns) for name, columns in tables.items()}
    return link(pl.DataFrame(real), synthetic, secret=secret, criterion=criterion, narrow=narrow, seed=seed)


def _attack(attack: str | LinkageAttack, criterion: str | Criterion | None, params: Mapping[str, Any]) -> LinkageAttack:
    if callable(criterion):
        return SuppliedCriterion(criterion)
    given = {**params, **({"criterion": criterion} if criterion is not None else {})}
    if isinstance(attack, str):
        return catalog.build_linkage_attack(attack, given)
    return with_values(attack, attack.name, given)
