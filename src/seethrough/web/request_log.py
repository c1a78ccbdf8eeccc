"""What the server tells on standard error: routes by their pattern, never what was asked, by whom, or with what.

A line has the time, the method, the pattern of the route, the status and the milliseconds. Refused requests have the
step that refused instead, at most one line a second: others on the machine cannot fill the terminal.
"""

import time
import traceback
from collections.abc import Callable
from pathlib import Path

_EVERY = 1.0
"""Seconds between two lines about refused requests."""


class RequestLog:
    """Writes one line for each answer, and few for what was refused; notes when the last answer was given."""

    def __init__(self, write: Callable[[str], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._refused_at, self._unsaid = float("-inf"), 0
        self.latest = clock()
        """When the one who may ask last did."""

    def note_answer(self, method: str, pattern: str, status: int, seconds: float) -> None:
        """Note an answer."""
        self.latest = self._clock()
        self._line(f"{method} {pattern} {status} {1000 * seconds:.0f} ms")

    def note_refusal(self, step: str, status: int) -> None:
        """Note a request that was refused; those within a second of another are counted."""
        now = self._clock()
        if now - self._refused_at < _EVERY:
            self._unsaid += 1
            return
        more = f", {self._unsaid} more before" if self._unsaid else ""
        self._refused_at, self._unsaid = now, 0
        self._line(f"refused by {step} {status}{more}")

    def note_error(self, error: BaseException) -> None:
        """Note an error of the program by its kind and place; its text may hold values of a table."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        self._line(f"error of the program: {type(error).__name__} in {Path(place.filename).name}, line {place.lineno}")

    def _line(self, text: str) -> None:
        self._write(f"{time.strftime('%H:%M:%S')} {text}")
