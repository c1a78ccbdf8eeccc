"""A report read back: from the folder of an audit, or from its report.json alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seethrough.data.files.json_files import parse_json
from seethrough.data.files.sources import open_source, readable
from seethrough.errors import ConfigError
from seethrough.plugins import catalog
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine import records
from seethrough.report.machine.files import RECORDS
from seethrough.report.machine.reading_back import read_back

REPORT = "report.json"


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
    form = audit if isinstance(audit, Mapping) else parsed_report(audit)
    cards = {name: check.card for name, check in catalog.load().items()}
    report = read_back(form, cards)
    if not isinstance(audit, Mapping) and Path(audit).is_dir() and (Path(audit) / RECORDS).is_file():
        source = open_source(Path(audit) / RECORDS, RECORDS)
        with readable(RECORDS, may_panic=True):
            frame = source.frame.collect()
        report = records.with_records(report, frame)
    try:
        return AuditReport(**vars(report))
    except ValueError as error:
        raise ConfigError(f"this report cannot be shown: {error}") from error


def parsed_report(audit: str | Path) -> Any:
    """Read the JSON form of a report from the folder of an audit, or from a file."""
    path = Path(audit) / REPORT if Path(audit).is_dir() else Path(audit)
    try:
        return parse_json(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}; an audit with --out writes it") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not JSON: it is not text in UTF-8") from error
