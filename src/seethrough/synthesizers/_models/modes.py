"""Mode-specific encoding: a row as one choice for each column, and a number within the choice.

The choices of a category are the levels that occur, missing among them. A number or a date is modelled by a mixture of
at most ten Gaussians, whose number a variational fit decides: its choices are the modes, and its number c becomes
(c - centre) / (4 spread) of the mode that is drawn for it in proportion to its density there. Missing is a choice of
its own, with the number 0. Nothing outside of what occurs can be written down, so no unseen level can come out.

`declared_encoding` is for differential privacy: levels and ranges are those of a domain, a number has one mode that
spans its range, and nothing else is looked at. Numbers beyond the range are moved to its end.

References
----------
Xu, Skoularidou, Cuesta-Infante, Veeramachaneni 2019, Modeling tabular data using conditional GAN, section 4.2; Bishop
2006, Pattern recognition and machine learning, section 10.2 (the variational mixture).
"""

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from seethrough.data.schema import Schema
from seethrough.data.table import MISSING, Array, Table
from seethrough.kernels.arrays import Floats, Ints, Single
from seethrough.synthesizers._models.domains import Domain, DomainAxis

Picks = npt.NDArray[np.int32]

MOST_MODES = 10
LEAST_WEIGHT = 0.005
"""A mode with a smaller share of the values is left out."""
CONCENTRATION = 0.001
"""Prior of the mixture's weights: small, so that modes which are not needed die out."""
ROUNDS = 200
REACH = 4.0
"""A mode spans so many spreads to both sides."""


@dataclass(frozen=True, eq=False)
class LevelCoding:
    """The choices of a category column: the codes that stand for them."""

    codes: Ints
    dtype: np.dtype[np.generic]

    @property
    def size(self) -> int:
        """How many choices there are."""
        return len(self.codes)

    def encode(self, values: Array, rng: np.random.Generator) -> tuple[Picks, Single]:
        """Find the choice of each value."""
        return np.searchsorted(self.codes, values.astype(np.int64)).astype(np.int32), np.zeros(len(values), np.float32)

    def decode(self, picks: Picks, numbers: Single) -> Array:
        """Give the values back."""
        return self.codes[picks].astype(self.dtype)


@dataclass(frozen=True, eq=False)
class Modes:
    """The choices of a number: modes, and missing as the last one where it may occur."""

    centres: Floats
    spreads: Floats
    weights: Floats
    optional: bool
    converged: bool = True

    @property
    def size(self) -> int:
        """How many choices there are."""
        return len(self.centres) + self.optional

    def encode(self, values: Array, rng: np.random.Generator) -> tuple[Picks, Single]:
        """Draw a mode for each value, and place the value in it; beyond its reach counts as its end."""
        wide: Floats = values.astype(np.float64)
        picks = np.full(len(wide), len(self.centres), np.int32)
        numbers = np.zeros(len(wide), np.float32)
        there = ~np.isnan(wide)
        if there.any():
            chosen = self._drawn(wide[there], rng)
            span = REACH * self.spreads[chosen]
            offsets = wide[there] - self.centres[chosen]
            picks[there] = chosen
            numbers[there] = np.clip(np.divide(offsets, span, out=np.zeros_like(span), where=span > 0), -1, 1)
        return picks, numbers

    def _drawn(self, values: Floats, rng: np.random.Generator) -> Ints:
        if len(self.centres) == 1:
            return np.zeros(len(values), np.int64)
        away = (values[:, None] - self.centres) / self.spreads
        density = np.log(self.weights / self.spreads) - away**2 / 2
        # The largest of log densities with Gumbel noise is a draw in proportion to the densities.
        chosen: Ints = np.argmax(density + rng.gumbel(size=density.shape), axis=1)
        return chosen

    def decode(self, picks: Picks, numbers: Single) -> Array:
        """Give the values back."""
        gaps = picks >= len(self.centres)
        if not len(self.centres):
            return np.full(len(picks), np.nan)
        inside = np.where(gaps, 0, picks)
        values = self.centres[inside] + REACH * self.spreads[inside] * numbers.astype(np.float64)
        return np.where(gaps, np.nan, values) + 0.0


@dataclass(frozen=True, eq=False)
class Encoded:
    """Rows: the choice in each column, and the number in each, 0 for categories."""

    picks: Picks
    numbers: Single


@dataclass(frozen=True, eq=False)
class Encoding:
    """How the used columns of a schema become choices and numbers.

    A network's vector for a row has first a place for each column in `numeric`, then a place for each choice of each
    column: those of column c begin at `starts[c]`.
    """

    schema: Schema
    columns: tuple[LevelCoding | Modes, ...]

    @cached_property
    def sizes(self) -> Ints:
        """How many choices each column has."""
        return np.array([column.size for column in self.columns], np.int64)

    @cached_property
    def numeric(self) -> Ints:
        """Places of the columns that hold numbers."""
        return np.array([p for p, column in enumerate(self.columns) if isinstance(column, Modes)], np.int64)

    @cached_property
    def categories(self) -> Ints:
        """Places of the columns that hold categories."""
        return np.array([p for p, column in enumerate(self.columns) if isinstance(column, LevelCoding)], np.int64)

    @cached_property
    def starts(self) -> Ints:
        """Where each column's choices begin in the vector of a row."""
        return len(self.numeric) + np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)

    @property
    def width(self) -> int:
        """Length of the vector of a row."""
        return len(self.numeric) + int(self.sizes.sum())

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Name the columns whose mixture was still changing when its fit ended."""
        pairs = zip(self.schema.used, self.columns, strict=True)
        return tuple(column.name for column, how in pairs if isinstance(how, Modes) and not how.converged)

    def encode(self, table: Table, rng: np.random.Generator) -> Encoded:
        """Write a table as choices and numbers."""
        pairs = [how.encode(values, rng) for how, values in zip(self.columns, table.columns, strict=True)]
        return Encoded(np.column_stack([picks for picks, _ in pairs]), np.column_stack([some for _, some in pairs]))

    def decode(self, encoded: Encoded) -> Table:
        """Make a table of choices and numbers."""
        columns = (
            how.decode(encoded.picks[:, place], encoded.numbers[:, place]) for place, how in enumerate(self.columns)
        )
        return Table(self.schema, tuple(columns))


def observed_encoding(table: Table, rng: np.random.Generator) -> Encoding:
    """Learn levels and modes from a table."""
    pairs = zip(table.schema.used, table.columns, strict=True)
    columns = tuple(
        LevelCoding(np.unique(values).astype(np.int64), values.dtype) if column.kind.has_levels else _modes(values, rng)
        for column, values in pairs
    )
    return Encoding(table.schema, columns)


def declared_encoding(domain: Domain) -> Encoding:
    """Take levels and ranges from a domain."""
    return Encoding(domain.schema, tuple(_stated(axis) for axis in domain.axes))


def _stated(axis: DomainAxis) -> LevelCoding | Modes:
    if not len(axis.edges):
        codes = np.concatenate([[MISSING], axis.codes]) if axis.optional else axis.codes
        return LevelCoding(codes.astype(np.int64), axis.dtype)
    # The last edge of whole numbers is the first number beyond them.
    low, high = float(axis.edges[0]), float(axis.edges[-1]) - axis.whole
    return Modes(np.array([(low + high) / 2]), np.array([(high - low) / 2 / REACH]), np.ones(1), axis.optional)


def _modes(values: Array, rng: np.random.Generator) -> Modes:
    """Fit the mixture to the values that are there; a constant is one mode without spread."""
    wide: Floats = values.astype(np.float64)
    there = wide[~np.isnan(wide)]
    optional = len(there) < len(wide)
    distinct = len(np.unique(there))
    if distinct < 2:
        return Modes(there[:1], np.zeros(distinct), np.ones(distinct), optional)
    return _mixture(there, min(MOST_MODES, distinct), optional, int(rng.integers(2**31)))


def _mixture(there: Floats, modes: int, optional: bool, seed: int) -> Modes:
    from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
    from sklearn.mixture import BayesianGaussianMixture  # type: ignore[import-untyped]

    # The fit adds a fixed amount to every variance, which has to be small beside that of the values.
    middle, scale = float(there.mean()), float(there.std())
    mixture = BayesianGaussianMixture(
        n_components=modes,
        weight_concentration_prior=CONCENTRATION,
        max_iter=ROUNDS,
        random_state=seed,
    )
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        warnings.simplefilter("ignore", ConvergenceWarning)  # `converged_` says so, and the card of the sampler
        mixture.fit(((there - middle) / scale)[:, None])
    kept = mixture.weights_ > LEAST_WEIGHT
    spreads = np.sqrt(mixture.covariances_[kept, 0, 0]) * scale
    centres = mixture.means_[kept, 0] * scale + middle
    weights = mixture.weights_[kept]
    return Modes(centres, spreads, weights / weights.sum(), optional, bool(mixture.converged_))
