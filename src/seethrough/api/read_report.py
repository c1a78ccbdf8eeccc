"""A report read back: from the folder of an audit, or from its report.json alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seethrough.exploring import stored_audits
from seethrough.report.audit_report import AuditReport


def read_report(audit: str | Path | Mapping[str, Any]) -> AuditReport:
    """Read a report back, so that it can be looked at and rendered anew without its tables.

    Parameters
    ----------
    audit
        The folder of an audit, its report.json, or the JSON form. From a folder, risks of single records come back as
        well, where its records.parquet is there.

    A report that was edited after it was made, and one of format 1, are refused. The names of groups come back only
    where values were asked for.
    """
    return stored_audits.load_report(audit)
