"""A report for others than the custodian: nothing in it speaks of single records, and no small count is exact.

Everything is made coarser in the report itself, before any renderer sees it, so that no format can tell more than
another: scores and shares have two digits, counts two significant ones. What takes single records or exact small
counts to show is left out.
"""

from dataclasses import replace

from seethrough.report.external.allowed import send_out
from seethrough.report.words import findings
from seethrough.report.words.position import lead
from seethrough.results.outcome import Measured, Outcome
from seethrough.results.report import Report, TableAudit


def make_external(report: Report) -> Report:
    """Make the report fit for others."""
    outside = report.holdout is not None
    decided: Report = send_out(replace(report, tables=tuple(_decide(table, outside) for table in report.tables)))
    return decided


def _decide(table: TableAudit, outside: bool) -> TableAudit:
    """Decide what is said on the exact numbers, so that both audiences read the same."""
    levels = {headline.category: headline.level.name for headline in findings.headlines(table, outside=outside)}
    return replace(table, outcomes=tuple(map(_with_lead, table)), levels=levels)


def _with_lead(outcome: Outcome) -> Outcome:
    return replace(outcome, lead=lead(outcome)) if isinstance(outcome, Measured) else outcome
