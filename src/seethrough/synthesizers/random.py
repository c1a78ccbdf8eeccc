"""Random: tables that have next to nothing to do with the records. What a release shows at least.

noise
    Algorithm 22 of the comparison: per column only the values that occur, and of numbers their range, are taken from
    the records. A category is drawn uniformly from its values and about a hundred new ones (as many as
    max(100, values) + Laplace(0, max(10, values / 10)), rounded up, at least 2; a random part of the values where that
    is less than there are). A number is drawn uniformly from those that occur, plus Laplace(loc, scale) noise, where
    scale is the range plus, and loc is, the sum of a hundred terms max(1, Laplace(range, 10 range)).
uniform
    Every cell of the domain that the schema declares is as likely as any other; nothing of a declared column is read
    from the records.

Where it deviates: a missing value is one of the values; whole numbers stay whole; dates, which are numbers here, stay
within the years 1000 to 9999, which is what can be written.

References
----------
A Comparison of Privacy Metrics for Synthetic Data Generation, Algorithm 22.
"""

from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import ClassVar, Literal

import numpy as np

from seethrough.data.schema import Column, Kind
from seethrough.data.table import MISSING, Array, Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Privacy, SamplerCard, SynthesizerCard
from seethrough.synthesizers._models.domains import BINS, Cells, Domain, declared_domain, domain_warnings

TERMS = 100
_EPOCH = date(1970, 1, 1).toordinal()
_FIRST, _LAST = (float(end.toordinal() - _EPOCH) for end in (date(1000, 1, 1), date(9999, 12, 31)))


@dataclass(frozen=True)
class Random:
    """Draws values that say nothing of the records."""

    name: ClassVar[str] = "random"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Random",
        "Values that say nothing of the records: new categories and huge noise, or uniform over the declared domain.",
        ("A Comparison of Privacy Metrics for Synthetic Data Generation, Algorithm 22",),
    )
    form: Literal["noise", "uniform"] = "noise"
    bins: int = BINS

    def __post_init__(self) -> None:
        """Refuse what has no cells."""
        if self.bins < 1:
            raise ConfigError(f"{self.name}: bins = {self.bins}; at least 1 is needed")

    @property
    def guarantee(self) -> str:
        """Promise that nothing is learnt, where every cell of the declared domain is as likely as any other."""
        return (
            "nothing is read from the records, where the schema declares the domain" if self.form == "uniform" else ""
        )

    def fit(self, table: Table, rng: np.random.Generator) -> "NoiseSampler | UniformSampler":
        """Take from the table what the form allows."""
        if self.form == "uniform":
            domain = declared_domain(table, self.bins)
            privacy = Privacy(0.0, 0.0, "nothing is read from the records", domain.read_columns)
            card = SamplerCard(self.name, len(table), plain(self), privacy, warnings=domain_warnings(domain))
            return UniformSampler(card, domain)
        pairs = zip(table.schema.used, table.columns, strict=True)
        values = tuple(_numbers(*pair, rng) if not pair[0].kind.has_levels else _codes(*pair, rng) for pair in pairs)
        return NoiseSampler(SamplerCard(self.name, len(table), plain(self)), table, values)


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """What one column is drawn from; `loc` and `scale` are of the noise on numbers."""

    drawn: Array
    loc: float = 0.0
    scale: float = 0.0
    whole: bool = False
    is_date: bool = False

    def sample(self, rows: int, rng: np.random.Generator) -> Array:
        """Draw uniformly, and add noise to numbers."""
        found = self.drawn[rng.integers(0, len(self.drawn), rows)]
        if found.dtype.kind != "f":
            return found
        noisy: Floats = found.astype(float) + rng.laplace(self.loc, self.scale, rows)
        noisy = np.clip(noisy, _FIRST, _LAST) if self.is_date else noisy
        return np.round(noisy) + 0.0 if self.whole else noisy


@dataclass(frozen=True, eq=False)
class NoiseSampler:
    """The values to draw from, column by column."""

    card: SamplerCard
    table: Table
    values: tuple[ColumnValues, ...]

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw every column by itself."""
        return Table(self.table.schema, tuple(each.sample(rows, rng) for each in self.values))


@dataclass(frozen=True, eq=False)
class UniformSampler:
    """A domain to draw from."""

    card: SamplerCard
    domain: Domain

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw every cell of a column alike."""
        cells: Cells = rng.integers(0, self.domain.sizes, (rows, len(self.domain.sizes)), dtype=np.int32)
        return self.domain.table(cells, rng)


def _numbers(column: Column, values: Array, rng: np.random.Generator) -> ColumnValues:
    numbers = np.unique(values.astype(np.float64))
    known = numbers[~np.isnan(numbers)]
    interval = float(np.ptp(known)) if len(known) else 0.0
    scale, loc = (np.maximum(1, rng.laplace(interval, 10 * interval, TERMS)).sum() for _ in range(2))
    is_whole = bool((known == np.floor(known)).all())
    return ColumnValues(numbers, float(loc), interval + float(scale), is_whole, column.kind is Kind.DATE)


def _codes(column: Column, values: Array, rng: np.random.Generator) -> ColumnValues:
    there = np.unique(values).astype(np.int64)
    wanted = max(100, len(there)) + rng.laplace(0.0, max(10.0, len(there) / 10))
    count = ceil(max(2.0, wanted))
    if count < len(there):
        chosen = np.sort(rng.choice(there, count, replace=False))
    else:
        # New categories have codes of their own: 0 is missing, the levels and what the table has come first.
        first = max(len(column.levels), int(there.max(initial=MISSING))) + 1
        chosen = np.concatenate([there, np.arange(first, first + count - len(there))])
    return ColumnValues(chosen.astype(np.min_scalar_type(int(chosen.max()))))
