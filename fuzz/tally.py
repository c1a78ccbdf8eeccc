"""Counting what cases came to: endings, and findings of one kind together."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.case import Played

_VARIES = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?|0x[0-9a-f]+|'[^']*'|\"[^\"]*\"")


@dataclass
class Kind:
    """Findings of one kind: what is broken, how often, and one case that shows it."""

    what: str
    example: Played
    times: int = 1


@dataclass
class Tally:
    """What the cases of one target came to."""

    target: str
    seed: int
    cases: int = 0
    tables: int = 0
    seconds: float = 0.0
    endings: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Kind] = field(default_factory=dict)

    @property
    def findings(self) -> int:
        """Count the cases that broke a promise."""
        return sum(kind.times for kind in self.kinds.values())

    def add(self, played: Played) -> bool:
        """Count a case; true where it is the first finding of its kind."""
        self.cases += 1
        self.tables += played.tables
        self.seconds += played.seconds
        if not played.broken:
            self.endings[f"{played.did}: {played.how}"] += 1
            return False
        name = _VARIES.sub("_", played.broken)
        if name in self.kinds:
            self.kinds[name].times += 1
            return False
        self.kinds[name] = Kind(played.broken, played)
        return True

    def replay(self, played: Played) -> str:
        """Give the command that runs a case again."""
        rows = f" --rows {played.rows}" if played.rows else ""
        return f"python -m fuzz {self.target} --seed {self.seed} --case {played.number}{rows}"

    def line(self) -> str:
        """Sum up in one line."""
        each = 1000 * self.seconds / max(1, self.cases)
        return (
            f"{self.target:14} {self.cases:8,} cases {self.tables:8,} tables {self.findings:6,} findings "
            f"of {len(self.kinds):3} kinds {self.seconds:8.0f} s, {each:5.0f} ms each"
        )


def write_findings(tally: Tally, folder: Path) -> None:
    """Write one file for each kind of finding, with the command that replays it."""
    for number, kind in enumerate(tally.kinds.values(), 1):
        told = (tally.replay(kind.example), f"{kind.times} times", kind.what, kind.example.trace)
        (folder / f"{tally.target}-{number:03}.txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")
