"""A report for others than the custodian: nothing in it speaks of single records, and no small count is exact.

Everything is made coarser in the report itself, before any renderer sees it, so that no format can tell more than
another: scores and shares have two digits, counts two significant ones. What takes single records or exact small
counts to show is left out. Grades were decided on the exact numbers, so both audiences read the same.
"""

from seethrough.report.external.allowed import send_out
from seethrough.results.report import Report


def make_external(report: Report) -> Report:
    """Make the report fit for others."""
    coarse: Report = send_out(report)
    return coarse
