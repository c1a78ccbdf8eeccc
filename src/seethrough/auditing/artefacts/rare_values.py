"""Rare values of single columns that a release shows: ends of ranges and rare levels, against the chance to show."""

import numpy as np
import numpy.typing as npt

from seethrough.bench.passes.seen_values import SeenValues
from seethrough.data.table import MISSING, Array, Table
from seethrough.kernels.counting.rarity import chances_shown, tail
from seethrough.results.diagnostics import Artefact, ArtefactSign, Rate

RARE = 2
"""A value is rare if so many real rows hold it, or fewer."""
CERTAIN = 0.01
ESTIMATED = "how many values are rare"


def extremes(real: Table, released: SeenValues, rows: int) -> Artefact:
    """Look for the real ends of numbers, where few rows hold them, as the ends of a release of so many rows."""
    shown: list[bool] = []
    chances: list[float] = []
    columns: list[str] = []
    for column, mine, low, high in zip(real.schema.used, real.columns, released.low, released.high, strict=True):
        if column.kind.has_levels:
            continue
        known = _known(mine)
        if not len(known):
            continue
        values, counts = np.unique(known, return_counts=True)
        for end, theirs in ((0, low), (-1, high)):
            if counts[end] <= RARE and len(values) > 1:
                shown.append(bool(values[end] == theirs))
                chances.append(float(chances_shown(counts, counts[[end]], len(mine), rows)[0]))
                columns += [column.name] if shown[-1] else []
    return _told("ends", "ends of number columns", np.array(shown, bool), np.array(chances), columns)


def rare_levels(real: Table, released: SeenValues, rows: int) -> Artefact:
    """Look for levels that few real rows hold in a release of so many rows."""
    shown = [np.zeros(0, bool)]
    chances = [np.zeros(0)]
    columns: list[str] = []
    for column, mine, there in zip(real.schema.used, real.columns, released.codes, strict=True):
        if not column.kind.has_levels:
            continue
        counts = np.bincount(mine)
        counts[MISSING] = 0
        rare = np.flatnonzero((counts > 0) & (counts <= RARE))
        is_there = np.isin(rare, np.flatnonzero(there))
        shown.append(is_there)
        chances.append(chances_shown(counts[counts > 0], counts[rare], len(mine), rows))
        columns += [column.name] if is_there.any() else []
    return _told("rare-levels", "rare levels", np.concatenate(shown), np.concatenate(chances), columns)


def _known(values: Array) -> npt.NDArray[np.float64]:
    numbers = values.astype(np.float64, copy=False)
    return numbers[~np.isnan(numbers)]


def _told(
    name: str, unit: str, shown: npt.NDArray[np.bool_], chances: npt.NDArray[np.float64], columns: list[str]
) -> Artefact:
    if not len(shown):
        return Artefact(
            name, ArtefactSign.UNTOLD, unit, reason=f"no real value of this kind is held by {RARE} rows or fewer"
        )
    found = int(np.count_nonzero(shown))
    mean, spread = float(chances.mean()), float(np.sqrt((chances * (1 - chances)).sum())) / len(chances)
    chance = Rate(mean, max(0.0, mean - 2.58 * spread), min(1.0, mean + 2.58 * spread), len(shown))
    sign = ArtefactSign.SHOWS if tail(chances, found) < CERTAIN else ArtefactSign.CHANCE if found else ArtefactSign.NONE
    return Artefact(name, sign, unit, found, len(shown), chance, ESTIMATED, tuple(dict.fromkeys(columns)))
