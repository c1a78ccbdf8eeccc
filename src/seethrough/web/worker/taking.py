"""Files to be taken away: written whole at the end of a run, or when somebody asks for them."""

from pathlib import Path

import polars as pl

from seethrough.data.writing import write_files
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine import records
from seethrough.web.pages.take import TAKEN, write_download
from seethrough.web.session.session import Session

PEOPLE = {"people-csv": "people.csv", "people-parquet": "people.parquet"}


def write_report(session: Session, report: AuditReport) -> None:
    """Write what a run leaves, complete or not at all."""
    report.save(session.folder)


def find_file_to_take(session: Session, name: str) -> Path | None:
    """Find a file to be taken away, or make it; None where there is nothing of that name."""
    if name not in PEOPLE:
        return write_download(session, name)
    if session.report is None:
        return None
    folder = session.folder / TAKEN
    folder.mkdir(0o700, exist_ok=True)
    write_files(_people(session, session.report), folder / PEOPLE[name], {})
    return folder / PEOPLE[name]


def _people(session: Session, report: AuditReport) -> pl.DataFrame:
    """List everybody with flags, risks and values; without values where they are hidden, or the tables gone."""
    if session.exploration is None:
        return records.frame(report)
    found: pl.DataFrame = session.exploration.people_frame(values=not session.hidden)
    return found
