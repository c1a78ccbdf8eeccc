"""Synthesizer: a way to make synthetic tables.

A synthesizer has `card`, `name` and `fit`; the sampler that `fit` returns has `card` and `sample`. Optional, each with
a protocol of its own that is asked for by `isinstance`:

* `guarantee` says what is promised where that depends on parameters (`SynthesizerWithOwnGuarantee`);
* `fit_with_progress(table, rng, progress)` says how far a fit has come (`SynthesizerWithProgress`);
* `fit_many(tables, rngs, device)` fits many tables at once (`BatchSynthesizer`);
* `draw(rows, rng)` of a sampler gives the rows and says how drawing went (`SamplerWithDetails`);
* `foreign_code` says which program or module it runs that its parameters name (`ForeignCode`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.results.outcome import Value


@dataclass(frozen=True)
class SynthesizerCard:
    """What a person reads about a synthesizer: `guarantee` is empty where it promises nothing.

    `extra` names the extra of this package that has to be installed, where one is needed.
    """

    name: str
    title: str
    summary: str
    cites: tuple[str, ...] = ()
    guarantee: str = ""
    extra: str = ""


NEIGHBOURS = "one record replaced; the number of records and the schema count as public"
"""Which tables the generators here make hard to tell apart."""


@dataclass(frozen=True)
class Privacy:
    """The differential privacy that a fitted sampler has: neighbouring tables differ in one record, replaced.

    `accountant` says how the costs were added up, `neighbours` what is hidden and what counts as public. `read_columns`
    names the columns whose domain was read from the data instead of declared; where there are some, the guarantee holds
    only for whoever knew these domains before.
    """

    epsilon: float
    delta: float
    accountant: str
    read_columns: tuple[str, ...] = ()
    neighbours: str = NEIGHBOURS


@dataclass(frozen=True)
class SamplerCard:
    """What is known of a fitted sampler: the table it was fitted to, its parameters, its privacy, what went wrong."""

    synthesizer: str
    rows: int
    parameters: Mapping[str, Value] = field(default_factory=dict)
    privacy: Privacy | None = None
    details: Mapping[str, Value] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Sampler(Protocol):
    """A fitted synthesizer."""

    @property
    def card(self) -> SamplerCard:
        """Say what it is and what it cost."""
        ...

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw a synthetic table."""
        ...


class Synthesizer(Protocol):
    """An unfitted one: a frozen dataclass, whose fields are its parameters; `fit` returns a new object."""

    @property
    def card(self) -> SynthesizerCard:
        """Say what it is."""
        ...

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...

    def fit(self, table: Table, rng: np.random.Generator) -> Sampler:
        """Learn from `table`."""
        ...


@runtime_checkable
class SynthesizerWithOwnGuarantee(Protocol):
    """A synthesizer whose guarantee depends on its parameters; it wins over the one on the card."""

    @property
    def guarantee(self) -> str:
        """Say what is promised; empty where nothing is."""
        ...


def guarantee_of(synthesizer: Synthesizer) -> str:
    """Say what a synthesizer promises with the parameters that it has; empty where nothing."""
    if isinstance(synthesizer, SynthesizerWithOwnGuarantee):
        return synthesizer.guarantee
    return synthesizer.card.guarantee


@runtime_checkable
class SynthesizerWithProgress(Protocol):
    """A synthesizer that can say how far it has come; the sampler is the same as that of `fit`."""

    def fit_with_progress(self, table: Table, rng: np.random.Generator, progress: Callable[[float], None]) -> Sampler:
        """Learn from `table`; `progress` is called with the share that is done."""
        ...


@runtime_checkable
class ForeignCode(Protocol):
    """A synthesizer that runs what its parameters name: a plan that has one is run only by who trusts it."""

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...

    @property
    def foreign_code(self) -> str:
        """Say what it runs, in words that follow "running it"."""
        ...


@runtime_checkable
class BatchSynthesizer(Protocol):
    """A synthesizer that can be fitted to many tables at once, as on an accelerator."""

    def fit_many(
        self, tables: Sequence[Table], rngs: Sequence[np.random.Generator], device: str | None = None
    ) -> Sequence[Sampler]:
        """Fit each table with its generator; without a device, as `fit` does."""
        ...


@dataclass(frozen=True, eq=False)
class Draw:
    """A synthetic table, and what there is to say about how it was drawn."""

    table: Table
    details: Mapping[str, Value] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@runtime_checkable
class SamplerWithDetails(Protocol):
    """A sampler that can say how drawing went, as how often it had to fall back on a marginal."""

    def draw(self, rows: int, rng: np.random.Generator) -> Draw:
        """Draw a synthetic table and say how it went."""
        ...


def draw_rows(sampler: Sampler, rows: int, rng: np.random.Generator) -> Draw:
    """Draw from any sampler, at least one row, and check that so many came."""
    if rows < 1:
        raise ConfigError(f"{rows} rows cannot be drawn; at least one is needed")
    found = sampler.draw(rows, rng) if isinstance(sampler, SamplerWithDetails) else Draw(sampler.sample(rows, rng))
    if len(found.table) != rows:
        raise ConfigError(f"{sampler.card.synthesizer} gave {len(found.table)} rows where {rows} were asked for")
    return found
