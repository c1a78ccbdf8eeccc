"""What waits to be answered: in order, but of several questions of one tab about one thing only the newest."""

import threading
from collections import deque

from seethrough.web.messages import Message

CHANGING = frozenset({"files", "columns", "question", "hide", "person", "whatif"})
"""Pages whose forms change something: none of these may be left out."""


class Inbox:
    """Messages that a thread takes in and another one takes out."""

    def __init__(self) -> None:
        self._waiting: deque[Message] = deque()
        self._has_come = threading.Condition()

    def put(self, message: Message) -> list[Message]:
        """Take a message in; give those that it makes needless."""
        with self._has_come:
            needless = [each for each in self._waiting if is_replaced(each, message)]
            for each in needless:
                self._waiting.remove(each)
            self._waiting.append(message)
            self._has_come.notify()
        return needless

    def take(self) -> Message:
        """Take the next message out, as soon as there is one."""
        with self._has_come:
            while not self._waiting:
                self._has_come.wait()
            return self._waiting.popleft()


def is_replaced(older: Message, newer: Message) -> bool:
    """Tell whether a newer message of the same tab asks about the same page as an older one that changes nothing."""
    if not older.get("tab") or "page" not in older or "page" not in newer:
        return False
    changes = older.get("form") is not None and older["page"] in CHANGING
    return not changes and all(older.get(key) == newer.get(key) for key in ("tab", "page", "path"))
