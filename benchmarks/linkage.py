"""Linkage by ranks against the definition's double loop, and at 100,000 rows.

Two kinds of tables: one whose columns hang together (four factors and noise) with releases that add noise to the
real records, and one of independent columns, which no bound can help. Run as a module it measures in a fresh process
and prints JSON.
"""

import json
import sys
import time

import numpy as np

from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, peak_gib, seconds

ROWS, COLUMNS, FILES = 100_000, 10, 5
SMALL, SOME = 5_000, 40


def report() -> list[Finding]:
    """Compare at the smaller size, then show time and memory at the larger."""
    lines = against_loops()
    for kind in ("release", "independent"):
        found = in_a_process("benchmarks.linkage", kind)
        what = f"linkage, {ROWS:,} x {ROWS:,} rows, {COLUMNS} columns ({kind}), {FILES} files, sum, exact with all ties"
        cpu = f"{found['threads']:.0f} threads, {found['cpu']:.0f} s of processor time, {found['links']:,.0f} links"
        lines += [
            Finding(what, found["seconds"], "s", at_most=180, detail=cpu),
            Finding(f"{what}, peak", found["peak"], "GiB", at_most=2),
        ]
    return lines


def against_loops() -> list[Finding]:
    """Time the definition on some records against all rows, and scale it up; ours on all, with the same links."""
    from seethrough.kernels.budget import Budget
    from seethrough.kernels.ranks.linkage import nearest_by_ranks

    real, other = tables(SMALL, "release", 1)
    ours = seconds(lambda: nearest_by_ranks(real, other, Budget(threads=2)))
    pairs = seconds(lambda: by_pairs(real[:SOME], other), repeats=1) * SMALL / SOME
    rows = seconds(lambda: by_rows(real, other), repeats=1)
    found, loop = nearest_by_ranks(real, other, Budget(threads=2)), by_rows(real, other)
    assert found.distances.tolist() == [distance for distance, _ in loop]
    assert found.links.nnz == sum(len(links) for _, links in loop)
    what, mine = f"linkage, {SMALL:,} x {SMALL:,} rows, {COLUMNS} columns, two threads", f"{ours * 1000:.0f} ms against"
    loops = f"{mine} {pairs:,.0f} s, extrapolated from {SOME} records"
    return [
        Finding(f"{what}, against NumPy in two loops", pairs / ours, "times", 30, detail=loops),
        Finding(f"{what}, against NumPy in one loop", rows / ours, "times", detail=f"{mine} {rows:.2f} s"),
    ]


def by_pairs(real, other) -> list[tuple[float, list[int]]]:
    """Compare one record with one row at a time, as the definition is written."""
    found = []
    for record in real:
        distances = [np.abs(record - row).sum() / 2 for row in other]
        best = min(distances)
        found.append((best, [row for row, distance in enumerate(distances) if distance == best]))
    return found


def by_rows(real, other) -> list[tuple[float, list[int]]]:
    """Compare one record with all rows at a time."""
    found = []
    for record in real:
        distances = np.abs(other - record).sum(axis=1) / 2
        found.append((float(distances.min()), np.flatnonzero(distances == distances.min()).tolist()))
    return found


def tables(rows: int, kind: str, number: int):
    """Rank a real table and one release of it."""
    from seethrough.kernels.ranks.scale import doubled_ranks

    rng, other = np.random.default_rng(0), np.random.default_rng(number)
    loads = rng.normal(size=(4, COLUMNS)) * (kind == "release")
    real = rng.normal(size=(rows, 4)) @ loads + 0.7 * rng.normal(size=(rows, COLUMNS))
    release = real + 0.3 * other.normal(size=real.shape) if kind == "release" else other.normal(size=real.shape)
    return tuple(np.column_stack([doubled_ranks(column) for column in table.T]) for table in (real, release))


def measure(kind: str) -> dict[str, float]:
    """Link to all files, one after the other."""
    from seethrough.kernels.budget import Budget
    from seethrough.kernels.ranks.linkage import nearest_by_ranks

    links, spent, cpu = 0, 0.0, time.process_time()
    for number in range(1, FILES + 1):
        real, other = tables(ROWS, kind, number)
        start = time.perf_counter()
        links += nearest_by_ranks(real, other, Budget(threads=2)).links.nnz
        spent += time.perf_counter() - start
    return {"seconds": spent, "cpu": time.process_time() - cpu, "peak": peak_gib(), "links": links, "threads": 2}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
