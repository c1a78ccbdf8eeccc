"""Signals that end a process: first what has to be cleaned is cleaned.

The command line turns them into an exception (`raise_on_signals`), which ends a run as Ctrl-C does. In a program that
uses the library a signal that would end the process at once still does, after cleaning (held_folders.py); one that the
program handles or ignores is left alone. SIGKILL and faults in native code cannot be caught.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_NAMES = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGXCPU", "SIGBREAK")
STOPPING = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""Signals that others send to end a process, as far as this system has them."""
SIGNAL_OF_CTRL_C = int(signal.SIGINT)
INSISTENT = 3.0
"""Seconds after which another signal counts as a new one: until then what the first began is let finish."""


Handler = Callable[[int, FrameType | None], Any]
Disposition = Handler | int | None
"""How a signal is handled: by a function, or by what the signal module has a number for."""


class StoppedBySignal(KeyboardInterrupt):
    """A signal asked the process to end; taken as Ctrl-C wherever that is caught.

    `is_told` is set where the user has been told, because the parser of the command line ends by itself without a word.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.is_told = False


def signal_name(number: int) -> str:
    """Name a signal as users know it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextmanager
def raise_on_signals() -> Iterator[list[StoppedBySignal]]:
    """Raise `StoppedBySignal` in the main thread when a signal comes; those that follow at once are ignored.

    What is given lists what was raised.
    """
    heard: list[StoppedBySignal] = []
    latest = [-INSISTENT]

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  as handlers are called
        now = time.monotonic()
        is_new, latest[0] = now - latest[0] >= INSISTENT, now
        if is_new:
            heard.append(StoppedBySignal(number))
            raise heard[-1]

    before = take_signals(stop, (signal.SIG_DFL, signal.default_int_handler))
    try:
        yield heard
    finally:
        give_signals_back(stop, before)


def take_signals(handler: Handler, instead_of: tuple[Disposition, ...]) -> dict[int, Disposition]:
    """Handle the signals that are handled so far in one of these ways; only the main thread can. Give how they were."""
    found: dict[int, Disposition] = {}
    if threading.current_thread() is threading.main_thread():
        for number in STOPPING:
            if (before := signal.getsignal(number)) in instead_of:
                signal.signal(number, handler)
                found[number] = before
    return found


def give_signals_back(handler: Handler, before: dict[int, Disposition]) -> None:
    """Handle signals as before, but for those that somebody else has taken meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number, disposition in before.items():
        if signal.getsignal(number) is handler:
            signal.signal(number, disposition)


def die_of(number: int) -> None:
    """End this process by a signal as if nobody had handled it."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
