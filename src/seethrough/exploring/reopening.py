"""Opening the folder of an audit: its report read back, its tables found again and refused if they are others."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from seethrough.auditing.diagnostics.isolated_people import order_exposed
from seethrough.data.reading import release_tables
from seethrough.data.release import Release
from seethrough.data.split.card_at_hand import find_card
from seethrough.errors import ConfigError, NotApplicable
from seethrough.exploring.plan import AuditPlan
from seethrough.exploring.stored_audits import StoredTables, find_tables, load_form, load_report
from seethrough.plugins import catalog
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import plain
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine.verification import checked_form
from seethrough.results.evidence import GradeLimits
from seethrough.results.provenance import USER
from seethrough.results.report import TableSummary
from seethrough.seeds import stream


def reopen_audit(folder: str | Path) -> tuple[AuditPlan, AuditReport]:
    """Read the report and the tables of an audit, as it read them."""
    report = load_report(folder)
    said = checked_form(load_form(folder))
    release = _read(said["record"], find_tables(folder, said, StoredTables()))
    _refuse_others(report, release)
    record = report.provenance
    isolation = {catalog.ISOLATION: record.params.get(catalog.ISOLATION, {})}
    limits = GradeLimits(record.grades[0], record.grades[1], USER) if record.grades else GradeLimits()
    plan = AuditPlan(
        release,
        checks_of_record(said["record"]),
        catalog.arsenal(record.preset, isolation),
        record,
        report.version,
        seed=report.seed,
        limits=limits,
        show_values=report.tables[0].exhibits.shows_values,
        inputs=report.inputs,
        targets=said["record"].get("targets", "all"),
    )
    return plan, _with_order(report, plan)


def checks_of_record(record: Mapping[str, Any]) -> Sequence[Check]:
    """Make the checks with the parameters they had; those that have a default value need not be set."""
    chosen = catalog.choose(tuple(record["checks"]))
    params = {}
    for check in chosen:
        usual = plain(check)
        wanted = record.get("params", {}).get(check.card.name, {})
        params[check.card.name] = {name: value for name, value in wanted.items() if usual.get(name, ...) != value}
    return catalog.configure(chosen, params)


def _with_order(report: AuditReport, plan: AuditPlan) -> AuditReport:
    """Put exposed people who are equally sure in the order of their isolation again, which no file keeps."""
    real = plan.release.train.table
    isolation, rows = np.full(len(real), np.nan), np.arange(len(real)) if plan.people is None else plan.people.members
    try:
        rng = stream(plan.seed, "isolation")
        isolation[rows] = plan.arsenal.isolation.measure(real.take(rows), plan.budget, rng)
    except NotApplicable:
        return report
    tables = []
    for table in report.tables:
        evidence = table.evidence
        if evidence is not None:
            evidence = replace(evidence, people=order_exposed(evidence.people, isolation))
        tables.append(replace(table, evidence=evidence))
    return replace(report, tables=tuple(tables))


def _read(record: Mapping[str, Any], tables: StoredTables) -> Release:
    """Read the tables as the audit did."""
    if record.get("declared") and tables.schema is None:
        raise ConfigError("the audit was given a schema, and where that lies is not known")
    if record.get("has_card") and find_card(tables.card, tables.holdout) is None:
        raise ConfigError("the audit had the card of a split, and where that lies is not known")
    return release_tables.read_release(
        tables.real,
        tables.synthetic,
        tables.holdout,
        schema=tables.schema,
        secrets=tuple(record["secrets"]),
        keys=tuple(record["keys"]),
        entity=record.get("entity"),
        card=find_card(tables.card, tables.holdout),
        **record.get("csv", {}),
    )


def _refuse_others(report: AuditReport, release: Release) -> None:
    """Refuse tables that are not those of the audit, by their digests."""
    audited: list[TableSummary] = [report.real, *([report.holdout] if report.holdout else [])]
    audited += [table.synthetic for table in report.tables]
    if len(audited) != len(release.all):
        raise ConfigError(f"the audit had {len(audited)} tables, and {len(release.all)} are there")
    for told, named in zip(audited, release.all, strict=True):
        if told.digest != named.table.digest:
            raise ConfigError(f"{named.name} has changed since the audit; audit it again")
