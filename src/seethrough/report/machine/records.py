"""Per-record risks as a frame: one row for each real record and synthetic table."""

import numpy as np
import polars as pl

from seethrough.results.evidence import LeakFamily
from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableAudit


def frame(report: Report) -> pl.DataFrame:
    """List the real records by number (1 is the first): conformal p and list by family, and the risk by each check."""
    return pl.concat([_of_table(table, report.real.rows) for table in report.tables], how="diagonal_relaxed")


def _of_table(table: TableAudit, rows: int) -> pl.DataFrame:
    measured = [o for o in table if isinstance(o, Measured) and o.measurement.per_record is not None]
    risks = {o.check: np.asarray(o.measurement.per_record) for o in measured}
    columns = [
        pl.Series("row", np.arange(1, rows + 1, dtype=np.uint32)),
        pl.Series("synthetic", [table.synthetic.name]).new_from_index(0, rows),
        *(series for family in LeakFamily for series in _of_family(family, table, rows)),
    ]
    return pl.DataFrame([*columns, *(pl.Series(*risk).fill_nan(None) for risk in risks.items())])


def _of_family(family: LeakFamily, table: TableAudit, rows: int) -> tuple[pl.Series, pl.Series]:
    """Give the p of everybody by one family, and who is on its list; null where a person was not rated."""
    at_risk = table.evidence.at_risk if table.evidence else ()
    names = f"{family.value}_p", f"{family.value}_listed"
    found = next((each for each in at_risk if each.family is family), None)
    if found is None:
        return pl.Series(names[0], [None] * rows, pl.Float64), pl.Series(names[1], [None] * rows, pl.Boolean)
    p = pl.Series(names[0], found.p).fill_nan(None)
    return p, pl.Series(names[1], found.listed).set(p.is_null(), None)
