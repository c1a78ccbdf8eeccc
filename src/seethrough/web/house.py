"""The house: audits with their journals, uploads and workers, joined to what the routes ask for.

Everything that changes an audit's state on disk besides its worker stands here, so that there is one writer.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seethrough.system.held_folders import make_held_folder, remove_held_folder
from seethrough.text.printable import sentence
from seethrough.web.audits.shelf import AuditShelf
from seethrough.web.audits.state_folder import open_state, state_place
from seethrough.web.audits.stored_audit import StoredAudit
from seethrough.web.events import FILE, Journal
from seethrough.web.history import list_row, text_of
from seethrough.web.messages import Answer, Asked, Message, conflict, not_found, redirect
from seethrough.web.opening_command import check_offered, describe_audit, describe_wishes
from seethrough.web.processes.worker_pool import WorkerPool
from seethrough.web.processes.worker_process import WorkerEnded, WorkerLimits
from seethrough.web.rooms import Form, Wishes
from seethrough.web.uploads import UploadLimits, UploadRefused, receive

ROLES = {"real": 1, "synthetic": 100, "holdout": 1}
"""What a file can be, and how many there may be."""
HELD = "Another server holds this audit; here it can be read only."
BUSY = "This audit is running already; wait until it ends, or stop it."
START = "../../"
"""The start page as seen from a page of an audit."""
SCRATCH = "scratch-"
_JOURNALED = frozenset({"begun", "progress", "outcome", "verdict", "finished", "stopped", "failed", "done"})
_LABEL, _NAME, _NOTE = 200, 80, 1000


@dataclass
class House:
    """The rooms of one server (rooms.py)."""

    wishes: Wishes = field(default_factory=Wishes)
    place: Path = field(default_factory=state_place)
    limits: WorkerLimits | None = None
    uploads: UploadLimits | None = None

    def __post_init__(self) -> None:
        self._state = open_state(self.place)
        wishes = self.wishes
        self._uploads = self.uploads or UploadLimits(wishes.limit)
        self._scratch = make_held_folder(self._state, SCRATCH)
        self._shelf = AuditShelf(self._state, is_private=wishes.is_private, is_kept=wishes.keeps)
        limits = self.limits or WorkerLimits(wishes.memory, wishes.threads or None)
        self._workers = WorkerPool(limits, self._scratch, self)
        self._journals: dict[str, Journal] = {}
        self._places: dict[str, int] = {}
        self._first = self._create_first()

    @property
    def folder(self) -> Path:
        """Give the state folder, which is this user's alone."""
        return self._state

    @property
    def workers(self) -> WorkerPool:
        """Give the workers."""
        return self._workers

    def opening(self) -> str:
        """Give the page to begin with, below the start page."""
        return f"a/{self._first}/" if self._first else ""

    async def start(self) -> None:
        """Remove what dead servers left, start a spare worker, open what the command line names."""
        self._shelf.tidy()
        await self._workers.start()
        if self._first:
            await self._workers.find(self._first)

    def _create_first(self) -> str:
        """Make the audit that the command line speaks of, where it does."""
        wishes = self.wishes
        if wishes.audit is not None:
            opened = self._shelf.create(wishes.audit.absolute().name, str(wishes.audit.absolute()))
            opened.change(state="done")
            return opened.record.audit
        has_roles = wishes.real or wishes.synthetic or wishes.holdout
        return self._shelf.create().record.audit if has_roles else ""

    async def close(self) -> None:
        """End all workers and remove the tables that are not kept."""
        await self._workers.close()
        for journal in self._journals.values():
            journal.close()
        self._shelf.close()
        remove_held_folder(self._scratch)

    def is_busy(self) -> bool:
        """Tell whether a run goes on."""
        return bool(self._workers.running or self._workers.line)

    def listing(self) -> tuple[Mapping[str, Any], ...]:
        """Give the rows of the start page, the newest first."""
        return tuple(list_row(each) for each in self._shelf.list_audits())

    async def create(self, *, sample: bool) -> str:
        """Make a new audit, with the shipped tables in it or without any; give its id."""
        audit = self._shelf.create().record.audit
        if sample:
            await self._command(audit, {"do": "sample"})
        return audit

    def holds(self, audit: str) -> bool:
        """Tell whether there is an audit with this id."""
        return self._shelf.find(audit) is not None

    async def ask(self, audit: str, asked: Asked) -> Answer:
        """Have the worker of an audit make a page; an audit that another server holds is not changed."""
        found = self._shelf.find(audit)
        if found is None:
            return not_found("There is no such audit.")
        if asked.form is not None and found.is_read_only and asked.page in {"files", "columns", "question"}:
            return conflict(HELD)
        return await self._workers.ask(audit, asked)

    async def run(self, audit: str, form: Form) -> Answer:
        """Begin a run, or let it wait in line; a question that is posted with it is settled first."""
        found = self._shelf.find(audit)
        if found is None:
            return not_found("There is no such audit.")
        if found.is_read_only:
            return conflict(HELD)
        if "preset" in form and not self._refuse_change(found):
            settled = await self._workers.ask(audit, Asked("question", form=form))
            if settled.status != 303:
                return settled
        return await self._begin(found)

    async def _begin(self, found: StoredAudit) -> Answer:
        """Begin a run; who follows the events sees from now on those of this run."""
        if refusal := self._refuse_change(found):
            return refusal
        audit, journal = found.record.audit, self._journal(found.record.audit)
        journal.append("waiting", {"place": 0})
        answer = await self._workers.run(audit)
        if answer.status >= 400:
            journal.append("done", {"state": found.record.state})
        return answer

    async def cancel(self, audit: str) -> Answer:
        """Stop a run."""
        await self._workers.cancel(audit)
        return redirect("run")

    async def receive(
        self, audit: str, place: tuple[str, str], label: str, length: int, pieces: AsyncIterator[bytes]
    ) -> Answer:
        """Store a file that arrives in pieces, and have the worker read it."""
        found, (role, number) = self._shelf.find(audit), place
        if found is None or role not in ROLES or not number.isdecimal() or int(number) >= ROLES[role]:
            return not_found("There is no such place for a file.")
        if refusal := self._refuse_change(found):
            return refusal
        found.tables.mkdir(0o700, exist_ok=True)
        try:
            await receive(found.tables / f"{role}-{int(number)}", length, pieces, self._uploads)
        except UploadRefused as refused:
            return Answer(refused.status, said=refused.said)
        told = {"do": "file", "role": role, "number": int(number), "label": sentence(label, _LABEL) or role}
        return await self._command(audit, told)

    def follow(self, audit: str, after: int) -> AsyncIterator[bytes] | None:
        """Give events after a number as an event stream; None where too many follow already."""
        return self._journal(audit).follow(after)

    async def download(self, audit: str, name: str) -> Path | None:
        """Find a file to be taken away, which the worker may have to make first."""
        found = self._shelf.find(audit)
        if found is None:
            return None
        answer = await self._command(audit, {"do": "file-to-take", "name": name})
        place = found.folder / answer.to
        return place if answer.status == 200 and answer.to and place.is_file() and not place.is_symlink() else None

    async def manage(self, audit: str, what: str, form: Form) -> Answer:
        """Rename, keep, forget the tables of, or delete an audit."""
        found = self._shelf.find(audit)
        if found is None:
            return not_found("There is no such audit.")
        if found.is_read_only:
            return conflict(HELD)
        if what == "name":
            return self._rename(found, form)
        if what == "keep":
            found.change(is_kept=text_of(form, "keep") != "no" and not found.record.is_private)
            return redirect(START)
        if what in {"forget", "delete"}:
            return await self._remove(found, what)
        return not_found("There is no such thing to do.")

    def _rename(self, found: StoredAudit, form: Form) -> Answer:
        name, note = (text_of(form, field_name, before) for field_name, before in _texts(found))
        found.change(name=sentence(name, _NAME), note=sentence(note, _NOTE))
        self._workers.tell(found.record.audit, {"do": "name", "name": found.record.name})
        return redirect(START)

    async def _remove(self, found: StoredAudit, what: str) -> Answer:
        audit = found.record.audit
        await self._workers.cancel(audit)
        await self._workers.end(audit)
        if what == "forget":
            found.forget_tables()
            return redirect(START)
        self._journals.pop(audit, Journal(found.folder / FILE)).close()
        self._shelf.delete(found)
        return redirect(START)

    def _refuse_change(self, found: StoredAudit) -> Answer | None:
        if found.is_read_only:
            return conflict(HELD)
        audit = found.record.audit
        is_busy = audit == self._workers.running or audit in self._workers.line
        return Answer(409, said=BUSY, to="run") if is_busy else None

    async def _command(self, audit: str, message: Message) -> Answer:
        try:
            told = await self._workers.command(audit, message)
        except WorkerEnded as ended:
            return Answer(502, said=str(ended))
        except TimeoutError:
            return Answer(504, said="The process of this audit does not answer.")
        return Answer(int(told["status"]), said=str(told.get("said", "")), to=str(told.get("to", "")))

    def _journal(self, audit: str) -> Journal:
        found = self._shelf.find(audit)
        assert found is not None
        if audit not in self._journals:
            self._journals[audit] = Journal(found.folder / FILE, found.is_read_only)
        return self._journals[audit]

    # What workers tell (processes/worker_pool.py).

    def describe(self, audit: str) -> Message:
        """Give the command that opens an audit in a worker."""
        found = self._shelf.find(audit)
        assert found is not None
        asked = describe_wishes(self.wishes, is_first=audit == self._first, limit=self._uploads.size)
        return {**describe_audit(found), **asked, "place": self._places.get(audit, 0)}

    def hear(self, audit: str, event: str, data: Message) -> None:
        """Take an event that a worker tells: what is about a run stands in its journal."""
        found = self._shelf.find(audit)
        if found is None or found.is_read_only:
            return
        if event in _JOURNALED:
            self._journal(audit).append(event, data)
        with suppress(OSError):  # a full disk: the state is right as long as the server lives
            self._remember(found, event, data)
        if event == "done":
            self._workers.finish_run(audit)

    def _remember(self, found: StoredAudit, event: str, data: Message) -> None:
        known = {"state", "labels", "rows", "why", "verdict"}
        if event in {"state", "finished"}:
            changes = {name: value for name, value in data.items() if name in known}
            name = found.record.name or sentence(str(data.get("name", "")), _NAME)
            found.change(**changes, name=name)
        elif event == "begun":
            self._places.pop(found.record.audit, None)
            found.change(state="running", why="", verdict={})
        elif event in {"stopped", "failed"}:
            found.change(why=str(data.get("said", "")))
        elif event == "done":
            found.change(state=str(data.get("state", "done")))

    def end_run(self, audit: str, state: str, said: str) -> None:
        """Take that a run ended before its end."""
        self._places.pop(audit, None)
        self.hear(audit, state, {"said": said})
        self.hear(audit, "done", {"state": state})
        self._workers.tell(audit, {"do": "state", "state": state, "why": said, "place": 0})

    def wait(self, audit: str, place: int) -> None:
        """Take that an audit waits, and behind how many others."""
        found = self._shelf.find(audit)
        if found is None or self._places.get(audit) == place:
            return
        self._places[audit] = place
        self._journal(audit).append("waiting", {"place": place})
        with suppress(OSError):
            found.change(state="waiting", why="")
        self._workers.tell(audit, {"do": "state", "state": "waiting", "why": "", "place": place})


def make_house(wishes: Wishes) -> House:
    """Make the rooms that the command line asks for; files that are not there are refused at once."""
    check_offered(wishes)
    return House(wishes)


def _texts(found: StoredAudit) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("name", found.record.name), ("note", found.record.note)
