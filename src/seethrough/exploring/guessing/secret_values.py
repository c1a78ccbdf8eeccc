"""The values that a secret may have: levels, few numbers as they are, or many numbers cut at the tenths of real people.

Class 0 is a missing value; it is a value like any other to the attack gcap, as it is to the check of that name.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from seethrough.data.schema import Column
from seethrough.data.table import Array
from seethrough.exploring.values import MISSING_TEXT, ValueTexts
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.bins import cut, decile_edges

MOST_NUMBERS = 50
"""Different numbers up to which each is a value of its own."""


@dataclass(frozen=True, eq=False)
class SecretValues:
    """The classes of a secret, their texts, and for numbers the values or the edges that make them."""

    column: Column
    labels: tuple[str, ...]
    numbers: Floats = field(default_factory=lambda: np.empty(0))
    is_cut: bool = False

    def __len__(self) -> int:
        """Count the classes, missing among them."""
        return len(self.labels)

    def classes_of(self, values: Array) -> Ints:
        """Give the class of each value."""
        if self.column.kind.has_levels:
            return values.astype(np.int64)
        numbers = values.astype(np.float64)
        places = cut(numbers, self.numbers) if self.is_cut else np.searchsorted(self.numbers, numbers)
        return np.where(np.isnan(numbers), 0, places.astype(np.int64) + 1)


def secret_values(texts: ValueTexts, secret: str) -> SecretValues:
    """Find the classes of a secret over all tables of a release."""
    release = texts.release
    column = release.train.table.schema[secret]
    if column.kind.has_levels:
        return SecretValues(column, (MISSING_TEXT, *texts.levels(column)))
    numbers = np.concatenate([named.table.column(secret).astype(np.float64) for named in release.all])
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if len(distinct) <= MOST_NUMBERS:
        return SecretValues(column, (MISSING_TEXT, *(texts.write(column, each) for each in distinct)), distinct)
    real = release.train.table.column(secret).astype(np.float64)
    edges = decile_edges("observed deciles", real[~np.isnan(real)])
    written = [texts.write(column, each) for each in edges]
    between = [f"above {low} to {high}" for low, high in pairwise(written)]
    labels = [f"{written[0]} or less", *between, f"above {written[-1]}"] if written else ["any number"]
    return SecretValues(column, (MISSING_TEXT, *labels), edges, is_cut=True)
