"""Per-record risks as a frame: one row for each real record and synthetic table."""

import numpy as np
import polars as pl

from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableAudit


def frame(report: Report) -> pl.DataFrame:
    """List the real records by number (1 is the first), with the risk by each check and the checks that flag it."""
    return pl.concat([_of_table(table, report.real.rows) for table in report.tables])


def _of_table(table: TableAudit, rows: int) -> pl.DataFrame:
    measured = [o for o in table if isinstance(o, Measured) and o.measurement.per_record is not None]
    risks = {o.check: np.asarray(o.measurement.per_record) for o in measured}
    flags = {o.check: risks[o.check] >= o.card.flags_at for o in measured}
    columns = [
        pl.Series("row", np.arange(1, rows + 1, dtype=np.uint32)),
        pl.Series("synthetic", [table.synthetic.name]).new_from_index(0, rows),
        pl.Series("flags", sum(flags.values(), np.zeros(rows, np.uint8))),
    ]
    exposed = [pl.when(pl.Series(flag)).then(pl.lit(name)) for name, flag in flags.items()]
    listed = pl.concat_list(exposed).list.drop_nulls() if exposed else pl.repeat([], rows, dtype=pl.List(pl.String))
    flagged = pl.select(listed.alias("flagged_by")).to_series()
    return pl.DataFrame([*columns, flagged, *(pl.Series(*risk).fill_nan(None) for risk in risks.items())])
