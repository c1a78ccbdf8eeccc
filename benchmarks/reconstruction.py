"""Linear reconstruction: Table 2 of its paper, the straightforward program, all variants, many records, many rows.

Times are of the processor: one thread does the work, except where files are read, so that is the time that passes on a
machine with nothing else to do, and other jobs disturb it less.
"""

import json
import sys
from collections.abc import Callable
from itertools import islice, repeat
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse
from scipy.optimize import linprog

import seethrough
from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, peak_gib, seconds, table
from seethrough.attacks.attribute._queries import Answers, Frame, answer_queries, make_frame, tally_release
from seethrough.attacks.attribute.recon import Recon
from seethrough.data.reading.release_tables import read_release
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.solvers import l1
from seethrough.protocols.attack import AttributeView
from seethrough.seeds import stream

TABLE, SECRET, RECORDS = "acs_recon_ma_2018.csv.gz", "SEX", 1000
SIZES, COUNTS = [10**power for power in range(1, 7)], [10**power for power in range(1, 6)]
COLUMNS = {10: 3, 100: 3, 1000: 3, 10_000: 4, 100_000: 5}
"""Columns of a query, the secret among them: the fewest of which 1000 records have so many cells."""
PUBLISHED = [
    [2.10, 2.20, 2.39, 4.43, 25.2],
    [2.10, 2.22, 2.39, 4.47, 25.6],
    [2.11, 2.21, 2.42, 4.74, 28.6],
    [2.11, 2.22, 2.50, 5.80, 39.0],
    [2.19, 2.41, 3.75, 15.4, 134],
    [2.82, 4.12, 16.5, 113, 1130],
]
MASKS = 100
FILES = [20_000_000, 40_000_000]
FLAT = 1.25
"""Memory counts as flat if twice the rows take at most so many times as much."""


def report() -> list[Finding]:
    """Run everything."""
    table(TABLE)
    return [*published(), *straightforward(), *default_attack(), *many_records(), many_rows(), *large_files()]


def deal(records: int, rows: int, seed: int = 0) -> tuple[Table, Table]:
    """Draw records, and rows from them with replacement, which is what the generator NonPrivate does."""
    rng = stream(seed, "reconstruction")
    frame = table(TABLE)
    frame = frame[rng.choice(len(frame), records, replace=False)].with_columns(pl.all().cast(pl.String))
    release = read_release(frame, [frame], secrets=(SECRET,))
    real = release.train.table
    known = real.project([column.name for column in real.schema.used if column.name != SECRET])
    return known, real.take(rng.integers(0, records, rows))


def attacked(known: Table, released: list[Table], count: int | None, k: int) -> tuple[Frame, Answers, l1.Solution]:
    """Attack everybody, from two tables to a solution, with queries of any number of columns."""
    frame = make_frame(known, k, count, stream(0, "queries"))
    answers = answer_queries(tally_release(frame, released, SECRET, (1, 2)), "conditional", "drop")
    return frame, answers, l1.solve(Recon().program(answers, frame), "exact")


def published() -> list[Finding]:
    """Fill Table 2, and the largest cell once more in a process of its own."""
    known, whole = deal(RECORDS, SIZES[-1])
    found = []
    for size, theirs in zip(SIZES, PUBLISHED, strict=True):
        released = whole.take(slice(0, size))
        ours = [seconds(lambda c=c, s=released: attacked(known, [s], c, COLUMNS[c]), 1, process_time) for c in COUNTS]
        slowest = min(there / here for there, here in zip(theirs, ours, strict=True))
        cells = "; ".join(f"{n:,}: {here:.3f} / {there:g}" for n, here, there in zip(COUNTS, ours, theirs, strict=True))
        what = f"`recon`, Table 2, {size:,} rows, the smallest of five ratios"
        found.append(Finding(what, slowest, "times", detail=f"seconds here / there by queries: {cells}"))
    largest = in_a_process("benchmarks.reconstruction", "largest")
    what = "`recon`, the largest cell of Table 2 in a process of its own"
    return [
        *found,
        Finding(what, largest["seconds"], "s", at_most=10, detail="1,130 s there"),
        Finding(f"{what}, peak with tables and program", largest["peak"], "GiB", at_most=1.5, detail="3.26 GB there"),
    ]


def straightforward() -> list[Finding]:
    """Compare at 10^4 queries and 10^6 rows with one mask for each query and the program as written, by simplex."""
    known, released = deal(RECORDS, SIZES[-1])
    ours = seconds(lambda: attacked(known, [released], 10_000, 4), 5, process_time)
    frame, answers, solution = attacked(known, [released], 10_000, 4)
    ways = {
        "columns of a pandas frame": masks(known, released, pd.DataFrame),
        "NumPy arrays of 8-byte integers": masks(known, released, dict),
        "NumPy arrays cut down to single bytes before": masks(known, released, dict, np.uint8),
    }
    naive = {way: 10_000 / MASKS * seconds(work, 3, process_time) for way, work in ways.items()}
    objectives: list[float] = []
    simplex = seconds(lambda: objectives.append(by_simplex(frame, answers)), 2, process_time)
    assert np.isclose(objectives[0], solution.objective, rtol=1e-6)
    what = f"`recon`, 10,000 queries of 4 columns, {RECORDS:,} records, 10^6 rows, against simplex and one mask a query"
    told = f"{ours:.2f} s against {simplex:.1f} s for the program as written and"
    return [
        Finding(f"{what} over {way}", (taken + simplex) / ours, "times", 100, detail=f"{told} {taken:.0f} s for masks")
        for way, taken in naive.items()
    ]


def masks(known: Table, released: Table, made: Callable, kind: type = np.int64) -> Callable[[], None]:
    """Answer queries as they are written; `made` holds columns, which are 8-byte integers as files are read."""
    names = [column.name for column in known.schema.used]
    records = made({name: known.column(name).astype(kind) for name in names})
    rows = made({name: released.column(name).astype(kind) for name in (*names, SECRET)})

    def answer() -> None:
        rng = stream(0, "masks")
        for _ in range(MASKS):
            person, (one, two, three) = rng.integers(len(known)), rng.choice(names, 3, replace=False)
            values = [records[name][person] for name in (one, two, three)]
            cell, people = (
                (of[one] == values[0]) & (of[two] == values[1]) & (of[three] == values[2]) for of in (rows, records)
            )
            (cell & (rows[SECRET] == 2)).sum() / max(cell.sum(), 1) * people.sum()

    return answer


def by_simplex(frame: Frame, answers: Answers) -> float:
    """Solve the program as it is written, with one variable for each record and two for each query."""
    people = answers.matrix[:, frame.cells.row_of]
    queries, records = people.shape
    errors = sparse.eye_array(queries)
    found = linprog(
        np.concatenate([np.zeros(records), np.ones(2 * queries)]),
        A_eq=sparse.hstack([people, errors, -errors]),
        b_eq=answers.values[:, 1],
        bounds=np.array([(0, 1)] * records + [(0, np.inf)] * (2 * queries)),
        method="highs-ds",
    )
    return float(found.fun)


def default_attack() -> list[Finding]:
    """Time one attack on one target, as a game runs it, for each variant."""
    known, released = deal(RECORDS, SIZES[-1])
    view = AttributeView(known, (released,), SECRET, (1, 2), np.array([0]), Budget(threads=2))
    frame = make_frame(known, 3, None, stream(0, "queries"))
    counting = seconds(lambda: tally_release(frame, [released], SECRET, (1, 2)), 3, process_time)
    times = {
        variant: seconds(
            lambda variant=variant: Recon(variant=variant).guess(view, stream(0, "attack")), 3, process_time
        )
        for variant in ("lp", "weighted", "gls", "gls-prior", "robust")
    }
    what = f"`recon`, {RECORDS:,} records, 10^6 rows, all 3-way queries"
    return [
        Finding(f"{what}, variant {variant}", taken, "s", at_most=1, detail=f"{counting:.3f} s of it for counting")
        for variant, taken in times.items()
    ]


def many_records() -> list[Finding]:
    """Attack 20,000 records, exactly and fast, each in a process of its own."""
    found = {engine: in_a_process("benchmarks.reconstruction", "records", engine) for engine in ("exact", "fast")}
    what = "`recon`, 20,000 records, 10^6 rows, all 3-way queries"
    return [
        Finding(f"{what}, engine {engine}, peak", each["peak"], "GiB", at_most=8, detail=took(each))
        for engine, each in found.items()
    ]


def took(each: dict[str, float]) -> str:
    """Tell time and gap of an engine."""
    return f"{each['seconds']:.1f} s, gap {each['gap']:.1e}"


def many_rows() -> Finding:
    """Count 10^8 rows that come in pieces."""
    found = in_a_process("benchmarks.reconstruction", "rows")
    grown = f"{found['grown'] * 1024:.0f} MiB more than after the first piece"
    return Finding(
        "`recon`, counting 10^8 rows in 100 pieces, 105 pairs of columns", found["seconds"], "s", detail=grown
    )


def large_files() -> list[Finding]:
    """Attack with Parquet files of a released table, as a user does; `python -m benchmarks.reconstruction file N`."""
    found = {rows: in_a_file(rows) for rows in FILES}
    what = f"`recon`, {RECORDS:,} records, a Parquet file of 16 columns"
    small, large = (found[rows]["peak"] for rows in FILES)
    told = "; ".join(f"{rows:,} rows: {each['seconds']:.0f} s, {each['peak']:.2f} GiB" for rows, each in found.items())
    return [Finding(f"{what}, memory for twice the rows", large / small, "times", at_most=FLAT, detail=told)]


def in_a_file(rows: int | str) -> dict[str, float]:
    """Write a file in which every record comes equally often, and attack with it in a process of its own."""
    people = table(TABLE)[stream(0, "file").choice(70_000, RECORDS, replace=False)]
    with TemporaryDirectory() as folder:
        people.drop(SECRET).write_csv(f"{folder}/known.csv")
        times = pl.LazyFrame({"time": np.arange(int(rows) // RECORDS, dtype=np.int32)})
        copies = times.join(people.lazy().cast(pl.Int16), how="cross").drop("time")
        copies.sink_parquet(f"{folder}/release.parquet", row_group_size=SIZES[-1])
        return in_a_process("benchmarks.reconstruction", "attack", folder)


def attack(folder: str) -> dict[str, float]:
    """Measure an attack with files."""
    files = f"{folder}/known.csv", f"{folder}/release.parquet"
    taken = seconds(lambda: seethrough.attack("recon", *files, secret=SECRET), 1, process_time)
    return {"seconds": taken, "peak": peak_gib()}


def largest() -> dict[str, float]:
    """Measure the last cell of the table."""
    known, released = deal(RECORDS, SIZES[-1])
    taken = seconds(lambda: attacked(known, [released], COUNTS[-1], COLUMNS[COUNTS[-1]]), 1, process_time)
    return {"seconds": taken, "peak": peak_gib()}


def records(engine: l1.Engine) -> dict[str, float]:
    """Measure an attack on 20,000 records."""
    known, released = deal(20_000, SIZES[-1])
    view = AttributeView(known, (released,), SECRET, (1, 2), np.array([0]), Budget(threads=2))
    start = process_time()
    found = Recon(engine=engine).guess(view, stream(0, "attack"))
    return {"seconds": process_time() - start, "peak": peak_gib(), "gap": float(found.details["gap"])}


def rows() -> dict[str, float]:
    """Measure the counting of 10^8 rows: one piece of 10^6, a hundred times."""
    known, piece = deal(RECORDS, SIZES[-1])
    frame = make_frame(known, 3, None, stream(0, "queries"))
    tally_release(frame, [piece], SECRET, (1, 2))
    before, start = peak_gib(), process_time()
    tally_release(frame, islice(repeat(piece), 100), SECRET, (1, 2))
    return {"seconds": process_time() - start, "grown": peak_gib() - before}


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    parts = {"largest": largest, "records": records, "rows": rows, "file": in_a_file, "attack": attack}
    print(json.dumps(parts[what](*words)))
