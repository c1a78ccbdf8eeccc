"""What can be taken away: reports for oneself and for others, records, the schema, and the same audit as a command."""

from dataclasses import dataclass
from pathlib import Path

from seethrough.report.audit_report import AuditReport
from seethrough.results.whole_files import write_whole_text
from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.equivalent import EquivalentAudit, TablePaths, name_paths
from seethrough.web.pages.framing import make_frame
from seethrough.web.rendering import render
from seethrough.web.session.session import GivenFile, Session

TAKEN = "taken"
"""The folder of an audit that holds what is made to be taken away."""


@dataclass(frozen=True)
class Download:
    """A file to take away: its name in the address, its own, what is in it in people's terms, and for whom it is."""

    name: str
    file: str
    contains: str
    for_others: bool = False


DOWNLOADS = (
    Download(
        "report-html",
        "report.html",
        "The whole report as one page: verdict, findings, scores, row numbers of people who stand out; no values.",
    ),
    Download("report-md", "report.md", "The same as text."),
    Download("report-json", "report.json", "The same for programs: every number with its interval. Opens here again."),
    Download(
        "records",
        "records.parquet",
        "Every real person by row number, with the risk by each check. As sensitive as the real table.",
    ),
    Download(
        "schema",
        "schema.toml",
        "How each column was read: kinds, roles, levels and ranges. Levels are values of your table.",
    ),
    Download(
        "others-html",
        "report-for-others.html",
        "For others: rounded, so that hardly anything hangs on one person, and without rows of anybody.",
        for_others=True,
    ),
    Download("others-json", "report-for-others.json", "The same for programs.", for_others=True),
)


def page(session: Session, asked: Asked) -> Answer:
    """Show what can be taken away."""
    if asked.form is not None:
        return redirect("take")
    report = session.report
    same = None if report is None else EquivalentAudit.of(report, paths_of(session, report))
    html = render(
        "take",
        make_frame(session, "take", "Take away"),
        mine=[each for each in DOWNLOADS if not each.for_others and _is_there(session, each)],
        others=[each for each in DOWNLOADS if each.for_others and report is not None],
        same=same,
        is_under_way=session.state in {"waiting", "running"},
    )
    return Answer(200, html=html)


def write_download(session: Session, name: str) -> Path | None:
    """Find a file to be taken away, or make it; None where there is nothing of that name."""
    download = next((each for each in DOWNLOADS if each.name == name), None)
    if download is None or not _is_there(session, download):
        return None
    stored = session.folder / download.file
    if stored.is_file():
        return stored
    return _make(session, download)


def _make(session: Session, download: Download) -> Path | None:
    folder = session.folder / TAKEN
    folder.mkdir(mode=0o700, exist_ok=True)
    path, report = folder / download.file, session.report
    if download.name == "schema":
        assert session.desk is not None
        write_whole_text(path, session.desk.schema_text())
        return path
    if report is None:
        return None
    shown: AuditReport = report.for_others() if download.for_others else report
    match path.suffix:
        case ".html":
            shown.to_html(path)
        case ".md":
            shown.to_markdown(path)
        case ".json":
            shown.to_json(path)
        case _:
            return None
    return path


def _is_there(session: Session, download: Download) -> bool:
    match download.name:
        case "schema":
            return session.desk is not None and bool(session.columns)
        case "records":
            return (session.folder / download.file).is_file()
        case _:
            return session.report is not None


def paths_of(session: Session, report: AuditReport) -> TablePaths:
    """Say where the tables are: those of the command line by their path, those that were dropped by their name."""
    offered = {each.path for each in session.offered}

    def written(files: list[GivenFile], names: tuple[str, ...]) -> tuple[str, ...]:
        if len(files) != len(names):
            return name_paths(names)
        return name_paths([str(file.path) if file.path in offered else file.label for file in files])

    (real,) = written(session.files["real"], (report.real.name,))
    synthetic = written(session.files["synthetic"], tuple(table.synthetic.name for table in report.tables))
    outside = () if report.holdout is None else written(session.files["holdout"], (report.holdout.name,))
    return TablePaths(real, synthetic, next(iter(outside), None))
