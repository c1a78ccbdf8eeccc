"""Generators as other libraries make them by default, in the attribute inference game of paper 001.

    python -m benchmarks.library_defaults run acs.csv.gz fire.csv.gz docs/results/library-defaults.json --games 50

Annamalai, Gadotti and Rocher used DataSynthesizer's network and the CTGAN library. What these do that ours do not is
put around ours here, each by itself, so that the difference it makes is seen:

* DataSynthesizer counts codes of more than 20 different values as numbers, in 20 bins of equal width, and draws a code
  uniformly from its bin; and parents that no record has give every value the same chance, not its share of the table.
* A library that is not told which columns are categories takes codes for numbers.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from seethrough.data.schema import Column, Kind
from seethrough.data.table import Table
from seethrough.games.attribute import AttributeGame, GameResult, GameRules
from seethrough.games.population import population
from seethrough.games.running import run
from seethrough.games.scoring import scores_of
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.protocols.synthesizer import Sampler, SamplerCard
from seethrough.synthesizers._models.conditionals import CountedTable
from seethrough.synthesizers.baynet import BayesianNetwork, NetworkSampler
from seethrough.utility.three_way import three_way

CATEGORIES, BINS = 20, 20
"""DataSynthesizer's defaults: values up to which whole numbers are categories, and bins of the others."""
SECRETS = {"acs": "SEX", "fire": "ALS Unit"}
UTILITY_GAMES = 20


@dataclass(frozen=True, eq=False)
class EvenChances:
    """A conditional table in which parents that no record has give every value the same chance."""

    counted: CountedTable
    size: int

    @property
    def family(self) -> Any:
        """Say whom it is about."""
        return self.counted.family

    def draw(self, parents: Ints, uniform: Floats) -> tuple[Ints, int]:
        """Draw as counted where parents are known."""
        cells, unseen = self.counted.draw(parents, uniform)
        strangers = self.counted._groups(parents) < 0
        cells[strangers] = (uniform[strangers] * self.size).astype(np.int64)
        return cells, unseen


@dataclass(frozen=True)
class Network:
    """`baynet` with DataSynthesizer's even chances, its bins, or both."""

    even: bool = False
    binned: bool = False

    def fit(self, table: Table, rng: np.random.Generator) -> Sampler:
        """Fit the network to bins, where asked for."""
        wide = [self.binned and len(column.levels) > CATEGORIES for column in table.schema.used]
        found = BayesianNetwork().fit(_binned(table, wide), rng)
        if self.even:
            sizes = found.domain.sizes
            found = replace(found, tables=tuple(EvenChances(each, sizes[each.family.child]) for each in found.tables))  # type: ignore[arg-type]
        return _Unbinned(found.card, found, table, wide)


@dataclass(frozen=True, eq=False)
class _Unbinned:
    card: SamplerCard
    network: NetworkSampler
    table: Table
    wide: Sequence[bool]

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw rows, and a code uniformly from each bin."""
        drawn = self.network.sample(rows, rng)
        columns = []
        for column, like, values, is_wide in zip(
            self.table.schema.used, self.table.columns, drawn.columns, self.wide, strict=True
        ):
            codes = values
            if is_wide:
                spread = len(column.levels) - 1
                codes = 1 + np.floor((values.astype(np.int64) - 1 + rng.random(rows)) / BINS * spread).astype(np.int64)
            columns.append(codes.astype(like.dtype))
        return Table(self.table.schema, tuple(columns))


def _binned(table: Table, wide: Sequence[bool]) -> Table:
    """Count codes from the first to the last value of a column in bins of equal width, the last with both ends."""
    columns, values = [], []
    for column, codes, is_wide in zip(table.schema.used, table.columns, wide, strict=True):
        if is_wide:
            spread = len(column.levels) - 1
            bins = np.minimum((codes.astype(np.int64) - 1) * BINS // spread, BINS - 1) + 1
            columns.append(replace(column, levels=tuple(str(number) for number in range(BINS))))
            values.append(bins.astype(codes.dtype))
        else:
            columns.append(column)
            values.append(codes)
    return Table(replace(table.schema, columns=tuple(columns)), tuple(values))


@dataclass(frozen=True)
class CodesAsNumbers:
    """`ctgan` that is not told which columns are categories: codes are numbers, rounded when rows are drawn."""

    def fit(self, table: Table, rng: np.random.Generator) -> Sampler:
        """Train on numbers."""
        columns = tuple(Column(column.name, Kind.NUMERIC) for column in table.schema.used)
        numbers = Table(
            replace(table.schema, columns=columns), tuple(each.astype(np.float64) for each in table.columns)
        )
        found = catalog.build_synthesizer("ctgan", {}).fit(numbers, rng)
        return _Rounded(found.card, found, table)


@dataclass(frozen=True, eq=False)
class _Rounded:
    card: SamplerCard
    numbers: Sampler
    table: Table

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw rows, and round to the nearest code there is."""
        drawn = self.numbers.sample(rows, rng)
        columns = zip(self.table.schema.used, self.table.columns, drawn.columns, strict=True)
        return Table(
            self.table.schema,
            tuple(
                np.clip(np.round(values.astype(np.float64)), 1, len(column.levels)).astype(like.dtype)
                for column, like, values in columns
            ),
        )


EXPERIMENTS: Mapping[str, tuple[Mapping[str, Any], tuple[int, ...], int]] = {
    "network": (
        {
            "baynet": Network(),
            "baynet, even chances": Network(even=True),
            "baynet, 20 bins": Network(binned=True),
            "baynet, both": Network(even=True, binned=True),
        },
        (100, 1_000),
        1,
    ),
    "numbers": ({"ctgan, codes as numbers": CodesAsNumbers()}, (10_000, 1_000_000), 10),
}
"""Generators, sizes of the release, and by how much fewer games are played."""


def play(table: Table, secret: str, which: str, games: int, workers: int) -> dict[str, Any]:
    """Play the games of one experiment on one table."""
    generators, sizes, fewer = EXPERIMENTS[which]
    attacks = {
        name: catalog.build_attack("recon", {"absent": how})
        for name, how in (("recon", "drop"), ("recon:absent=zero", "zero"))
    }
    rules = GameRules(1_000, sizes, max(2, games // fewer), 1, UTILITY_GAMES)
    game = AttributeGame(population(table, secret, "data"), rules, generators, attacks, three_way, 0)
    return summed(run(game, Budget(threads=workers)))


def summed(found: GameResult) -> dict[str, Any]:
    """Sum up accuracies with their intervals, and the errors of utility."""
    scores = [
        {
            "generator": score.synthesizer,
            "size": score.size,
            "attack": score.attack,
            "games": score.plays,
            "accuracy": score.accuracy.value,
            "low": score.accuracy.low,
            "high": score.accuracy.high,
        }
        for score in scores_of(found.plays)
        if score.synthesizer is not None
    ]
    errors = [
        {"generator": each.synthesizer, "size": each.size, "games": each.games, "mre": each.mre, "tvd": each.tvd}
        for each in found.utility
    ]
    return {"scores": scores, "errors": errors}


def read(path: Path, name: str) -> Table:
    """Read a table as the plans of the study do."""
    from seethrough.study.plan.plan import DataSource
    from seethrough.study.plan.tables import load

    return load(DataSource(name, "", path, secret=SECRETS[name], categorical=True)).table


def main() -> None:
    """Play all experiments on both tables and keep what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["run"])
    for name in SECRETS:
        parser.add_argument(name, type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", choices=list(EXPERIMENTS))
    given = parser.parse_args()
    tables = {name: read(getattr(given, name), name) for name in SECRETS}
    keep(tables, given.out, given.games, given.workers, [given.only] if given.only else list(EXPERIMENTS))


def keep(tables: Mapping[str, Table], out: Path, games: int, workers: int, which: Sequence[str]) -> None:
    """Write what came out as JSON, as it comes."""
    found: dict[str, Any] = {"date": datetime.now(UTC).date().isoformat(), "seed": 0}
    for each in which:
        for name, table in tables.items():
            found.setdefault(each, {})[name] = play(table, SECRETS[name], each, games, workers)
            out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
