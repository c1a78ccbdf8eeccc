"""The session of an open audit: everything that its pages are made from, in the process that holds the tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from seethrough.errors import SeethroughError
from seethrough.report.audit_report import AuditReport
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.levers.what_if import LeverRow
from seethrough.results.outcome import Outcome
from seethrough.results.timings import Progress, ShowProgress
from seethrough.web.session.given_files import ROLES, ColumnUnderstood, GivenFile, OfferedFile
from seethrough.web.session.settings import Settings, SettingsBook

__all__ = ["ROLES", "ColumnUnderstood", "FileDesk", "GivenFile", "OfferedFile", "Session", "Settings"]

Exploration = Any
Person = Any
STATES = ("empty", "files", "ready", "waiting", "running", "stopped", "failed", "done")
READING = "The tables are being read."
"""What is lacking as long as they are."""
HIDDEN = "•"
"""What stands for a value that is hidden."""


class FileDesk(Protocol):
    """What a worker does with files for pages; reading goes on after these return."""

    def choose(self, role: str, number: int, listed: int) -> None:
        """Take a file of the command line, by its number there."""

    def remove_file(self, role: str, number: int) -> None:
        """Take a file out, and what was read of it."""

    def read_again(self, role: str, number: int, separator: str, encoding: str) -> None:
        """Read a file with another separator or encoding; an empty one is found from the file."""

    def understand(self) -> None:
        """Read columns again whose kind or role has changed."""

    def schema_text(self) -> str:
        """Give the schema as the text of schema.toml."""

    def give_schema(self, text: str) -> str:
        """Take a schema; where it cannot be used, say why in a sentence and change nothing."""


@dataclass
class UnderWay:
    """Something that takes longer than a page: what it is, how far it is, and why it failed."""

    said: str
    progress: Progress | None = None
    failed: str = ""

    def tell(self, progress: Progress) -> None:
        """Remember how far it is."""
        self.progress = progress


@dataclass
class Session:
    """One open audit. `state` is one of `STATES`; in "stopped" and "failed", `why` is a sentence.

    `outcomes` are those measured so far, with the name of the release, in the order in which they came; `place` counts
    the audits that run before this one while it waits. `columns` say how the tables were understood, nothing before the
    real table has been read. `evidence` is by release, as soon as its attacks are done; `began` is when the run
    began, by `time.monotonic`. `desk` reads files, where there is a worker that does; `warning` is said on every page.
    An audit is `is_read_only` where another server holds it. `levers` are the changes that were tried, `under_way` is
    what takes longer than a page; `starter` starts such a thing on another thread, without it `begin` waits for it.
    Where there is no exploration, `lacking` says why; `built_for` is what the one that is there was read for.
    """

    folder: Path
    audit: str = ""
    name: str = ""
    files: dict[str, list[GivenFile]] = field(default_factory=lambda: {role: [] for role in ROLES})
    offered: tuple[OfferedFile, ...] = ()
    book: SettingsBook = field(init=False)
    columns: tuple[ColumnUnderstood, ...] = ()
    exploration: Exploration | None = None
    report: AuditReport | None = None
    outcomes: list[tuple[str, Outcome]] = field(default_factory=list)
    progress: Progress | None = None
    state: str = "empty"
    why: str = ""
    place: int = 0
    person: Person | None = None
    hidden: bool = False
    typed: dict[int, Person] = field(default_factory=dict)
    is_read_only: bool = False
    evidence: dict[str, ReleaseEvidence] = field(default_factory=dict)
    began: float = 0.0
    warning: str = ""
    desk: FileDesk | None = None
    levers: list[LeverRow] = field(default_factory=list)
    under_way: UnderWay | None = None
    starter: Callable[[Callable[[], None]], None] | None = None
    lacking: str = ""
    built_for: object = None

    def __post_init__(self) -> None:
        self.book = SettingsBook(self.folder)

    @property
    def settings(self) -> Settings:
        """Give what is settled now."""
        return self.book.now

    def change(self, version: int | None = None, **changes: Any) -> Settings:
        """Change settings made on a version; raises `SettingsChanged` where that is not the newest."""
        return self.book.change(version, changes)

    def say(self, cell: str) -> str:
        """Give a cell as it may be shown: hidden values do not reach the browser."""
        return HIDDEN if self.hidden else cell

    def pick(self, row: int | None = None, values: Mapping[str, str] | None = None) -> Person:
        """Pick the person that all pages speak about, by its row (from 0) or by values that were typed."""
        assert self.exploration is not None
        person = self.exploration.person(row=row, values=values)
        if values is not None:
            self.typed[len(self.typed) + 1] = person
        self.person = person
        return person

    def begin(self, said: str, job: Callable[[ShowProgress], None]) -> bool:
        """Begin something that may take longer than a page; False where a run or something else is under way."""
        if self.state in {"waiting", "running"} or (self.under_way and not self.under_way.failed):
            return False
        self.under_way = UnderWay(said)
        work = partial(self._do, self.under_way, job)
        if self.starter is None:
            work()
        else:
            self.starter(work)
        return True

    def _do(self, under_way: UnderWay, job: Callable[[ShowProgress], None]) -> None:
        try:
            job(under_way.tell)
        except SeethroughError as error:
            under_way.failed = str(error)
        except Exception as error:  # noqa: BLE001  a defect of one answer must not end the audit; it names no value
            under_way.failed = f"This could not be computed because of a defect ({type(error).__name__})."
        else:
            self.under_way = None

    def put_file(self, file: GivenFile) -> None:
        """Take a file in, or what was found in it."""
        others = [each for each in self.files[file.role] if each.number != file.number]
        self.files[file.role] = sorted([*others, file], key=lambda each: each.number)

    def remove_file(self, role: str, number: int) -> None:
        """Take a file out."""
        self.files[role] = [each for each in self.files[role] if each.number != number]

    def relabel(self, role: str, number: int, label: str) -> None:
        """Call a file by another name."""
        self.files[role] = [replace(each, label=label) if each.number == number else each for each in self.files[role]]
