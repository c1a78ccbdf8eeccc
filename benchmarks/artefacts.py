"""Release artefacts against the definition of the one that compares rows: each real row looked for in the release."""

import numpy as np

from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.auditing.artefacts.release_artefacts import release_artefacts
from seethrough.data.reading.release_tables import read_release

ROWS, SOME = 100_000, 4_000
NAME = "acs_employment_ma_2015_2017.parquet"


def report() -> list[Finding]:
    """Time all signs on all rows, and the definition of copies on some, extrapolated by its growth."""
    release = read(ROWS)
    ours = seconds(lambda: found(release))
    half, whole = read(SOME // 2), read(SOME)
    assert found(whole) == copies(whole)
    less, more = (seconds(lambda of=each: copies(of), repeats=2) for each in (half, whole))
    growth = np.log2(more / less)
    rows = more * (ROWS / SOME) ** growth
    told = (
        f"{ours:.2f} s for all signs against {rows:,.0f} s for copies and their chance alone, extrapolated from "
        f"{more:.2f} s at {SOME:,} rows, growth n^{growth:.2f}; equal numbers at {SOME:,}"
    )
    what = f"release artefacts, {ROWS:,} x {ROWS:,} ACS rows, against NumPy loops over rows"
    return [Finding(what, rows / ours, "times", detail=told)]


def read(rows):
    """Read people of three years as if one half had been made from the other."""
    frame = table(NAME).sample(2 * rows, seed=0, shuffle=True)
    return read_release(frame[:rows], [frame[rows:]])


def found(release) -> tuple[int, int]:
    """Look for all signs; give the numbers that `copies` gives as well."""
    signs = {each.name: each for each in release_artefacts(release, release.synthetic[0])}
    exact = signs["exact-copies"]
    return exact.found, round(exact.chance.value * exact.chance.n)


def copies(release) -> tuple[int, int]:
    """Count real rows that equal a released row in all columns, and those that equal another real row."""
    whole, other = (beside(each.columns) for each in (release.train.table, release.synthetic[0].table))
    width = whole.shape[1]
    return (
        sum(int(best(other, row) == width) for row in whole),
        sum(int(best(whole, row, at) == width) for at, row in enumerate(whole)),
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
