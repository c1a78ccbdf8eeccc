"""The membership battery: lists of neighbours, ratings, supervised attack and the permutation test.

Target: 20,000 members, 20,000 released rows and 20,000 people outside of 8 columns within 10 s on two cores and 1 GiB,
for whatever ratings there are. Beside the search its definition, all distances sorted, and beside the ratings those of
Synth-MIA written from their formulas: distances of all pairs, Gaussian densities of SciPy. Run as a module it prints
JSON: `battery THREADS`, `lists TABLE ROWS THREADS` or `formulas ROWS`.
"""

import hashlib
import json
import sys
import time

import numpy as np
import polars as pl

from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, peak_gib, seconds, table

ROWS, FEW, NAIVE = 20_000, 2_000, 200
"""Rows of each table; rows at which the formulas finish; people of the definition that are timed."""
DIFFUSION = "midst/model_01/{}.parquet"
CATEGORIES = "trans_type", "operation", "k_symbol", "bank"
LISTS = {"adult.csv.gz": 24_000, "acs_employment_ma_2018.csv.gz": 35_000, "acs_recon_ma_2018.csv.gz": 35_000}
"""Tables and rows of either half: mixed columns, few numbers, categories alone."""


def report() -> list[Finding]:
    """Time the battery, the lists and the formulas."""
    table(DIFFUSION.format("members"))
    two = in_a_process("benchmarks.membership", "battery", 2, one_thread=True)
    one = in_a_process("benchmarks.membership", "battery", 1, one_thread=True)
    few = in_a_process("benchmarks.membership", "formulas", FEW, one_thread=True)
    size = f"{ROWS:,} members, released rows and people outside, 8 columns, {two['ratings']:.0f} ratings"
    parts = f"lists and ratings {two['rated']:.1f} s, permutations {two['permuted']:.1f} s"
    told = f"{size}; {parts}; {two['cpu']:.1f} s of processor time"
    same = "scores bit-equal for one and two threads" if one["digest"] == two["digest"] else "scores DIFFER by threads"
    ours = f"{FEW:,} rows each; formulas {few['formulas']:.2f} s, ours {few['ours']:.2f} s for all lists and ratings"
    return [
        Finding("membership battery", two["all"], "s", at_most=10, detail=f"{told}; {same}"),
        Finding("membership battery: memory", two["gib"], "GiB", at_most=1, detail="peak of the process"),
        *(_lists(name, rows) for name, rows in LISTS.items()),
        Finding("membership: beside five ratings by formula", few["formulas"] / few["ours"], "times", detail=ours),
    ]


def _lists(name: str, rows: int) -> Finding:
    found = in_a_process("benchmarks.membership", "lists", name, rows, 2, one_thread=True)
    told = (
        f"{rows:,} x {rows:,} rows of {found['columns']:.0f} columns, 20 neighbours each: {found['seconds']:.1f} s, "
        f"{found['cpu']:.1f} s of processor time; "
        f"all distances sorted {found['naive']:.0f} s, estimated from {NAIVE} people"
    )
    what = f"neighbour lists, {name.partition('.')[0]}, beside the definition"
    return Finding(what, found["naive"] / found["cpu"], "times as fast", detail=told)


def release_tables():
    """Read the tables of one release of a diffusion model."""
    from seethrough.data.reading.release_tables import read_release

    names = "members", "synthetic", "outside"
    frames = [table(DIFFUSION.format(name)).with_columns(pl.col(CATEGORIES).cast(pl.String)) for name in names]
    release = read_release(frames[0], [frames[1]], frames[2])
    assert release.holdout is not None
    return release.train.table, release.holdout.table, release.synthetic[0].table


def battery(threads: int) -> dict[str, float | str]:
    """Run all ratings and the supervised attack, and the permutation test over the ratings."""
    from seethrough.auditing.evidence.battery import run_battery
    from seethrough.auditing.evidence.pool import make_pool
    from seethrough.auditing.evidence.significance import compare_groups
    from seethrough.auditing.evidence.supervised.attack import supervised_answers
    from seethrough.kernels.budget import Budget
    from seethrough.plugins import catalog

    tables, ratings = release_tables(), catalog.arsenal().ratings
    start, cpu = time.perf_counter(), time.process_time()
    pool = make_pool(tables, 0, Budget(threads=threads))
    found = run_battery(pool, ratings, [], 0, learner=supervised_answers)
    rated = time.perf_counter() - start
    compare_groups(found.answers, pool.members, np.random.default_rng(0))
    taken = time.perf_counter() - start
    if found.failed or found.missing:
        raise RuntimeError(f"not all was measured: {found.failed} {found.missing}")
    digest = hashlib.sha256(b"".join(answer.scores.tobytes() for answer in found.answers)).hexdigest()
    used = time.process_time() - cpu
    sizes = {"ratings": len(found.answers), "gib": peak_gib(), "digest": digest}
    return {"all": taken, "rated": rated, "permuted": taken - rated, "cpu": used, **sizes}


def lists(name: str, rows: int, threads: int) -> dict[str, float]:
    """Search one half of a table among the other."""
    from seethrough.data.encoding import standard_points, standard_scale
    from seethrough.data.reading.release_tables import read_release
    from seethrough.kernels.budget import Budget
    from seethrough.kernels.neighbours.k_nearest import k_nearest
    from seethrough.kernels.points import Norm, block_totals

    frame = table(name).sample(2 * rows, seed=0, shuffle=True)
    release = read_release(frame[:rows], [frame[rows:]])
    real, other = release.train.table, release.synthetic[0].table
    scale = standard_scale(other, other)
    mine, theirs = (standard_points(side, scale) for side in (real, other))
    start, cpu = time.perf_counter(), time.process_time()
    found = k_nearest(mine, theirs, 20, Budget(threads=threads))
    taken, used = time.perf_counter() - start, time.process_time() - cpu
    some = mine.take(np.arange(NAIVE))
    begun = time.process_time()
    every = np.sort(Norm.MANHATTAN.distance(block_totals(some, theirs)), axis=1)[:, :20]
    naive = (time.process_time() - begun) * rows / NAIVE
    np.testing.assert_array_equal(found.distances[:NAIVE], every)
    return {"seconds": taken, "cpu": used, "naive": naive, "columns": len(real.columns)}


def formulas(rows: int) -> dict[str, float]:
    """Time five ratings from their formulas, and all of ours, on a part of the tables."""
    from seethrough.bench.bench import Bench
    from seethrough.bench.pool import Seen
    from seethrough.kernels.budget import Budget
    from seethrough.plugins import catalog

    members, outside, release = (side.take(np.arange(2 * rows)) for side in release_tables())
    first, second = np.arange(rows), np.arange(rows, 2 * rows)
    from seethrough.data.rows import stack_tables

    people = stack_tables([members.take(first), outside.take(first)])
    shown = {Seen.PEOPLE: people, Seen.RELEASE: release.take(first), Seen.REFERENCE: outside.take(second)}
    names = "nearness", "difference", "share-of-release", "count", "density-ratio"

    def ours() -> None:
        bench = Bench(shown, Budget(threads=1))
        for name in names:
            catalog.ratings()[name].rate(bench, np.random.default_rng(0))

    numbers = [np.column_stack(shown[part].columns).astype(float) for part in Seen]
    return {"ours": seconds(ours), "formulas": seconds(lambda: by_formula(*numbers))}


def by_formula(people: np.ndarray, release: np.ndarray, reference: np.ndarray) -> list[np.ndarray]:
    """DCR, DCR-Diff, DPI, MC and DOMIAS as their papers have them: all pairs, Euclidean, Gaussian densities."""
    from scipy.spatial.distance import cdist
    from scipy.stats import gaussian_kde

    near, others = cdist(people, release), cdist(people, reference)
    first, other = near.min(axis=1), others.min(axis=1)
    both = np.argsort(np.hstack([near, others]), axis=1)[:, :20]
    share = (both < near.shape[1]).mean(axis=1)
    count = (near <= np.median(first)).sum(axis=1)
    densities = [gaussian_kde(side.T, bw_method="silverman").logpdf(people.T) for side in (release, reference)]
    return [-first, other - first, share, count, densities[0] - densities[1]]


if __name__ == "__main__":
    kind, *words = sys.argv[1:]
    match kind:
        case "battery":
            print(json.dumps(battery(int(words[0]))))
        case "lists":
            print(json.dumps(lists(words[0], int(words[1]), int(words[2]))))
        case _:
            print(json.dumps(formulas(int(words[0]))))
