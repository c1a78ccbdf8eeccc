"""A progress bar on the error stream, in a terminal only."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seethrough.results.timings import ShowProgress


@contextmanager
def progress_bar() -> "Iterator[ShowProgress]":
    """Give a function that shows how far a computation is and how long it will take."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from seethrough.report.terminal.printing import open_console

    console = open_console(is_error=True)
    columns = (
        TextColumn("{task.description:<14}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    # Rich would draw what others print meanwhile, with the escape sequences in it.
    shown = Progress(*columns, console=console, redirect_stdout=False, redirect_stderr=False, transient=True)
    shown.disable = not console.is_terminal
    with shown:
        task = shown.add_task("reading", total=None)
        yield lambda now: shown.update(task, completed=now.done, total=now.steps, description=now.doing)
