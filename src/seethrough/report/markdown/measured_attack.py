"""What an attack was measured to find, by generator: a section of its page, from the table of a study."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from seethrough.results.evidence import LeakFamily

WIDTH = 130
TABLE = Path("results", "battery-1000", "battery-table.csv")
"""In the folder of documentation."""
FEWEST_RELEASES = 4
"""Releases below which a mean and its error say little."""
SURE = 4
"""Standard errors above chance from which on an attack counts as finding something."""
CHANCE = {LeakFamily.MEMBERSHIP: 0.01, LeakFamily.ATTRIBUTE: 0.0, LeakFamily.IDENTITY: 0.0}
FOUND = {
    LeakFamily.MEMBERSHIP: "members found at 1 % false alarms",
    LeakFamily.ATTRIBUTE: "members guessed right beyond people outside",
    LeakFamily.IDENTITY: "members picked out beyond people outside",
}


@dataclass(frozen=True)
class MeasuredAttack:
    """What an attack found against one generator: a share of people with its standard error, and seconds.

    `data` is the table, with the secret where one is guessed.
    """

    data: str
    generator: str
    found: float
    error: float
    seconds: float

    def is_sure(self, family: LeakFamily) -> bool:
        """Tell whether that is more than chance gives."""
        return self.found - CHANCE[family] > SURE * self.error


def read_measured(docs: Path, attack: str, family: LeakFamily) -> tuple[MeasuredAttack, ...]:
    """Read what is recorded of an attack; nothing where there is no record of it."""
    if not (docs / TABLE).is_file():
        return ()
    name = "tpr_0.01" if family is LeakFamily.MEMBERSHIP else "leak"
    with (docs / TABLE).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["attack"].partition(" (")[0] == attack]
    return tuple(
        MeasuredAttack(
            row["data"] + row["attack"].removeprefix(attack).replace(" (", ", ").rstrip(")"),
            row["synthesizer"],
            float(row[name]),
            float(row[f"{name}_error"]),
            float(row["seconds"]),
        )
        for row in rows
        if row[name] and row[f"{name}_error"] and int(row["releases"]) >= FEWEST_RELEASES
    )


def measured_section(measured: Sequence[MeasuredAttack], family: LeakFamily) -> list[str]:
    """Write which generators an attack was strong against, and against which it found nothing."""
    if not measured:
        return []
    sure = [each for each in measured if each.is_sure(family)]
    strong = {each.generator for each in sure}
    rest = dict.fromkeys(each.generator for each in measured if each.generator not in strong)
    lines = ["", "## Against which generators", ""]
    lines += [
        f"In percent: {FOUND[family]}, mean of ten releases (four of midst) with its standard error; seconds on one",
        "release, beyond what attacks share. How it was measured, and all attacks side by side:",
        "[generators](generators.md).",
        "",
    ]
    if sure:
        lines += ["| table | generator | % | ± se | seconds |", "| --- | --- | --- | --- | --- |"]
        lines += [
            f"| {one.data} | `{one.generator}` | {100 * one.found:.1f} | {100 * one.error:.1f} | {one.seconds:.2f} |"
            for one in sorted(sure, key=lambda one: -one.found)
        ]
    told = wrap(
        f"Within {SURE} standard errors of chance on every table: {', '.join(rest)}.", WIDTH, break_on_hyphens=False
    )
    return [*lines, *([""] if sure and rest else []), *(told if rest else [])]
