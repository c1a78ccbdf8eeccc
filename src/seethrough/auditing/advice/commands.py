"""The commands that measure what is advised, as they are typed in the folder of the report and the tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

from seethrough.auditing.levers.grammar import Lever

_LONGEST = 40


@dataclass(frozen=True)
class TableNames:
    """What the tables of an audit are called."""

    real: str
    synthetic: tuple[str, ...]
    holdout: str | None = None

    def whatif(self, *levers: Lever) -> str:
        """Give the command that applies levers and attacks again; without people outside these come first."""
        if self.holdout is None:
            return self.split()
        return _joined(
            ["seethrough", "whatif", ".", *self._tables(), *(_option("lever", str(each)) for each in levers)]
        )

    def audit(self) -> str:
        """Give the command that audits again."""
        return _joined(["seethrough", "audit", *self._tables()])

    def split(self) -> str:
        """Give the command that sets people aside."""
        return _joined(["seethrough", "split", quote(self.real), "--out", "split"])

    def _tables(self) -> list[str]:
        outside = [] if self.holdout is None else [_option("holdout", self.holdout)]
        return [_option("real", self.real), *(_option("synthetic", name) for name in self.synthetic), *outside]


def column_name(name: str) -> str:
    """Give the name of a column at a length that a sentence can hold."""
    return repr(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")


def list_numbers(numbers: Sequence[int], most: int) -> str:
    """List the first numbers, and say how many more there are."""
    shown = ", ".join(f"{number:,}" for number in numbers[:most])
    return f"{shown} and {len(numbers) - most:,} more" if len(numbers) > most else shown


def _option(name: str, value: str) -> str:
    return f"--{name} {quote(value)}"


def _joined(words: Sequence[str]) -> str:
    return " ".join(words)
