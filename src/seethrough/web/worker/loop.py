"""The loop of a worker: one thread listens, one answers, one computes.

The one that listens ends the process as soon as the server is gone. While something is computed, pages are made from
what is there.
"""

import os
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from seethrough.errors import SeethroughError
from seethrough.exploring.stored_audits import installed_cards
from seethrough.kernels.learning.boosting_library import load_lightgbm
from seethrough.web.messages import (
    Answer,
    Message,
    MessageRefused,
    conflict,
    not_found,
    pack_message,
    read_message,
    read_question,
    reply,
)
from seethrough.web.pages import MODULES, find_page, make_page
from seethrough.web.session.session import Session
from seethrough.web.worker.computing import Computing
from seethrough.web.worker.inbox import Inbox
from seethrough.web.worker.opening import open_session
from seethrough.web.worker.reading_desk import ReadingDesk
from seethrough.web.worker.running import Running
from seethrough.web.worker.taking import find_file_to_take

NEWER = "A newer question took the place of this one."
_NO_FILE = "There is no such file."
_TOO_LARGE = "The page is too large to be shown."


class WorkerLoop:
    """A worker between its two pipes."""

    def __init__(self, hearing: BinaryIO, telling: BinaryIO) -> None:
        self._hearing, self._telling = hearing, telling
        self._inbox = Inbox()
        self._writing = threading.Lock()
        self.computing = Computing()
        self.session: Session | None = None
        self.desk: ReadingDesk | None = None
        self._commands: dict[str, Callable[[Message], Answer]] = {
            "open": self._open,
            "file": self._take_file,
            "sample": self._take_sample,
            "run": self._run,
            "state": self._take_state,
            "name": self._take_name,
            "file-to-take": self._file_to_take,
        }

    def serve(self) -> None:
        """Answer until the server is gone; what answers need is loaded before the first question comes.

        What only a run needs is loaded beside, while files travel and are read.
        """
        threading.Thread(target=self._listen, name="listening", daemon=True).start()
        for name in MODULES:
            find_page(name)
        installed_cards()
        threading.Thread(target=_load_learners, name="loading", daemon=True).start()
        while True:
            message = self._inbox.take()
            self._answer(message, self._handle(message))

    def tell(self, event: str, data: dict[str, Any]) -> None:
        """Tell the server an event."""
        self._send({"event": event, "data": data})

    def _listen(self) -> None:
        try:
            while (message := read_message(self._hearing)) is not None:
                for needless in self._inbox.put(message):
                    self._answer(needless, conflict(NEWER))
        finally:
            os._exit(0)  # the server is gone: whatever is computed, nobody waits for it

    def _answer(self, message: Message, answer: Answer) -> None:
        number = int(message.get("n", 0))
        try:
            self._send(reply(number, answer))
        except MessageRefused:
            self._send(reply(number, Answer(500, said=_TOO_LARGE)))

    def _send(self, message: Message) -> None:
        content = pack_message(message)
        with self._writing:
            self._telling.write(content)
            self._telling.flush()

    def _handle(self, message: Message) -> Answer:
        try:
            if "page" not in message:
                return self._commands[str(message["do"])](message)
            if self.session is None:
                return not_found("No audit is open.")
            return make_page(self.session, read_question(message))
        except SeethroughError as error:
            return Answer(400, said=str(error))
        except Exception as error:  # noqa: BLE001  a page with a defect must not end the audit; it names no value
            return Answer(500, said=f"This could not be answered because of a defect: {name_defect(error)}.")

    def _open(self, message: Message) -> Answer:
        self.session, self.desk = open_session(message, self.computing, self.tell)
        return Answer(200)

    def _take_file(self, message: Message) -> Answer:
        assert self.desk is not None
        self.desk.take(str(message["role"]), int(message["number"]), str(message["label"]))
        return Answer(200)

    def _take_sample(self, message: Message) -> Answer:
        assert self.desk is not None
        self.desk.take_sample()
        return Answer(200)

    def _run(self, message: Message) -> Answer:
        assert self.session is not None
        assert self.desk is not None
        return Running(self.session, self.desk, self.computing, self.tell).begin()

    def _take_state(self, message: Message) -> Answer:
        assert self.session is not None
        self.session.state, self.session.why = str(message["state"]), str(message.get("why", ""))
        self.session.place = int(message.get("place", 0))
        return Answer(200)

    def _take_name(self, message: Message) -> Answer:
        assert self.session is not None
        self.session.name = str(message["name"])
        return Answer(200)

    def _file_to_take(self, message: Message) -> Answer:
        assert self.session is not None
        place = find_file_to_take(self.session, str(message["name"]))
        return Answer(200, to=str(place.relative_to(self.session.folder))) if place else not_found(_NO_FILE)


def _load_learners() -> None:
    """Load the packages that learn, which takes a second; a run says what is wrong with them."""
    with suppress(SeethroughError, ImportError):
        load_lightgbm()


def name_defect(error: BaseException) -> str:
    """Name an error of our own by its type and place; its message may hold a value."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
