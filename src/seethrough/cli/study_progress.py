"""Progress of a study on the error stream: a live bar in a terminal, a line every ten seconds elsewhere."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seethrough.cli.progress import say_times, show_lines, times_column

if TYPE_CHECKING:
    from rich.console import Console

    from seethrough.study.run.running import StudyProgress


@contextmanager
def show_progress(name: str) -> "Iterator[Callable[[StudyProgress], None]]":
    """Give a function that shows how far a study has come, at which rate, and how long it will take."""
    from seethrough.report.terminal.printing import open_console

    console, watch = open_console(is_error=True), StudyWatch(name)
    if console.is_terminal:
        with _bar(watch, console) as show:
            yield show
    else:
        with show_lines(watch.line):
            yield watch.note


class StudyWatch:
    """How far a study has come, and since when it runs."""

    def __init__(self, name: str) -> None:
        self.name, self.begun = name, time.monotonic()
        self.now: StudyProgress | None = None

    def note(self, now: "StudyProgress") -> None:
        """Take notice of how far the study is."""
        self.now = now

    def line(self) -> str:
        """Say in one line how many cells there are, how fast it goes and how long it will take."""
        if self.now is None:
            return f"{self.name}: starting, {self.times()}"
        there = self.now.before + self.now.computed
        speed = f", {rate(self.now)}" if self.now.computed else ""
        return f"{self.name}: {there} of {self.now.cells - self.now.unavailable} cells{speed}, {self.times()}"

    def times(self) -> str:
        """Say how long it took so far, and how long the rest will take at this rate."""
        return say_times(time.monotonic() - self.begun, self.now.seconds_left if self.now else None)


@contextmanager
def _bar(watch: StudyWatch, console: "Console") -> "Iterator[Callable[[StudyProgress], None]]":
    from rich import progress

    columns = (
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.TextColumn("{task.completed:.0f}/{task.total:.0f} cells"),
        progress.TextColumn("{task.fields[rate]}"),
        times_column(watch.times),
    )
    # Rich would draw what others print meanwhile, with the escape sequences in it.
    whole = progress.Progress(*columns, console=console, redirect_stdout=False, redirect_stderr=False, transient=True)
    with whole as drawn:
        task = drawn.add_task(watch.name, total=1, rate="")

        def show(now: "StudyProgress") -> None:
            watch.note(now)
            there = now.before + now.computed
            drawn.update(task, completed=there, total=now.cells - now.unavailable, rate=rate(now))

        yield show


def rate(now: "StudyProgress") -> str:
    """Say how fast it goes, and what failed."""
    if not now.computed:
        return "starting"
    failed = f", {now.failed} failed" if now.failed else ""
    return f"{now.rate:.2f} a second{failed}"


def format_duration(seconds: float) -> str:
    """Write a time as people do."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 100 else f"{minutes / 60:.1f} h"
