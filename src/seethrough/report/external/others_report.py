"""A report for others than the custodian: nothing in it speaks of single people, and hardly anything follows one.

Everything is made coarser in the report itself, before any renderer sees it, so that no format can tell more than
another. Grades were decided on the exact numbers, so both audiences read the same.
"""

from seethrough.report.external.allowed import send_out
from seethrough.report.external.coarsening import Coarsening, draw_key
from seethrough.results.report import Report


def make_external(report: Report, key: bytes | None = None) -> Report:
    """Make the report fit for others; `key` draws the thresholds of rounding, a new one by default."""
    released = " ".join(table.synthetic.digest for table in report.tables)
    coarse: Report = send_out(report, Coarsening(key or draw_key(released)))
    return coarse
