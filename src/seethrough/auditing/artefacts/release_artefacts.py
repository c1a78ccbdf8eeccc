"""Signs that a release carries real rows, looked for before any statistics: each costs little, and none is a score.

A sign alone says little, for common rows are common in any sample. So each is held against chance: what rows of people
outside show (the holdout), or, where there is none, what the real rows show of each other. A real row with a twin among
the other real rows is what an independent row that equals a real one would be, so no holdout is needed for that.

exact copies
    Released rows that equal a real row in all columns.
near copies
    Released rows that agree with a real row in all columns, or in all but one, numbers being equal when they fall into
    the same hundredth of the real range.
rare combinations
    Combinations of values in two columns that exactly one real row holds and the release shows; numbers by the
    twentieth of the range they fall into; at most 200 pairs of columns, evenly chosen.
row order
    Released rows that agree with the real row at the same place of the file better than with those one to five places
    before and behind. The agreement is the share of columns in which both are equal.
identifiers
    Released rows whose value in a left-out column, nearly unique in the real table, occurs there.
ends of ranges
    Smallest and largest values of numbers, held by at most two real rows, that are the ends of the release as well.
rare levels
    Levels held by at most two real rows that occur in the release. The chance of these two, and of rare combinations
    without a holdout, is estimated from how many values one, two and three real rows hold (`kernels/counting/rarity`).

A sign shows if the 99% interval of the difference between the release and chance lies above 0, or the tail probability
is below 1%.
"""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

import numpy as np
import numpy.typing as npt

from seethrough.auditing.artefacts.rare_values import ESTIMATED, extremes, rare_levels
from seethrough.data.release import NamedTable, Release
from seethrough.data.schema import Column
from seethrough.data.table import Array, Table
from seethrough.errors import DataError
from seethrough.kernels.arrays import Bools
from seethrough.kernels.counting.fingerprints import cell_prints, counts_within, occurs_in, row_prints
from seethrough.kernels.counting.rare_pairs import align_codes, rare_pairs
from seethrough.kernels.statistics.intervals import difference, wilson
from seethrough.results.diagnostics import NOT_KEPT_OUT, Artefact, ArtefactSign, Rate

CONFIDENCE = 0.99
STEPS, COARSE_STEPS = 100, 20
MOST_PAIRS = 200
LEAST_ROWS = 20
SHIFTS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
LISTED = 20
_ROWS = "released rows"
_HOLDOUT, _TWINS = "the holdout", "the other real rows"


def release_artefacts(release: Release, synthetic: NamedTable) -> tuple[Artefact, ...]:
    """Look for every sign in one synthetic table."""
    real, table = release.train.table, synthetic.table
    outside = release.holdout.table if release.holdout else None
    return (
        *_copies(real, table, outside),
        _rare_combinations(real, table, outside),
        _row_order(real, table),
        _identifiers(synthetic, release.holdout),
        extremes(real, table),
        rare_levels(real, table),
    )


def holdout_remark(release: Release) -> tuple[str, ...]:
    """Say so if more rows of the holdout equal a real row than real rows equal another: they were not kept out."""
    if release.holdout is None:
        return ()
    real, outside = release.train.table, release.holdout.table
    mine, others = row_prints(real.columns), row_prints(outside.columns)
    if len(mine) == len(others) and np.array_equal(np.sort(mine), np.sort(others)):
        raise DataError(
            f"{release.holdout.name} has the same rows as {release.train.name}; a holdout is made of records that were "
            "kept out of the synthesis"
        )
    shared = of_rows("", occurs_in(others, mine), counts_within(mine) > 1, _TWINS)
    if shared.sign is not ArtefactSign.SHOWS:
        return ()
    assert shared.chance is not None
    return (
        f"{shared.found:,} of {shared.of:,} rows equal a real row, by chance {shared.chance.value:.1%}: {NOT_KEPT_OUT}",
    )


def _copies(real: Table, table: Table, outside: Table | None) -> tuple[Artefact, Artefact]:
    exact_chance, near_chance = _twins(real) if outside is None else _copied(real, outside)
    exact, near = _copied(real, table)
    mine, others = row_prints(real.columns), row_prints(table.columns)
    rows = tuple(int(row) for row in np.flatnonzero(occurs_in(mine, others) & (counts_within(mine) == 1))[:LISTED] + 1)
    against = _TWINS if outside is None else _HOLDOUT
    return (
        of_rows("exact-copies", exact, exact_chance, against, rows),
        of_rows("near-copies", near, near_chance, against),
    )


def _copied(real: Table, other: Table) -> tuple[Bools, Bools]:
    """Tell the rows of another table that are exact copies of real rows, and those that nearly are."""
    exact = occurs_in(row_prints(other.columns), row_prints(real.columns))
    columns, other_columns = bin_numbers(real, STEPS), bin_numbers(other, STEPS)
    mine, others = row_prints(columns), row_prints(other_columns)
    near = exact.copy()
    for place, (values, other_values) in enumerate(zip(columns, other_columns, strict=True)):
        left = np.flatnonzero(~near)
        without = others[left] - cell_prints(other_values[left], place)
        near[left] = occurs_in(without, mine - cell_prints(values, place))
    return exact, near


def _twins(real: Table) -> tuple[Bools, Bools]:
    """Tell the real rows that are copies, or nearly so, of another real row."""
    exact = counts_within(row_prints(real.columns)) > 1
    columns = bin_numbers(real, STEPS)
    total = row_prints(columns)
    near = np.zeros(len(real), np.bool_)
    for place, values in enumerate(columns):
        near |= counts_within(total - cell_prints(values, place)) > 1
    return exact, near | exact


def bin_numbers(table: Table, steps: int) -> list[Array]:
    """Give the columns with numbers by the part of the real range that they fall into; missing is a part."""
    return [_stepped(column, values, steps) for column, values in zip(table.schema.used, table.columns, strict=True)]


def _stepped(column: Column, values: Array, steps: int) -> Array:
    if column.kind.has_levels:
        return values
    numbers = values.astype(np.float64, copy=False)
    low, high = (0.0, 0.0) if column.low is None or column.high is None else (column.low, column.high)
    # HoldoutHalves, because the length of the longest range is no number; a value far outside may be infinitely far.
    width = high / 2 - low / 2 or 0.5
    with np.errstate(over="ignore"):
        return np.asarray(np.floor((numbers / 2 - low / 2) / width * steps + 1e-9) + 0.0)


def _rare_combinations(real: Table, table: Table, outside: Table | None) -> Artefact:
    name, unit = "rare-combinations", "rare combinations"
    # More rows show more: the release and the rows of people outside are looked at in the same number.
    rows = min(len(each) for each in (table, outside or table))
    tables = [real, *(each.take(_spread(len(each), rows)) for each in (table, outside) if each is not None)]
    by_table = [bin_numbers(each, COARSE_STEPS) for each in tables]
    columns = [align_codes(first, others) for first, *others in zip(*by_table, strict=True)]
    found = rare_pairs(columns, _chosen(len(columns)))
    if not found.rare:
        return Artefact(
            name, ArtefactSign.UNTOLD, unit, reason="no combination of two values is held by a single real row"
        )
    holders = int(np.count_nonzero(found.holders))
    level = found.expected / found.rare if outside is None else found.shown[1] / found.rare
    # Combinations of one row go together, so the rows that hold them are what is counted on.
    chance = Rate(level, *wilson(level * holders, holders, CONFIDENCE), holders)
    share = found.shown[0] / found.rare
    shows = _is_above(share, holders, chance)
    sign = ArtefactSign.SHOWS if shows else ArtefactSign.CHANCE if found.shown[0] else ArtefactSign.NONE
    against = ESTIMATED if outside is None else _HOLDOUT
    return Artefact(name, sign, unit, found.shown[0], found.rare, chance, against)


def _is_above(share: float, size: int, chance: Rate) -> bool:
    mine = share, wilson(share * size, size, CONFIDENCE)
    return difference(mine, (chance.value, (chance.low, chance.high)))[0] > 0


def _spread(size: int, rows: int) -> npt.NDArray[np.int64]:
    return np.linspace(0, size - 1, rows).astype(np.int64)


def _chosen(columns: int) -> Sequence[tuple[int, int]]:
    pairs = list(combinations(range(columns), 2))
    if len(pairs) <= MOST_PAIRS:
        return pairs
    return [pairs[place] for place in np.linspace(0, len(pairs) - 1, MOST_PAIRS).astype(int)]


def _row_order(real: Table, table: Table) -> Artefact:
    rows = min(len(real), len(table))
    if rows < LEAST_ROWS:
        return Artefact("row-order", ArtefactSign.UNTOLD, _ROWS, reason=f"it takes at least {LEAST_ROWS} rows")
    here = _agreement(real, table, rows, 0)
    beside = np.mean([_agreement(real, table, rows, shift) for shift in SHIFTS], axis=0)
    gain = here - beside
    # Three standard errors and a bit: one file in a thousand would be called ordered by chance.
    shows = float(gain.mean()) > 3.3 * float(gain.std()) / sqrt(rows)
    better = int(np.count_nonzero(gain > 0))
    level = float(np.mean([np.count_nonzero(_agreement(real, table, rows, s) > beside) for s in (-1, 1)])) / rows
    chance = Rate(level, *wilson(level * rows, rows, CONFIDENCE), rows)
    sign = ArtefactSign.SHOWS if shows else ArtefactSign.CHANCE
    return Artefact("row-order", sign, _ROWS, better, rows, chance, "rows one place off")


def _agreement(real: Table, table: Table, rows: int, shift: int) -> npt.NDArray[np.float64]:
    """Give the share of columns in which released rows equal the real rows `shift` places behind, going round."""
    total = np.zeros(rows)
    for mine, other in zip(real.columns, table.columns, strict=True):
        moved = np.roll(mine[:rows], -shift)
        total += moved == other[:rows]
        if mine.dtype.kind == "f":
            total += np.isnan(moved.astype(np.float64)) & np.isnan(other[:rows].astype(np.float64))
    return total / len(real.columns)


def _identifiers(synthetic: NamedTable, holdout: NamedTable | None) -> Artefact:
    unit = "released identifiers"
    if not synthetic.shared_identifiers:
        reason = "the tables share no left-out column whose values are nearly unique"
        return Artefact("identifiers", ArtefactSign.UNTOLD, unit, reason=reason)
    outside = {
        each.column: each.matched / each.rows for each in (holdout.shared_identifiers if holdout else ()) if each.rows
    }
    shown = []
    for each in synthetic.shared_identifiers:
        blindly = min(1.0, max(each.chance, outside.get(each.column, 0.0)))
        if each.matched and wilson(each.matched, each.rows, CONFIDENCE)[0] > blindly:
            shown.append(each)
    worst = max(shown or synthetic.shared_identifiers, key=lambda each: each.matched / max(each.rows, 1))
    level = min(1.0, max(worst.chance, outside.get(worst.column, 0.0)))
    sign = ArtefactSign.SHOWS if shown else ArtefactSign.CHANCE if worst.matched else ArtefactSign.NONE
    columns = tuple(each.column for each in shown)
    chance = Rate(level, level, level, worst.rows)
    return Artefact("identifiers", sign, unit, worst.matched, worst.rows, chance, "identifiers drawn blindly", columns)


def of_rows(name: str, found: Bools, chance: Bools, against: str, rows: tuple[int, ...] = ()) -> Artefact:
    """Hold the share of released rows with a sign against the share of other rows with it."""
    number, size = int(np.count_nonzero(found)), len(found)
    level = float(np.count_nonzero(chance) / len(chance))
    rate = Rate(level, *wilson(level * len(chance), len(chance), CONFIDENCE), len(chance))
    shows = _is_above(number / size, size, rate)
    sign = ArtefactSign.SHOWS if shows else ArtefactSign.CHANCE if number else ArtefactSign.NONE
    return Artefact(name, sign, _ROWS, number, size, rate, against, rows=rows if shows else ())
