"""Where the time of an audit went, for the terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.terminal.printing import show, text
from seethrough.report.words import wording
from seethrough.results.timings import Timings

_NAME_LENGTH = 40


def render(timings: Timings, console: Console, faster: Sequence[str] = ()) -> None:
    """Print what checks, shared computations and further steps cost, slowest first, and what would have been faster."""
    show(lambda on: _print(timings, on, faster), console)


def _print(timings: Timings, console: Console, faster: Sequence[str]) -> None:
    total, reading, rest = map(wording.duration, (timings.total, timings.reading, max(0.0, timings.rest)))
    console.print()
    console.print(Text(f"Where the time went: {total} in all, {reading} to read, {rest} for the rest", "bold"))
    console.print()
    console.print(_checks(timings, console))
    console.print()
    console.print(_shared(timings, console))
    if timings.steps:
        console.print()
        console.print(_steps(timings, console))
    if faster:
        console.print()
        console.print(Text("What would have made it faster", "bold"))
    for sentence in faster:
        console.print(text(console, f"- {sentence}"))


def _checks(timings: Timings, console: Console) -> Table:
    several = len({cost.synthetic for cost in timings.checks}) > 1
    table = _table("checks by themselves", "synthetic table" if several else "")
    for heading in ("release", "copy", "independent", "all"):
        table.add_column(Text(heading), justify="right", no_wrap=True)
    for cost in timings.checks:
        on = untrusted.visible(cost.synthetic, _NAME_LENGTH) if several else ""
        seconds = cost.release, cost.copy, cost.independent, cost.seconds
        name = text(console, cost.check, longest=_NAME_LENGTH)
        table.add_row(name, text(console, on), *map(wording.duration, seconds))
    return table


def _shared(timings: Timings, console: Console) -> Table:
    table = _table("shared computations", "on")
    for heading in ("different", "computed", "asked for", "all"):
        table.add_column(Text(heading), justify="right", no_wrap=True)
    for cost in timings.shared:
        tables = ", ".join(untrusted.visible(name, _NAME_LENGTH) for name in cost.tables)
        counts = map(wording.count, (cost.different, cost.computed, cost.asked))
        name = text(console, cost.request, longest=_NAME_LENGTH)
        table.add_row(name, text(console, tables), *counts, wording.duration(cost.seconds))
    return table


def _steps(timings: Timings, console: Console) -> Table:
    table = _table("besides checks", "synthetic table")
    table.add_column(Text("all"), justify="right", no_wrap=True)
    for cost in timings.steps:
        on = untrusted.visible(cost.synthetic, _NAME_LENGTH)
        table.add_row(text(console, cost.step), text(console, on), wording.duration(cost.seconds))
    return table


def _table(what: str, on: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(Text(what), overflow="fold")
    table.add_column(Text(on), overflow="fold")
    return table
