"""Searches of neighbours, density sums, permutation tests and batches of reconstruction on an accelerator.

    python -m benchmarks.device prepare FILE.npz       where the real tables are
    python -m benchmarks.device run FILE.npz cuda      where the accelerator is; needs numpy, scipy, torch

A machine with an accelerator need not have the real tables, nor all that Seethrough needs: the file carries codes.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from seethrough.attacks.attribute._queries import answer_queries, make_frame, tally_release
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.device.pair_totals import fused_kernel
from seethrough.kernels.device.torch_k_nearest import ListLengths, lists_on_device
from seethrough.kernels.device.torch_l1 import solve_many
from seethrough.kernels.device.torch_neighbours import WantedNeighbours, nearest_on_device
from seethrough.kernels.neighbours.k_nearest import NAMED, k_nearest
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other
from seethrough.kernels.points import Norm, Points
from seethrough.kernels.solvers.l1_program import Program, merge_equal_queries
from seethrough.kernels.statistics.kernel_sums import log_kernel_sums
from seethrough.kernels.statistics.permutation import permutation_test
from seethrough.seeds import stream

NUMBERS = {"AGEP": 95.0, "SCHL": 24.0}
ROWS, GAMES, RECORDS, RELEASED = 1_000_000, 500, 1000, 1000
SMALL, CHECKED, NEIGHBOURS, RUNS = 20_000, 2000, 50, 3
"""Rows that are searched on both sides; rows of the whole search that are; neighbours of a list; runs, of which the
fastest counts."""
POOL, STATISTICS, PERMUTATIONS = 200_000, 60, 999
"""People, vectors and permutations of the test."""


def prepare(path: Path) -> None:
    """Write the codes of the tables that `run` needs."""
    import polars as pl

    from benchmarks.measuring import table

    years = table("acs_employment_ma_2015_2017.parquet").drop("year").cast(pl.Int32)
    people = pl.concat([years, table("acs_employment_ma_2018.csv.gz").cast(pl.Int32)], how="diagonal")
    recon = table("acs_recon_ma_2018.csv.gz")
    np.savez_compressed(
        path,
        people=people.to_numpy().astype(np.uint8),
        names=np.array(people.columns),
        recon=recon.to_numpy().astype(np.uint8),
        secret=recon.columns.index("SEX"),
    )


def run(path: Path, device: str) -> None:
    """Measure everything and print it."""
    import torch

    name = torch.cuda.get_device_name(0) if device.startswith("cuda") else device
    print(f"torch {torch.__version__}, numpy {np.__version__}, {name}")
    with np.load(path, allow_pickle=False) as tables:
        people, names, recon, secret = (tables[key] for key in ("people", "names", "recon", "secret"))
    print(f"fused kernel: {'yes' if fused_kernel(device) else 'no'}", flush=True)
    drawn = [population(people, [str(each) for each in names], ROWS, stream(seed, "device")) for seed in (1, 2)]
    compare_small(*drawn, device)
    neighbours(*drawn, device)
    lists(*drawn, device)
    permutations(device)
    programs(recon, int(secret), device)


def compare_small(a: Points, b: Points, device: str) -> None:
    """Hold a search of few rows against the processor, bit by bit, in both norms and without numbers."""
    mine, other = (side.take(np.arange(SMALL)) for side in (a, b))
    here, there = Budget(), Budget(device=device)
    for norm in Norm:
        for numbers in (mine.numbers.shape[1], 0):
            sides = [Points(side.numbers[:, :numbers], side.codes, side.weights, norm) for side in (mine, other)]
            one, two = (nearest_between(*sides, budget) for budget in (here, there))
            same = np.array_equal(one.rows, two.rows) and np.array_equal(one.columns, two.columns)
            same &= np.array_equal(*(nearest_other(sides[0], budget) for budget in (here, there)))
            if norm is Norm.MANHATTAN:
                found = [k_nearest(*sides, NEIGHBOURS, budget) for budget in (here, there)]
                same &= np.array_equal(found[0].distances, found[1].distances)
                same &= np.array_equal(found[0].places, found[1].places)
            print(f"{SMALL:,} rows, {norm.value}, {numbers} numbers: {'same bits' if same else 'DIFFER'}", flush=True)


def neighbours(a: Points, b: Points, device: str) -> None:
    """Search a million rows among a million, as they are and without folding equal ones."""
    budget, every = Budget(device=device), np.ones(ROWS, bool)
    took, found = best(lambda: nearest_between(a, b, budget))
    print(f"nearest of {ROWS:,} x {ROWS:,}, equal rows folded: {took:.2f} s", flush=True)
    took, (rows, _) = best(lambda: nearest_on_device(WantedNeighbours(a, b, every, every, symmetric=False), device))
    print(f"nearest of {ROWS:,} x {ROWS:,}, every pair measured: {took:.2f} s, both directions", flush=True)
    codes_only = [Points(np.empty((ROWS, 0)), side.codes, side.weights) for side in (a, b)]
    took, _ = best(lambda: nearest_on_device(WantedNeighbours(*codes_only, every, every, symmetric=False), device))
    print(f"the same on the categories alone: {took:.2f} s", flush=True)
    some = np.arange(CHECKED)
    exact = nearest_between(a.take(some), b, Budget()).rows
    worst = max(float(np.abs(each - exact).max()) for each in (found.rows[some], Norm.EUCLIDEAN.distance(rows[some])))
    print(f"{CHECKED:,} rows against the processor: distances differ by {worst:.2g} at most", flush=True)


def lists(a: Points, b: Points, device: str) -> None:
    """Make lists of neighbours both ways, and density sums of them."""
    a, b = (Points(side.numbers, side.codes, side.weights, Norm.MANHATTAN) for side in (a, b))
    budget, some = Budget(device=device), np.arange(CHECKED)
    took, found = best(lambda: [k_nearest(*sides, NEIGHBOURS, budget) for sides in ((a, b), (b, a))])
    print(f"{NEIGHBOURS} nearest of {ROWS:,} x {ROWS:,} both ways, equal rows folded: {took:.2f} s", flush=True)
    ones, lengths = np.ones(ROWS, np.int64), ListLengths(NEIGHBOURS, NAMED)
    took, every = best(lambda: [lists_on_device(*sides, ones, lengths, device) for sides in ((a, b), (b, a))])
    print(f"{NEIGHBOURS} nearest of {ROWS:,} x {ROWS:,} both ways, every pair measured: {took:.2f} s", flush=True)
    exact = k_nearest(a.take(some), b, NEIGHBOURS, Budget())
    worst = max(float(np.abs(each[some] - exact.distances).max()) for each in (found[0].distances, every[0][0]))
    names = float((found[0].places[some] == exact.places).mean())
    print(f"{CHECKED:,} lists against the processor: differ by {worst:.2g}, names agree {names:.2%}", flush=True)
    width = 0.3 * float(np.median(exact.distances))
    took, sums = best(lambda: log_kernel_sums(found[0].distances, width, budget))
    here, true = timed(lambda: log_kernel_sums(found[0].distances, width, Budget()))
    error = float((np.abs(sums - true) / np.maximum(np.abs(true), 1)).max())
    print(f"density sums of {ROWS:,} lists: {took:.2f} s, processor {here:.2f} s, differ by {error:.2g}", flush=True)


def permutations(device: str) -> None:
    """Test vectors of many people by permuted labels."""
    rng = stream(3, "device")
    vectors, members = rng.random((POOL, STATISTICS)), rng.random(POOL) < 0.5
    took, found = best(lambda: permutation_test(vectors, members, stream(4, "device"), PERMUTATIONS, device))
    here, true = timed(lambda: permutation_test(vectors, members, stream(4, "device"), PERMUTATIONS))
    error = max(float(np.abs(getattr(found, each) - getattr(true, each)).max()) for each in ("observed", "permuted"))
    p = float(np.abs(found.p_values() - true.p_values()).max())
    told = f"{PERMUTATIONS} permutations of {POOL:,} people, {STATISTICS} statistics"
    print(f"{told}: {took:.2f} s, processor {here:.2f} s, z differ by {error:.1g}, p by {p:.1g}", flush=True)


def population(people: np.ndarray, names: list[str], rows: int, rng: np.random.Generator) -> Points:
    """Draw people; one value in twenty is another person's, so that many rows are different ones."""
    whose = rng.integers(0, len(people), rows)
    columns = []
    for column in people.T:
        other = column[rng.integers(0, len(people), rows)]
        columns.append(np.where(rng.random(rows) < 0.05, other, column[whose]))
    numbers = [column / NUMBERS[name] for name, column in zip(names, columns, strict=True) if name in NUMBERS]
    codes = [column for name, column in zip(names, columns, strict=True) if name not in NUMBERS]
    return Points(np.column_stack(numbers), np.stack(codes), np.ones(len(codes)))


def programs(recon: np.ndarray, secret: int, device: str) -> None:
    """Solve the programs of many games together."""
    took, dealt = timed(lambda: [game(recon, secret, stream(number, "games")) for number in range(GAMES)])
    print(f"{GAMES} games of {RECORDS:,} records dealt, counted and merged on the processor: {took:.1f} s")
    solve_many(dealt[:2], device, steps=100)
    for gap in (0.003, 0.001):
        took, found = timed(lambda gap=gap: solve_many(dealt, device, gap))
        gaps = [solution.gap for solution in found]
        print(f"{GAMES} programs within {gap:.1%}: {took:.2f} s, largest gap {max(gaps):.3%}, mean {np.mean(gaps):.3%}")


def game(recon: np.ndarray, secret: int, rng: np.random.Generator) -> Program:
    """Deal one game of all 3-way queries on rows drawn with replacement."""
    records = recon[rng.choice(len(recon), RECORDS, replace=False)]
    known = as_table(np.delete(records, secret, axis=1))
    drawn = records[rng.integers(0, RECORDS, RELEASED)]
    released = as_table(np.column_stack([np.delete(drawn, secret, axis=1), drawn[:, secret]]))
    frame = make_frame(known, 3, None, rng)
    found = answer_queries(
        tally_release(frame, [released], released.schema.used[-1].name, (1, 2)), "conditional", "drop"
    )
    sizes = frame.cells.weights.astype(np.float64)
    return merge_equal_queries(Program(found.matrix, found.values[:, 1:], np.ones_like(found.values[:, 1:]), sizes))


def as_table(codes: np.ndarray) -> Table:
    """Take codes as categories, from 1 on."""
    levels = [tuple(map(str, range(int(column.max()) + 1))) for column in codes.T]
    columns = tuple(Column(str(place), Kind.CATEGORICAL, levels=each) for place, each in enumerate(levels))
    return Table(Schema(columns), tuple((codes + 1).T.copy()))


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Time one run; what comes back is on the processor, so the device has finished."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def best(work: Callable[[], object]) -> tuple[float, object]:
    """Time the fastest of some runs, after one that loads the device's libraries."""
    runs = [timed(work) for _ in range(1 + RUNS)]
    return min(took for took, _ in runs[1:]), runs[-1][1]


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), sys.argv[3])
