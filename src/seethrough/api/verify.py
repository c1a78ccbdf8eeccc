"""Repeat an audit from its record and compare: is the report what these tables give?"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seethrough.api.arguments import MEMORY, CardLike, SchemaLike, TableLike, TablesLike
from seethrough.api.audit import audit
from seethrough.data.split.card_at_hand import find_card
from seethrough.errors import ConfigError
from seethrough.exploring.reopening import checks_of_record
from seethrough.exploring.stored_audits import StoredTables, find_tables, load_form
from seethrough.plugins import catalog
from seethrough.report.gates import limits
from seethrough.report.gates.limits import Broken, CheckFailed, Limit
from seethrough.report.machine import verification
from seethrough.report.machine.verification import Difference
from seethrough.results.provenance import USER
from seethrough.results.report import Report
from seethrough.results.timings import ShowProgress


@dataclass(frozen=True)
class Verification:
    """What repeating an audit came to.

    Other inputs or other numbers, or a report that was edited after it was made, are a failure; other programs and
    other names of the same tables are told.
    """

    inputs: tuple[Difference, ...]
    numbers: tuple[Difference, ...]
    versions: tuple[Difference, ...]
    compared: int
    names: tuple[Difference, ...] = ()
    is_edited: bool = False

    @property
    def holds(self) -> bool:
        """Tell whether the report is what the tables give, and as it was made."""
        return not self.inputs and not self.numbers and not self.is_edited


def verify(  # noqa: PLR0913  what a caller may say about it
    report: str | Path | Mapping[str, Any],
    real: TableLike = None,
    synthetic: TablesLike = None,
    holdout: TableLike = None,
    *,
    card: CardLike = None,
    schema: SchemaLike = None,
    memory: int = MEMORY,
    threads: int | None = None,
    device: str = "cpu",
    progress: ShowProgress | None = None,
) -> Verification:
    """Repeat the audit that a report in JSON form records, on tables that should be the same.

    Without tables, those are taken that inputs.json beside the report names. `schema` and `card` are needed again where
    the audit was given one that is not found in this way. All else is as for `audit`.
    """
    said = verification.checked_form(report if isinstance(report, Mapping) else load_form(report))
    found = find_tables(report, said, StoredTables(real, synthetic, holdout, schema, card))
    real, synthetic, holdout, schema, card = found.real, found.synthetic, found.holdout, found.schema, found.card
    set_limits = _limits(record := said["record"])
    if record.get("declared") and schema is None:
        raise ConfigError("the audit was given a schema, which is needed again to repeat it: --schema")
    if record.get("has_card") and find_card(card, holdout) is None:
        raise ConfigError("the audit had the card of a split, which is needed again to repeat it: --card")
    repeated = audit(
        real,
        synthetic,
        holdout,
        secret=tuple(record["secrets"]),
        keys=tuple(record["keys"]),
        entity=record.get("entity"),
        card=card,
        grades=record.get("grades"),
        targets=record.get("targets", "all"),
        schema=schema,
        checks=checks_of_record(record),
        preset=record.get("preset", "full"),
        params={catalog.ISOLATION: record.get("params", {}).get(catalog.ISOLATION, {})},
        seed=int(said["seed"]),
        show_values=bool(said["exhibits"].get("shows_values")),
        **record.get("csv", {}),
        memory=memory,
        threads=threads,
        device=device,
        progress=progress,
    )
    return _verification(said, repeated.with_limits(set_limits, _broken(set_limits, repeated)))


def _verification(said: Mapping[str, Any], now: Report) -> Verification:
    found = verification.compare_reports(said, json.loads(json.dumps(now.to_dict())))
    compared = sum(len(table.outcomes) for table in now.tables)
    return Verification(found.inputs, found.numbers, found.versions, compared, found.names, found.is_edited)


def _limits(record: Mapping[str, Any]) -> tuple[Limit, ...]:
    """Understand the limits that the user set."""
    told = [each for each in record["thresholds"] if isinstance(each, Mapping) and each.get("set_by") == USER]
    return tuple(limits.parse(str(each.get("text")), record["checks"]) for each in told)


def _broken(set_limits: Sequence[Limit], report: Report) -> tuple[Broken, ...] | None:
    """Judge the limits anew; None where they cannot be."""
    try:
        return limits.judge(set_limits, report)
    except (CheckFailed, ConfigError):
        return None
