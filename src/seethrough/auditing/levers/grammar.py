"""Levers as a person types them: one line each, the same that is printed.

    fewer rows 500              a random part of the released rows; also as a share: fewer rows 50%
    fewer files 2               the first files only
    coarsen age to 5            a number in 5 bins; of categories the 4 most frequent, all others merged
    drop column zip             without the column
    regenerate without 10       a new release, made without the 10 most exposed people
    generator LABEL             a new release by another generator
    epsilon 1                   a new release by the same generator at another epsilon
    drop near copies            without released rows that are real rows but for one column; does not help, and is shown

Column names stand as they are, blanks included, without quotation marks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

from seethrough.errors import ConfigError


@dataclass(frozen=True)
class FewerRows:
    """Release a random part of the rows: so many, or a share of them."""

    rows: int | None = None
    share: float | None = None

    def count(self, released: int) -> int:
        """Say how many of so many rows are kept."""
        return self.rows if self.rows is not None else max(1, round(released * (self.share or 0.0)))

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"fewer rows {self.rows if self.rows is not None else f'{100 * (self.share or 0.0):.6g}%'}"


@dataclass(frozen=True)
class FewerFiles:
    """Release the first files only."""

    files: int

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"fewer files {self.files}"


@dataclass(frozen=True)
class Coarsen:
    """Tell so many values of a column apart, and no more."""

    column: str
    values: int

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"coarsen {self.column} to {self.values}"


@dataclass(frozen=True)
class DropColumn:
    """Release the table without a column."""

    column: str

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"drop column {self.column}"


@dataclass(frozen=True)
class RegenerateWithout:
    """Make the release anew, without the most exposed people."""

    people: int

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"regenerate without {self.people}"


@dataclass(frozen=True)
class OtherGenerator:
    """Make the release anew, by a generator of this label."""

    label: str

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"generator {self.label}"


@dataclass(frozen=True)
class OtherEpsilon:
    """Make the release anew by the same generator, at another epsilon."""

    epsilon: float

    def __str__(self) -> str:
        """Give the line that a person types."""
        return f"epsilon {self.epsilon:g}"


@dataclass(frozen=True)
class DropNearCopies:
    """Leave out released rows that are real rows in all columns, or all but one."""

    def __str__(self) -> str:
        """Give the line that a person types."""
        return "drop near copies"


Lever = (
    FewerRows | FewerFiles | Coarsen | DropColumn | RegenerateWithout | OtherGenerator | OtherEpsilon | DropNearCopies
)
FORMS = (
    "fewer rows 500",
    "fewer rows 50%",
    "fewer files 2",
    "coarsen COLUMN to 5",
    "drop column COLUMN",
    "regenerate without 10",
    "generator LABEL",
    "epsilon 1",
    "drop near copies",
)


def parse_lever(text: str) -> Lever:
    """Understand a lever; the error names all forms there are."""
    for pattern, make in _FORMS:
        if form := re.fullmatch(pattern, text.strip(), re.DOTALL):
            return make(*form.groups())
    raise ConfigError(f"there is no lever {text!r}; there are: {', '.join(FORMS)}")


def _share(text: str) -> FewerRows:
    share = float(text) / 100
    if not 0 < share < 1:
        raise ConfigError(f"'fewer rows {text}%' is no part of the rows; more than 0% and fewer than 100% are expected")
    return FewerRows(share=share)


def _epsilon(text: str) -> OtherEpsilon:
    epsilon = float(text)
    if not (isfinite(epsilon) and epsilon > 0):
        raise ConfigError(f"'epsilon {text}' is not a number above 0")
    return OtherEpsilon(epsilon)


def _at_least(least: int, what: str, text: str) -> int:
    if (number := int(text)) < least:
        raise ConfigError(f"{what} {number} is too few; at least {least} is expected")
    return number


_NUMBER = r"([0-9]{1,12})"
_DECIMAL = r"([0-9]{1,12}(?:\.[0-9]{1,12})?(?:[eE][-+]?[0-9]{1,3})?)"
_FORMS: tuple[tuple[str, Callable[..., Lever]], ...] = (
    (rf"fewer rows {_DECIMAL} ?%", _share),
    (rf"fewer rows {_NUMBER}", lambda text: FewerRows(rows=_at_least(2, "fewer rows", text))),
    (rf"fewer files {_NUMBER}", lambda text: FewerFiles(_at_least(1, "fewer files", text))),
    (
        rf"coarsen (.+) to {_NUMBER}",
        lambda column, text: Coarsen(column, _at_least(2, f"coarsen {column} to", text)),
    ),
    (r"drop column (.+)", DropColumn),
    (r"drop near copies", DropNearCopies),
    (rf"regenerate without {_NUMBER}", lambda text: RegenerateWithout(_at_least(1, "regenerate without", text))),
    (r"generator (.+)", OtherGenerator),
    (rf"epsilon {_DECIMAL}", _epsilon),
)
