"""A reverse mapping for the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.terminal.printing import show, text
from seethrough.report.words import wording


@dataclass(frozen=True)
class MappingSummary:
    """What was mapped: the real table, and for each synthetic one the mean size of the noise of each number."""

    version: str
    real: str
    size: int
    columns: int
    noise: Mapping[str, Mapping[str, float]]
    notes: tuple[str, ...]
    seed: int


def render(found: MappingSummary, remarks: Sequence[str], console: Console) -> None:
    """Print what was mapped, and what that means."""
    show(lambda on: _print(found, remarks, on), console)


def _print(found: MappingSummary, remarks: Sequence[str], console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(found.version)}: reverse mapping", "bold"))
    lines = Table.grid(padding=(0, 2, 0, 0))
    for name, said in (
        ("real", f"{untrusted.name(found.real)}, {wording.count_of(found.size, 'record')}"),
        ("columns", wording.count(found.columns)),
        ("seed", str(found.seed)),
    ):
        lines.add_row(Text(name, "dim"), text(console, said))
    console.print(lines)
    for number, (name, noise) in enumerate(found.noise.items(), 1):
        console.print()
        console.print(text(console, f"mapped-{number}: {untrusted.name(name)}", "bold"))
        told = ", ".join(f"{untrusted.name(column)} {wording.compact(size)}" for column, size in noise.items())
        console.print(text(console, f"mean size of the noise that was taken away: {told or 'no numbers'}"))
    console.print()
    for remark in remarks:
        console.print(text(console, remark))
    for note in found.notes:
        console.print(text(console, f"note: {note}", "dim"))
