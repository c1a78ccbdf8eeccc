"""Edit distance: how few characters separate the person's digit strings from released ones.

    rating = (-min over released rows of d, min over the reference of d), compared in that order
    d = sum over the named columns of the Levenshtein distance of the values as text

For columns that are digit strings or the like (phone, account, card) and not quantities. It is optional, and needs the
columns named: edit_columns=("account",). A missing value is the empty text. A category is compared where its text is
known, that is where the real table has it; a number is written without a decimal point where it is whole.

What it sees
------------
Released strings that differ from a person's in few characters, wherever in the string these stand.

What it misses
--------------
Everything in other columns. Identifiers that were left out of the audit's tables are not there to be compared.

Strong against
--------------
Not measured here. That generators which are language models memorise digit strings is what the literature says.

References
----------
None of its own; the distance is Levenshtein's.

Deviations
----------
None.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.table import MISSING, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.edit_distance import EditDistances
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.results.evidence import LeakFamily

Row = tuple[str, ...]


@dataclass(frozen=True)
class EditDistance:
    """Rates people by how few characters separate their strings from released ones."""

    name: ClassVar[str] = "edit-distance"
    title: ClassVar[str] = "Characters that separate strings from released ones"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""
    is_optional: ClassVar[bool] = True
    edit_columns: tuple[str, ...] = ()

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Compare everybody with all released rows, then with the reference."""
        if not self.edit_columns:
            raise NotApplicable("no columns of strings were named (edit_columns)")
        people = self._texts(bench.table(Seen.PEOPLE))
        near, rare = (_nearest(people, self._texts(bench.table(part))) for part in (Seen.RELEASE, Seen.REFERENCE))
        return combine([dense_codes(-near), dense_codes(rare)]).astype(np.float64)

    def _texts(self, table: Table) -> list[Row]:
        names = {column.name for column in table.schema.used}
        for name in self.edit_columns:
            if name not in names:
                raise NotApplicable(f"{name!r} is no column of what is compared")
        return list(zip(*(_column_texts(table, name) for name in self.edit_columns), strict=True))


def _column_texts(table: Table, name: str) -> list[str]:
    column = next(column for column in table.schema.used if column.name == name)
    values = table.column(name)
    if not column.kind.has_levels:
        return ["" if np.isnan(value) else f"{value:.15g}" for value in values.astype(np.float64)]
    codes = values.astype(np.int64)
    if codes.max(initial=0) > len(column.levels):
        raise NotApplicable(f"{name!r} has texts that the real table has not, which are not kept")
    texts = ("", *column.levels)
    assert MISSING == 0
    return [texts[code] for code in codes]


def _nearest(people: list[Row], others: list[Row]) -> Floats:
    """Give the smallest distance of each person to any of the others; 0 for all where there are none."""
    distinct = list(dict.fromkeys(others))
    if not distinct:
        return np.zeros(len(people))
    parts = [EditDistances(texts) for texts in zip(*distinct, strict=True)]
    found = {
        row: np.sum([part.of(text) for part, text in zip(parts, row, strict=True)], axis=0).min()
        for row in dict.fromkeys(people)
    }
    return np.array([float(found[row]) for row in people])
