"""Release artefacts against their definitions: each row compared with every real row, each pair of columns counted."""

from collections import Counter
from itertools import combinations

import numpy as np

from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.auditing.artefacts.release_artefacts import COARSE_STEPS, STEPS, bin_numbers, release_artefacts
from seethrough.data.reading.release_tables import read_release

ROWS, SOME = 100_000, 4_000
NAME = "acs_employment_ma_2015_2017.parquet"


def report() -> list[Finding]:
    """Time all signs on all rows, and the definitions of those that cost most on some, extrapolated by their growth."""
    release = read(ROWS)
    ours = seconds(lambda: found(release))
    half, whole = read(SOME // 2), read(SOME)
    assert found(whole) == by_definition(whole)
    parts = []
    for work in (copies, rare_combinations):
        less, more = (seconds(lambda of=each, do=work: do(of), repeats=2) for each in (half, whole))
        growth = np.log2(more / less)
        parts.append((more, growth, more * (ROWS / SOME) ** growth))
    (some, power, rows), (few, degree, pairs) = parts
    told = (
        f"{ours:.2f} s for all signs against {rows:,.0f} s for copies and their chance and {pairs:,.0f} s for rare "
        f"combinations alone, extrapolated from {some:.2f} s and {few:.2f} s at {SOME:,} rows, growth n^{power:.2f} "
        f"and n^{degree:.2f}; equal numbers at {SOME:,}"
    )
    what = f"release artefacts, {ROWS:,} x {ROWS:,} ACS rows, against NumPy loops over rows and pairs of columns"
    return [Finding(what, (rows + pairs) / ours, "times", detail=told)]


def read(rows):
    """Read people of three years as if one half had been made from the other."""
    frame = table(NAME).sample(2 * rows, seed=0, shuffle=True)
    return read_release(frame[:rows], [frame[rows:]])


def found(release) -> tuple[float, ...]:
    """Look for all signs; give the numbers that `by_definition` gives as well."""
    signs = {each.name: each for each in release_artefacts(release, release.synthetic[0])}
    exact, near, rare = (signs[name] for name in ("exact-copies", "near-copies", "rare-combinations"))
    twins = (round(each.chance.value * each.chance.n) for each in (exact, near))
    return exact.found, near.found, *twins, rare.found, rare.of


def by_definition(release) -> tuple[float, ...]:
    """Count as the definitions are written."""
    return *copies(release), *rare_combinations(release)


def copies(release) -> tuple[int, int, int, int]:
    """Count released rows, and real rows among the others, that equal a real row in all columns or all but one."""
    tables = release.train.table, release.synthetic[0].table
    whole, other = (beside(each.columns) for each in tables)
    steps, stepped_other = (beside(bin_numbers(each, STEPS)) for each in tables)
    return (
        sum(int(best(whole, row) == whole.shape[1]) for row in other),
        sum(int(best(steps, row) >= steps.shape[1] - 1) for row in stepped_other),
        sum(int(best(whole, row, at) == whole.shape[1]) for at, row in enumerate(whole)),
        sum(int(best(steps, row, at) >= steps.shape[1] - 1) for at, row in enumerate(steps)),
    )


def beside(columns):
    """Put columns beside each other; missing is a value, so that one comparison tells whether cells agree."""
    return np.column_stack([np.nan_to_num(column.astype(np.float64), nan=-9e9) for column in columns])


def best(rows, row, without=None) -> int:
    """Give in how many columns the most similar row agrees."""
    agree = (rows == row).sum(axis=1)
    if without is not None:
        agree[without] = -1
    return int(agree.max())


def rare_combinations(release) -> tuple[int, int]:
    """Count pairs of values that one real row holds, and those of them that the release shows."""
    columns, others = (bin_numbers(t, COARSE_STEPS) for t in (release.train.table, release.synthetic[0].table))
    shown = rare = 0
    for a, b in combinations(range(len(columns)), 2):
        held = Counter(zip(columns[a].tolist(), columns[b].tolist(), strict=True))
        released = set(zip(others[a].tolist(), others[b].tolist(), strict=True))
        single = {pair for pair, count in held.items() if count == 1}
        rare, shown = rare + len(single), shown + len(single & released)
    return shown, rare
