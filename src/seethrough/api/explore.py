"""Exploring a release: tables in, an `Exploration` out, which runs the audit and answers about single people."""

from collections.abc import Sequence
from typing import Any

from seethrough.api.arguments import MEMORY, NO_PARAMS, CardLike, Names, SchemaLike, TableLike, TablesLike
from seethrough.api.audit import plan_audit
from seethrough.auditing.attacked_people import Targets
from seethrough.exploring.exploration import Exploration
from seethrough.plugins import catalog
from seethrough.protocols.check import Check


def explore(  # noqa: PLR0913  what a caller may say about an audit
    real: TableLike,
    synthetic: TablesLike,
    holdout: TableLike = None,
    *,
    secret: Names = (),
    keys: Names = (),
    entity: str | None = None,
    card: CardLike = None,
    checks: Names | Sequence[Check] = (),
    preset: str = "full",
    grades: Sequence[float] | None = None,
    targets: Targets = None,
    show_values: bool = False,
    params: catalog.Params = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int = 0,
    memory: int = MEMORY,
    threads: int | None = None,
    device: str = "cpu",
    separator: str | None = None,
    encoding: str | None = None,
) -> Exploration:
    """Read the tables of a release and give an `Exploration` of it; nothing is run yet.

    All parameters are those of `audit`. `run` of what comes back gives the same report as `audit`.
    """
    said: dict[str, Any] = dict(locals())
    return Exploration(plan_audit(**said))
