"""Per-record risks as a frame: one row for each real record and synthetic table; and back into a report."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from seethrough.errors import ConfigError
from seethrough.results.diagnostics import ExposedRow
from seethrough.results.evidence import ExposedPerson, LeakFamily, PeopleAtRisk, ReleaseEvidence
from seethrough.results.outcome import Measured, Outcome
from seethrough.results.report import Report, TableAudit


def frame(report: Report) -> pl.DataFrame:
    """List the real records by number (1 is the first): conformal p and list by family, and the risk by each check."""
    found = pl.concat([_of_table(table, report.real.rows) for table in report.tables], how="diagonal_relaxed")
    return found if report.targets is None else found.filter(_is_known(found))


def _is_known(records: pl.DataFrame) -> pl.Series:
    """Tell of whom anything is known: who was not drawn has no line."""
    known = records.drop("row", "synthetic")
    return ~known.select(pl.all_horizontal(pl.all().is_null()).alias("nobody")).to_series()


def _complete(report: Report, records: pl.DataFrame) -> pl.DataFrame:
    """Give lines without a risk to those who were not drawn, so that every real row has one."""
    if report.targets is None or not {"row", "synthetic"} <= set(records.columns):
        return records
    names = [table.synthetic.name for table in report.tables]
    rows = pl.DataFrame({"row": np.arange(1, report.real.rows + 1, dtype=np.uint32)})
    every = pl.concat([rows.with_columns(synthetic=pl.lit(name)) for name in names])
    return every.join(records, on=["row", "synthetic"], how="left", maintain_order="left")


def _of_table(table: TableAudit, rows: int) -> pl.DataFrame:
    measured = [o for o in table if isinstance(o, Measured) and o.measurement.per_record is not None]
    risks = {o.check: np.asarray(o.measurement.per_record) for o in measured}
    columns = [
        pl.Series("row", np.arange(1, rows + 1, dtype=np.uint32)),
        pl.Series("synthetic", [table.synthetic.name]).new_from_index(0, rows),
        *(series for family in LeakFamily for series in _of_family(family, table, rows)),
    ]
    return pl.DataFrame([*columns, *(pl.Series(*risk).fill_nan(None) for risk in risks.items())])


def _names(family: LeakFamily) -> tuple[str, str]:
    return f"{family.value}_p", f"{family.value}_listed"


def _of_family(family: LeakFamily, table: TableAudit, rows: int) -> tuple[pl.Series, pl.Series]:
    """Give the p of everybody by one family, and who is on its list; null where a person was not rated."""
    at_risk = table.evidence.at_risk if table.evidence else ()
    names = _names(family)
    found = next((each for each in at_risk if each.family is family), None)
    if found is None:
        return pl.Series(names[0], [None] * rows, pl.Float64), pl.Series(names[1], [None] * rows, pl.Boolean)
    p = pl.Series(names[0], found.p).fill_nan(None)
    return p, pl.Series(names[1], found.listed).set(p.is_null(), None)


def with_records(report: Report, records: pl.DataFrame) -> Report:
    """Give a report that was read back the risks of single records again; records of another audit are refused."""
    rows, wanted = report.real.rows, {"row", "synthetic", *(name for family in LeakFamily for name in _names(family))}
    records = _complete(report, records)
    if not wanted <= set(records.columns) or len(records) != rows * len(report.tables):
        raise ConfigError("records.parquet does not belong to report.json; it is from another audit")
    tables = tuple(_joined(table, records[rows * at : rows * (at + 1)]) for at, table in enumerate(report.tables))
    return replace(report, tables=tables)


def _joined(table: TableAudit, records: pl.DataFrame) -> TableAudit:
    if set(records["synthetic"].unique()) != {table.synthetic.name}:
        raise ConfigError("records.parquet does not belong to report.json; it names other synthetic tables")
    evidence = table.evidence
    if evidence is not None:
        evidence = replace(evidence, at_risk=_at_risk(evidence, records))
        evidence = replace(evidence, people=_people(evidence, table.exhibits.exposed))
    outcomes = tuple(_with_risks(outcome, records) for outcome in table)
    return replace(table, outcomes=outcomes, evidence=evidence)


def _with_risks(outcome: Outcome, records: pl.DataFrame) -> Outcome:
    if not isinstance(outcome, Measured) or outcome.check not in records.columns:
        return outcome
    return replace(outcome, measurement=replace(outcome.measurement, per_record=_floats(records[outcome.check])))


def _at_risk(evidence: ReleaseEvidence, records: pl.DataFrame) -> tuple[PeopleAtRisk, ...]:
    found = []
    for finding in evidence.findings:
        p, listed = (records[name] for name in _names(finding.family))
        if finding.attack is not None and not p.is_null().all():
            attack = finding.headline or finding.attack
            mine = listed.cast(pl.Boolean).fill_null(False).to_numpy()
            found.append(PeopleAtRisk(finding.family, attack, _floats(p), mine))
    return tuple(found)


def _people(evidence: ReleaseEvidence, exposed: Sequence[ExposedRow]) -> tuple[ExposedPerson, ...]:
    """List people again; the released row is known of those that the report lists.

    Where people have several rows the records do not tell which of them was listed: then those of the report alone.
    """
    known = {row.row: row.released_row for row in exposed}
    found = [
        ExposedPerson(int(place) + 1, each.family, each.attack, float(each.p[place]), known.get(int(place) + 1))
        for each in evidence.at_risk
        for place in np.flatnonzero(each.listed)
    ]
    if len({person.row for person in found}) != evidence.listed:
        found = [person for person in found if person.row in known]
    return tuple(sorted(found, key=lambda person: (person.p, person.row)))


def _floats(values: pl.Series) -> npt.NDArray[np.float64]:
    try:
        return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    except pl.exceptions.PolarsError as error:
        raise ConfigError("records.parquet has something else than numbers where risks stand") from error
