"""Progress of a study on the error stream: a live bar in a terminal, plain lines in a log."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seethrough.cli.output import remark

if TYPE_CHECKING:
    from rich.console import Console

    from seethrough.study.run.running import StudyProgress

EVERY = 10.0
"""Seconds between lines in a log."""


@contextmanager
def show_progress(name: str) -> "Iterator[Callable[[StudyProgress], None]]":
    """Give a function that shows how far a study has come, at which rate, and how long it will take."""
    from seethrough.report.terminal.printing import open_console

    console = open_console(is_error=True)
    if console.is_terminal:
        with _bar(name, console) as show:
            yield show
    else:
        yield _Lines(name).show


@contextmanager
def _bar(name: str, console: "Console") -> "Iterator[Callable[[StudyProgress], None]]":
    from rich import progress

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TextColumn("{task.completed:.0f}/{task.total:.0f} cells"),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeElapsedColumn(),
    )
    # Rich would draw what others print meanwhile, with the escape sequences in it.
    whole = progress.Progress(*columns, console=console, redirect_stdout=False, redirect_stderr=False, transient=True)
    with whole as drawn:
        task = drawn.add_task(name, total=1, rate="")

        def show(now: "StudyProgress") -> None:
            there = now.before + now.computed
            drawn.update(task, completed=there, total=now.cells - now.unavailable, rate=rate(now))

        yield show


class _Lines:
    """Writes a line now and then."""

    def __init__(self, name: str) -> None:
        self._name, self._last = name, time.monotonic()

    def show(self, now: "StudyProgress") -> None:
        """Write a line if the last one is old enough."""
        if time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            there = now.before + now.computed
            remark(f"{self._name}: {there} of {now.cells - now.unavailable} cells, {rate(now)}")


def rate(now: "StudyProgress") -> str:
    """Say how fast it goes, how long it will take, and what failed."""
    if not now.computed or now.seconds_left is None:
        return "starting"
    failed = f", {now.failed} failed" if now.failed else ""
    return f"{now.rate:.2f} a second, {format_duration(now.seconds_left)} left{failed}"


def format_duration(seconds: float) -> str:
    """Write a time as people do."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 100 else f"{minutes / 60:.1f} h"
