"""A run: the audit of what was given and settled, told as it goes on, its report written whole at the end."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from errno import ENOSPC
from typing import Any

from seethrough.api.explore import explore
from seethrough.errors import SeethroughError
from seethrough.exploring.exploration import Exploration
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.outcome import Outcome, outcome_dict
from seethrough.results.timings import Progress
from seethrough.system.memory import is_memory_shortage
from seethrough.web.messages import Answer, conflict
from seethrough.web.session.given_files import GivenFile
from seethrough.web.session.session import Session
from seethrough.web.worker.computing import Computing
from seethrough.web.worker.reading_desk import ReadingDesk
from seethrough.web.worker.taking import write_report
from seethrough.web.worker.verdict_words import summarise

INCOMPLETE = "Give a real table and at least one release first; files that are given have to be readable."
DURING = "This can be asked after the run."
TOLD_EVERY = 0.25
"""Seconds between two words about progress."""
Tell = Callable[[str, dict[str, Any]], None]


class Running:
    """One run of a session."""

    def __init__(self, session: Session, desk: ReadingDesk, computing: Computing, tell: Tell) -> None:
        self._session, self._desk, self._computing, self._tell = session, desk, computing, tell
        self._latest = 0.0

    def begin(self) -> Answer:
        """Begin the run after what is being read, unless something is missing."""
        session = self._session
        if session.is_read_only:
            return conflict("Another server holds this audit; here it can be read only.")
        if not session.files["real"] or not session.files["synthetic"]:
            return conflict(INCOMPLETE)
        session.state, session.why, session.place, session.progress = "running", "", 0, None
        session.outcomes.clear()
        session.evidence.clear()
        session.report = None
        session.began = time.monotonic()
        self._computing.put(self._run)
        return Answer(200)

    def _run(self) -> None:
        session = self._session
        try:
            if not self._desk.is_ready:
                self._fail(first_problem(session) or INCOMPLETE)
                return
            exploration = self._find_exploration()
            self._begun(exploration)
            report = exploration.run(self._show, self._hear)
            write_report(session, report)
            session.exploration, session.report, session.lacking, session.state = exploration, report, "", "done"
            self._tell("finished", {**summarise(report), **self._desk.facts()})
            self._tell("done", {"state": "done"})
            self._computing.put(exploration.prepare)  # what many pages ask for first
        except Exception as error:  # noqa: BLE001  whatever ends a run is told in one sentence; it names no value
            self._fail(say_failure(error))

    def _find_exploration(self) -> Exploration:
        """Take what was read already, where it is what is settled now; pages have it again after the run."""
        held, self._session.exploration = self._session.exploration, None
        self._session.lacking = DURING
        return held if isinstance(held, Exploration) and fits(held, self._desk) else build_exploration(self._desk)

    def _begun(self, exploration: Exploration) -> None:
        session = self._session
        told = {"checks": list(exploration.check_names), "releases": list(exploration.release_names)}
        self._tell("begun", {**told, "seed": session.settings.seed})

    def _show(self, progress: Progress) -> None:
        self._session.progress = progress
        now = time.monotonic()
        if now - self._latest >= TOLD_EVERY:
            self._latest = now
            self._tell("progress", asdict(progress))

    def _hear(self, release: str, found: Outcome | ReleaseEvidence) -> None:
        session = self._session
        if isinstance(found, ReleaseEvidence):
            session.evidence[release] = found
            self._tell("verdict", {"release": release})
        else:
            session.outcomes.append((release, found))
            self._tell("outcome", {"release": release, **outcome_dict(found)})

    def _fail(self, said: str) -> None:
        self._session.state, self._session.why, self._session.lacking = "failed", said, ""
        self._tell("failed", {"said": said})
        self._tell("done", {"state": "failed"})
        self._desk.changed()  # pages that need the tables have them again


def build_exploration(desk: ReadingDesk) -> Exploration:
    """Read what is to be audited, as it is settled now."""
    settled = _what_matters(desk)  # before it is read: it may be changed meanwhile
    exploration = explore(**run_arguments(desk))
    desk.session.built_for = settled
    return exploration


def fits(exploration: Exploration | None, desk: ReadingDesk) -> bool:
    """Tell whether what was read is what is settled now."""
    return exploration is not None and desk.session.built_for == _what_matters(desk)


def _what_matters(desk: ReadingDesk) -> tuple[Any, ...]:
    paths = tuple((file.key, str(file.path), file.label) for each in desk.session.files.values() for file in each)
    return (desk.session.settings, paths, desk.declared_schema())


def run_arguments(desk: ReadingDesk) -> Mapping[str, Any]:
    """Give the arguments of `explore` that the session stands for."""
    session, settings = desk.session, desk.session.settings
    declared = desk.declared_schema()
    holdout = session.files["holdout"]
    return {
        "real": as_table(session.files["real"][0], desk),
        "synthetic": [as_table(file, desk) for file in session.files["synthetic"]],
        "holdout": as_table(holdout[0], desk) if holdout else None,
        "secret": settings.secrets,
        "keys": settings.keys,
        "checks": settings.checks,
        "preset": settings.preset,
        "params": settings.params,
        "schema": declared if declared.columns else None,
        "seed": settings.seed,
        "targets": settings.targets,
        "memory": settings.memory,
        "threads": settings.threads,
    }


def as_table(file: GivenFile, desk: ReadingDesk) -> Any:
    """Give a file as a public function takes it: by its path, under its label, read as it was settled."""
    if desk.session.settings.csv.get(file.key):
        return file.label, desk.sources[file.key].frame
    return file.path if file.label == file.path.name else (file.label, file.path)


def first_problem(session: Session) -> str:
    """Give the first thing that stands against a run."""
    files = [file.problem for each in session.files.values() for file in each]
    return next((said for said in (*files, *(column.problem for column in session.columns)) if said), "")


def say_failure(error: BaseException) -> str:
    """Say in one sentence why a run ended."""
    if isinstance(error, SeethroughError):
        full = isinstance(error.__cause__, OSError) and error.__cause__.errno == ENOSPC
        return "The disk is full; nothing of the report was kept." if full else str(error)
    if is_memory_shortage(error):
        return "Memory ran out: choose fewer checks, or start with more --memory."
    if isinstance(error, OSError):
        return "The disk is full." if error.errno == ENOSPC else f"The disk refused: {error.strerror}."
    return f"The run broke because of a defect ({type(error).__name__})."
