"""What views have at hand: the report, the tables where they are there, the person in question, and how to lead on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from seethrough.errors import SeethroughError
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.exploration import Exploration
from seethrough.report.audit_report import AuditReport
from seethrough.report.words import facts
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.outcome import Outcome
from seethrough.results.report import TableAudit
from seethrough.web.messages import Answer, Asked, not_found
from seethrough.web.pages.asking.addresses import AddressRefused, address, number_in
from seethrough.web.pages.asking.person_bar import make_bar
from seethrough.web.pages.asking.picking import asked_person, who
from seethrough.web.pages.drawing.keys import draw_mark_key
from seethrough.web.pages.framing import make_frame
from seethrough.web.rendering import render
from seethrough.web.session.session import READING, Session

AFTER_THE_RUN = "This page is made from what the audit found. It opens after the run."
NO_TABLES = (
    "This page needs the tables of the audit, which are not here any more. The verdict, the scores and the comparison "
    "are made from the report alone."
)


@dataclass(frozen=True)
class PageView:
    """One question about a release of an audit: `page` is the address below `a/ID/`, `release` counts from 0.

    As it stands, the release is one whose run is under way or was broken off: what was found so far. `exploration` is
    None where the tables are gone, or in use.
    """

    session: Session
    page: str
    asked: Asked
    release: int
    exploration: Exploration | None = None
    person: Person | None = None

    @property
    def query(self) -> Mapping[str, str]:
        """Give the words of the address."""
        return self.asked.query

    @property
    def drawn(self) -> str:
        """Say how many people were drawn and attacked; nothing where everybody was."""
        return facts.attacked_people(self.session.report) if self.session.report else ""

    @property
    def releases(self) -> tuple[str, ...]:
        """Name the releases of the audit, as far as they were attacked."""
        return releases_so_far(self.session)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Give what the checks came to."""
        return tuple(found for name, found in self.session.outcomes if name == self.releases[self.release])

    @property
    def evidence(self) -> ReleaseEvidence | None:
        """Give what the attacks came to."""
        return self.session.evidence.get(self.releases[self.release])

    def to(self, page: str, /, **more: object) -> str:
        """Lead to a page about the same person and the same release."""
        release = self.release + 1 if self.release else None
        return address(page, **{**who(self.session, self.person), "release": release, **more})

    def say(self, text: str) -> str:
        """Give a value as it may be shown."""
        return self.session.say(text)

    def key(self, mark: str) -> Markup:
        """Draw a mark for a legend."""
        return draw_mark_key(mark)

    def show(self, template: str, title: str, **values: object) -> Answer:
        """Render a page with the bar of its person."""
        frame = make_frame(self.session, self.page.partition("/")[0], title, depth=self.page.count("/"))
        bar = make_bar(self.session, self.exploration, self.person, self.page, self.asked.query)
        return Answer(200, html=render(template, frame, bar=bar, view=self, **values))


@dataclass(frozen=True)
class View(PageView):
    """A question about an audit that has its report."""

    report: AuditReport = field(kw_only=True)

    @property
    def table(self) -> TableAudit:
        """Give what was found on the release at hand."""
        return self.report.tables[self.release]

    @property
    def releases(self) -> tuple[str, ...]:
        """Name the releases of the audit."""
        return tuple(table.synthetic.name for table in self.report.tables)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Give what the checks came to."""
        return tuple(self.table)

    @property
    def evidence(self) -> ReleaseEvidence | None:
        """Give what the attacks came to."""
        return self.table.evidence


@dataclass(frozen=True)
class TableView(View):
    """A question about an audit whose tables are here."""

    exploration: Exploration
    person: Person

    @property
    def columns(self) -> tuple[str, ...]:
        """List the columns in use; addresses count them from 1."""
        return self.exploration.columns


def show_found(session: Session, asked: Asked, page: str, show: Callable[[PageView], Answer]) -> Answer:
    """Make a view of the report, or, where there is none, of what was found so far."""
    found = releases_so_far(session)
    if session.report is not None or not found:
        return show_view(session, asked, page, show)
    try:
        return show(PageView(session, page, asked, _release(asked, len(found))))
    except AddressRefused as refused:
        return not_found(str(refused))


def releases_so_far(session: Session) -> tuple[str, ...]:
    """Name the releases that a run has come to, in its order."""
    return tuple(dict.fromkeys((*session.evidence, *(name for name, _ in session.outcomes))))


def show_view(session: Session, asked: Asked, page: str, show: Callable[[View], Answer]) -> Answer:
    """Make a view of the report, with the tables where they are here."""
    if session.report is None:
        return show_missing(session, page, AFTER_THE_RUN)
    try:
        if session.exploration is None:
            release = _release(asked, len(session.report.tables))
            return show(View(session, page, asked, release, report=session.report))
        return show(_table_view(session, session.exploration, asked, page))
    except (AddressRefused, SeethroughError) as refused:
        return not_found(str(refused))


def show_tables(session: Session, asked: Asked, page: str, show: Callable[[TableView], Answer]) -> Answer:
    """Make a view that needs the tables; say so where they are gone, or where the audit has not run."""
    if session.report is None:
        return show_missing(session, page, AFTER_THE_RUN)
    if session.exploration is None:
        return show_missing(session, page, session.lacking or NO_TABLES)
    try:
        return show(_table_view(session, session.exploration, asked, page))
    except (AddressRefused, SeethroughError) as refused:
        return not_found(str(refused))


def show_missing(session: Session, page: str, says: str) -> Answer:
    """Say what a page waits for, and lead to where it comes from."""
    depth = page.count("/")
    frame = make_frame(session, page.partition("/")[0], "Not yet", depth=depth)
    values = {"says": says, "is_being_read": says == READING}
    link, todo = ("run", "To the run") if session.report is None else ("files", "Give the tables again")
    return Answer(200, html=render("missing", frame, **values, link="../" * depth + link, todo=todo))


def _release(asked: Asked, releases: int) -> int:
    return (number_in(asked.query, "release", releases, "release") or 1) - 1


def _table_view(session: Session, exploration: Exploration, asked: Asked, page: str) -> TableView:
    assert session.report is not None
    release = _release(asked, len(session.report.tables))
    person = asked_person(session, exploration, asked.query)
    return TableView(session, page, asked, release, exploration, person, report=session.report)
