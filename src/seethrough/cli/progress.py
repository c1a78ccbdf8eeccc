"""Progress on the error stream: a bar in a terminal, elsewhere a line every ten seconds."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING

from seethrough.cli.output import remark

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import ProgressColumn

    from seethrough.results.timings import Progress, ShowProgress

EVERY = 10.0
"""Seconds between lines where there is no terminal."""


@contextmanager
def progress_bar() -> "Iterator[ShowProgress]":
    """Give a function that shows how far a computation is and how long it will take."""
    from seethrough.report.terminal.printing import open_console

    console, watch = open_console(is_error=True), _Watch()
    if console.is_terminal:
        with _bar(watch, console) as show:
            yield show
    else:
        with show_lines(watch.line):
            yield watch.note


@dataclass
class _Watch:
    """What is being done, and how long it took so far."""

    begun: float = field(default_factory=lambda: time.monotonic())
    working_since: float | None = None
    now: "Progress | None" = None

    def note(self, now: "Progress") -> None:
        """Take notice of how far the work is; reading tables, which has no steps, comes before the first note."""
        if self.working_since is None:
            self.working_since = time.monotonic()
        self.now = now

    def times(self) -> str:
        """Say how long it took so far, and how long the rest will take if it goes on like that."""
        return say_times(time.monotonic() - self.begun, self._seconds_left())

    def _seconds_left(self) -> float | None:
        if self.now is None or self.working_since is None or self.now.done <= 0:
            return None
        return (time.monotonic() - self.working_since) * (self.now.steps - self.now.done) / self.now.done

    def line(self) -> str:
        """Say in one line what is being done and how long it will take."""
        return f"{self.now.doing if self.now else 'reading'}: {self.times()}"


@contextmanager
def _bar(watch: _Watch, console: "Console") -> "Iterator[ShowProgress]":
    from rich import progress

    doing = progress.TextColumn("{task.description:<14}", markup=False)
    columns = doing, progress.BarColumn(), times_column(watch.times)
    # Rich would draw what others print meanwhile, with the escape sequences in it.
    whole = progress.Progress(*columns, console=console, redirect_stdout=False, redirect_stderr=False, transient=True)
    with whole as drawn:
        task = drawn.add_task("reading", total=None)

        def show(now: "Progress") -> None:
            watch.note(now)
            drawn.update(task, completed=now.done, total=now.steps, description=now.doing)

        yield show


def times_column(times: Callable[[], str]) -> "ProgressColumn":
    """Make the column of a bar that says how long it took and will take, anew whenever the bar is drawn."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Times(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(times())

    return Times()


@contextmanager
def show_lines(say: Callable[[], str]) -> Iterator[None]:
    """Write what `say` gives on the error stream every ten seconds, while the work goes on."""
    ended = Event()

    def keep_saying() -> None:
        while not ended.wait(EVERY):
            with suppress(OSError, ValueError):  # nobody listens any more
                remark(say())

    thread = Thread(target=keep_saying, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def say_times(elapsed: float, left: float | None) -> str:
    """Say how long something took so far, and about how long it will take, where that is known."""
    return f"elapsed {clock(elapsed)}" + ("" if left is None else f", about {clock(left)} left")


def clock(seconds: float) -> str:
    """Write a time as a clock does: minutes and seconds, and hours where there are any."""
    minutes, rest = divmod(round(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
