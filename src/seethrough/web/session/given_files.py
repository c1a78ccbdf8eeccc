"""Files of an audit, and its columns, as a page shows them."""

from dataclasses import dataclass
from pathlib import Path

ROLES = ("real", "synthetic", "holdout")
"""What a file can be: the real table, a release (several may be given), people kept out."""
FIRST_ROWS = 5


@dataclass(frozen=True)
class GivenFile:
    """A file that was given, and what was found in it.

    `label` is what it is called, and no path. `rows` is None until the file has been read; `problem` is one sentence
    where it cannot be used. `names` and `first_rows` are texts of cells, as hostile as their file; `separator` and
    `encoding` are empty for files that have types of their own.
    """

    role: str
    number: int
    label: str
    path: Path
    rows: int | None = None
    columns: int | None = None
    separator: str = ""
    encoding: str = ""
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    first_rows: tuple[tuple[str, ...], ...] = ()
    problem: str = ""

    @property
    def key(self) -> str:
        """Name the file by role and number, as its address and settings do."""
        return f"{self.role}-{self.number}"

    @property
    def is_read(self) -> bool:
        """Tell whether reading has ended, be it with a problem."""
        return self.rows is not None or bool(self.problem)


@dataclass(frozen=True)
class OfferedFile:
    """A file that was named on the command line, and can be chosen by its number."""

    number: int
    label: str
    path: Path
    size: int


@dataclass(frozen=True)
class ColumnUnderstood:
    """A row of the page of columns: how a column was read, what it holds, what releases have of it, and why.

    `values` and `in_release` are short texts without any level; `is_changed` where the user decided kind or role;
    `problem` is one sentence where the column cannot be read so.
    """

    name: str
    kind: str
    role: str
    values: str
    in_release: str
    reason: str
    is_changed: bool = False
    problem: str = ""
