"""Files to be taken away: written whole at the end of a run, or when somebody asks for them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from seethrough.data.writing import write_files
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine import records
from seethrough.results.whole_files import whole_files, write_whole_text
from seethrough.web.session.session import Session
from seethrough.web.worker.reading_desk import ReadingDesk

SCHEMA = "schema.toml"
OTHERS = {"report.html": "report-for-others.html", "report.json": "report-for-others.json"}
READY: Mapping[str, str] = {
    "report-html": "report.html",
    "report-md": "report.md",
    "report-json": "report.json",
    "others-html": OTHERS["report.html"],
    "others-json": OTHERS["report.json"],
    "records": "records.parquet",
}
"""Names in addresses, and the files that a run leaves."""


def write_report(session: Session, report: AuditReport, desk: ReadingDesk) -> None:
    """Write what a run leaves; `report.json` comes last, because a folder that has it is complete."""
    folder = session.folder
    write_whole_text(folder / SCHEMA, desk.schema_text())
    with whole_files(folder) as hidden:
        others = report.for_others()
        (hidden / OTHERS["report.html"]).write_text(others.to_html(), encoding="utf-8")
        (hidden / OTHERS["report.json"]).write_text(others.to_json(), encoding="utf-8")
    report.save(folder)


def write_file_to_take(session: Session, name: str) -> str:
    """Give the name of a file in the folder of the audit, which is written first where it has to be; "" for none."""
    if name in READY:
        return READY[name] if (session.folder / READY[name]).is_file() else ""
    make = _MADE.get(name)
    return make(session) if make is not None else ""


def _schema(session: Session) -> str:
    text = session.desk.schema_text() if session.desk is not None else ""
    if text:
        write_whole_text(session.folder / SCHEMA, text)
    return SCHEMA if (session.folder / SCHEMA).is_file() else ""


def _people_csv(session: Session) -> str:
    return _people(session, "people.csv")


def _people_parquet(session: Session) -> str:
    return _people(session, "people.parquet")


def _people(session: Session, name: str) -> str:
    """Write the risks of real rows, as sensitive as the tables; texts that a spreadsheet would run are defused."""
    if session.report is None:
        return ""
    write_files(records.frame(session.report), Path(session.folder / name), {})
    return name


_MADE: Mapping[str, Callable[[Session], str]] = {
    "schema": _schema,
    "people-csv": _people_csv,
    "people-parquet": _people_parquet,
}
