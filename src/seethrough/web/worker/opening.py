"""Opening an audit in a worker: settings, files and results as an earlier worker, or the command line, left them."""

from dataclasses import replace
from pathlib import Path

from seethrough.errors import SeethroughError
from seethrough.exploring.exploration import Exploration
from seethrough.report.audit_report import AuditReport
from seethrough.web.messages import Message
from seethrough.web.pages.equivalent import EquivalentAudit, TablePaths
from seethrough.web.session.given_files import OfferedFile
from seethrough.web.session.session import READING, Session
from seethrough.web.session.settings import Settings, load_settings, save_settings
from seethrough.web.worker.computing import Computing
from seethrough.web.worker.reading_desk import ReadingDesk, Tell
from seethrough.web.worker.restoring import restore_outcomes, restore_report
from seethrough.web.worker.running import build_exploration, fits

OTHER_TABLES = "The tables have changed since this audit: run it again to look at single people."
TABLES_GONE = "The tables of this audit are gone: drop them again to look at single people."


def open_session(message: Message, computing: Computing, tell: Tell) -> tuple[Session, ReadingDesk]:
    """Open the audit that the server names."""
    folder = Path(message["folder"])
    session = Session(folder, audit=str(message["audit"]), name=str(message["name"]))
    session.state, session.why, session.place = str(message["state"]), str(message["why"]), int(message["place"])
    session.is_read_only, session.warning = bool(message["is_read_only"]), str(message["warning"])
    session.offered = tuple(_offer(number, Path(each)) for number, each in enumerate(message["offered"], 1))
    session.book.now = load_settings(folder) or _first_settings(message)
    desk = ReadingDesk(session, computing, tell, int(message["limit"]))
    session.desk, session.starter = desk, computing.put
    desk.changed = lambda: computing.put(lambda: _build(session, desk, computing))
    if message["origin"]:
        _open_folder(session, Path(message["origin"]), computing)
    else:
        _open_own(session, desk, message)
    if not session.is_read_only:
        save_settings(folder, session.settings)
    return session, desk


def _first_settings(message: Message) -> Settings:
    return Settings(
        secrets=tuple(message["secrets"]),
        keys=tuple(message["keys"]),
        memory=int(message["memory"]),
        threads=message["threads"],
    )


def _offer(number: int, path: Path) -> OfferedFile:
    return OfferedFile(number, path.name, path, path.stat().st_size if path.is_file() else 0)


def _open_own(session: Session, desk: ReadingDesk, message: Message) -> None:
    """Open an audit of this machine's history."""
    if session.state == "done":
        session.report, session.why = restore_report(session.folder)
    if session.state in {"stopped", "failed"}:
        session.outcomes = restore_outcomes(session.folder)
    desk.restore()
    if not any(session.files.values()) and session.state == "empty":
        _choose_named(session, desk, message)
    session.lacking = READING if any(session.files.values()) else TABLES_GONE


def _choose_named(session: Session, desk: ReadingDesk, message: Message) -> None:
    """Take the files that the command line gave a role."""
    numbers = {str(each.path): each.number for each in session.offered}
    for role, path in message["named"].items():
        desk.choose(role, 0, numbers[path])
    for at, path in enumerate(message["released"]):
        desk.choose("synthetic", at, numbers[path])


def _open_folder(session: Session, origin: Path, computing: Computing) -> None:
    """Open the folder of an audit that the command line made: its report at once, its tables when they are read."""
    session.report, session.why = restore_report(origin)
    session.state, session.lacking = "done", READING
    if session.report is not None:
        session.book.now = _settings_of(session.report, session.settings)
    computing.put(lambda: _explore_folder(session, origin, computing))


def _settings_of(report: AuditReport, usual: Settings) -> Settings:
    """Give what an audit of the command line was asked for, so that its tables can be read as they were."""
    asked = EquivalentAudit.of(report, TablePaths("", ()))
    params = {
        check: {name: _text(value) for name, value in each.items()} for check, each in (asked.params or {}).items()
    }
    return replace(
        usual,
        secrets=asked.secrets,
        keys=asked.keys,
        preset=asked.preset,
        checks=asked.checks,
        seed=asked.seed,
        params=params,
    )


def _text(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _explore_folder(session: Session, origin: Path, computing: Computing) -> None:
    try:
        session.exploration = Exploration.of(origin)
        session.lacking = ""
        computing.put(session.exploration.prepare)  # as after a run
    except SeethroughError as error:
        session.lacking = str(error)
    except Exception as error:  # noqa: BLE001  the report can be read all the same; no value is named
        session.lacking = f"The tables could not be read because of a defect ({type(error).__name__})."


def _build(session: Session, desk: ReadingDesk, computing: Computing) -> None:
    """Read what is to be audited, so that a run begins at once and pages can ask."""
    if session.state in {"running", "waiting"} or not desk.is_ready or fits(session.exploration, desk):
        return
    try:
        exploration = build_exploration(desk)
        if session.report is not None and not exploration.is_of(session.report):
            # Not those that the folder names either: whoever dropped others would take answers to be about them.
            session.exploration, session.lacking = None, OTHER_TABLES
            return
        exploration.report = session.report
    except SeethroughError as error:
        session.lacking = str(error)
        return
    session.exploration, session.lacking = exploration, ""
    if session.report is not None:
        computing.put(exploration.prepare)
