"""Searches of neighbours, density sums, permutation tests and batches of reconstruction on an accelerator.

    python -m benchmarks.device prepare FILE.npz                where the real tables are
    python -m benchmarks.device run FILE.npz cuda FOUND.json    where the accelerator is; needs numpy, scipy, torch
    python -m benchmarks.device record FOUND.json               where the page is made

A machine with an accelerator need not have the real tables, nor all that Seethrough needs: the file carries codes.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import numpy as np

from benchmarks.findings import Finding
from seethrough.attacks.attribute._queries import answer_queries, make_frame, tally_release
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.device.pair_totals import fused_kernel
from seethrough.kernels.device.torch_k_nearest import ListLengths, lists_on_device
from seethrough.kernels.device.torch_l1 import solve_many
from seethrough.kernels.device.torch_neighbours import WantedNeighbours, nearest_on_device
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.kernels.neighbours.lists.growing_lists import NAMED
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
SIZE = f"{ROWS:,} x {ROWS:,} ACS rows"
RECORD = Path(__file__).with_name("device.json")
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


def run(path: Path, device: str, out: Path | None = None) -> None:
    """Measure everything, print it, and write it down in the form that `record` takes."""
    import torch

    with np.load(path, allow_pickle=False) as tables:
        people, names, recon, secret = (tables[key] for key in ("people", "names", "recon", "secret"))
    drawn = [population(people, [str(each) for each in names], ROWS, stream(seed, "device")) for seed in (1, 2)]
    found = []
    for finding in chain(
        compared(*drawn, device),
        neighbours(*drawn, device),
        lists(*drawn, device),
        permutations(device),
        programs(recon, int(secret), device),
    ):
        print(finding.line(), flush=True)
        found.append(finding.to_dict())
    name = torch.cuda.get_device_name(0) if device.startswith("cuda") else device
    entry = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"one {name}, {os.cpu_count()} CPU cores; not run by `make bench`",
        "versions": {"torch": torch.__version__.partition("+")[0], "numpy": np.__version__},
        "command": f"python -m benchmarks.device run FILE.npz {device}",
        "findings": found,
    }
    if out:
        out.write_text(json.dumps(entry, indent=1) + "\n", encoding="utf-8")


def record(path: Path) -> None:
    """Take what `run` wrote over into device.json, from which `python -m benchmarks page` makes the page."""
    entries = json.loads(RECORD.read_text(encoding="utf-8")) | {"device": json.loads(path.read_text(encoding="utf-8"))}
    RECORD.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def compared(a: Points, b: Points, device: str) -> Iterator[Finding]:
    """Hold a search of few rows against the processor, bit by bit, in both norms and without numbers."""
    mine, other = (side.take(np.arange(SMALL)) for side in (a, b))
    different = 0
    for norm in Norm:
        for numbers in (mine.numbers.shape[1], 0):
            sides = [Points(side.numbers[:, :numbers], side.codes, side.weights, norm) for side in (mine, other)]
            here, there = (_searched(sides, budget) for budget in (Budget(), Budget(device=device)))
            different += sum(int((one != two).sum()) for one, two in zip(here, there, strict=True))
    fused = "one kernel for products and minima" if fused_kernel(device) else "plain torch"
    what = f"{SMALL:,} rows, numbers and categories, both norms: distances and names that differ from the processor"
    yield Finding(what, different, at_most=0, detail=fused)


def _searched(sides: list[Points], budget: Budget) -> list[np.ndarray]:
    across = nearest_between(*sides, budget)
    found = [across.rows, across.columns, nearest_other(sides[0], budget)]
    if sides[0].norm is Norm.MANHATTAN:
        listed = k_nearest(*sides, NEIGHBOURS, budget)
        found += [listed.distances, listed.places]
    return found


def neighbours(a: Points, b: Points, device: str) -> Iterator[Finding]:
    """Search a million rows among a million, as they are and without folding equal ones."""
    budget, every = Budget(device=device), np.ones(ROWS, bool)
    took, found = best(lambda: nearest_between(a, b, budget))
    yield Finding(f"nearest neighbours, {SIZE}, equal rows folded", took, "s", at_most=5)
    took, (rows, _) = best(lambda: nearest_on_device(WantedNeighbours(a, b, every, every, symmetric=False), device))
    yield Finding(f"nearest neighbours, {SIZE}, every pair measured, both directions", took, "s", at_most=5)
    codes_only = [Points(np.empty((ROWS, 0)), side.codes, side.weights) for side in (a, b)]
    took, _ = best(lambda: nearest_on_device(WantedNeighbours(*codes_only, every, every, symmetric=False), device))
    yield Finding(f"nearest neighbours, {SIZE}, every pair measured, categories alone", took, "s", at_most=5)
    some = np.arange(CHECKED)
    exact = nearest_between(a.take(some), b, Budget()).rows
    worst = max(float(np.abs(each - exact).max()) for each in (found.rows[some], Norm.EUCLIDEAN.distance(rows[some])))
    what = f"nearest neighbours, {CHECKED:,} rows against the processor, largest difference of a distance"
    yield Finding(what, worst, at_most=0)


def lists(a: Points, b: Points, device: str) -> Iterator[Finding]:
    """Make lists of neighbours both ways, and density sums of them."""
    a, b = (Points(side.numbers, side.codes, side.weights, Norm.MANHATTAN) for side in (a, b))
    budget, some = Budget(device=device), np.arange(CHECKED)
    took, found = best(lambda: [k_nearest(*sides, NEIGHBOURS, budget) for sides in ((a, b), (b, a))])
    yield Finding(f"{NEIGHBOURS} nearest neighbours both ways, {SIZE}, equal rows folded", took, "s", at_most=10)
    ones, lengths = np.ones(ROWS, np.int64), ListLengths(NEIGHBOURS, NAMED)
    took, every = best(lambda: [lists_on_device(*sides, ones, lengths, device) for sides in ((a, b), (b, a))])
    yield Finding(f"{NEIGHBOURS} nearest neighbours both ways, {SIZE}, every pair measured", took, "s", at_most=10)
    exact = k_nearest(a.take(some), b, NEIGHBOURS, Budget())
    worst = max(float(np.abs(each[some] - exact.distances).max()) for each in (found[0].distances, every[0][0]))
    what = f"{NEIGHBOURS} nearest neighbours, {CHECKED:,} lists against the processor, largest difference of a distance"
    names = float((found[0].places[some] == exact.places).mean())
    yield Finding(what, worst, at_most=0, detail=f"of the {NAMED} rows named in each, {names:.2%} are the same")
    yield densities(found[0].distances, 0.3 * float(np.median(exact.distances)), budget)


def densities(distances: np.ndarray, width: float, budget: Budget) -> Finding:
    """Add up kernels over lists."""
    took, sums = best(lambda: log_kernel_sums(distances, width, budget))
    here, true = timed(lambda: log_kernel_sums(distances, width, Budget()))
    error = float((np.abs(sums - true) / np.maximum(np.abs(true), 1)).max())
    told = f"to the device and back; the processor beside it {here:.2f} s; largest difference {error:.1g}"
    return Finding(f"density sums of {ROWS:,} lists of {NEIGHBOURS}", took, "s", detail=told)


def permutations(device: str) -> Iterator[Finding]:
    """Test vectors of many people by permuted labels."""
    rng = stream(3, "device")
    vectors, members = rng.random((POOL, STATISTICS)), rng.random(POOL) < 0.5
    took, found = best(lambda: permutation_test(vectors, members, stream(4, "device"), PERMUTATIONS, device))
    here, true = timed(lambda: permutation_test(vectors, members, stream(4, "device"), PERMUTATIONS))
    error = max(float(np.abs(getattr(found, each) - getattr(true, each)).max()) for each in ("observed", "permuted"))
    p = float(np.abs(found.p_values() - true.p_values()).max())
    what = f"permutation test, {POOL:,} people, {STATISTICS} statistics, {PERMUTATIONS} permutations"
    told = f"all of it on the processor {here:.2f} s; largest difference of z {error:.1g}, of p {p:.1g}"
    yield Finding(what, took, "s", detail=told)


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


def programs(recon: np.ndarray, secret: int, device: str) -> Iterator[Finding]:
    """Solve the programs of many games together."""
    dealt = [game(recon, secret, stream(number, "games")) for number in range(GAMES)]
    solve_many(dealt[:2], device, steps=100)
    for gap in (0.003, 0.001):
        took, found = timed(lambda gap=gap: solve_many(dealt, device, gap))
        largest = max(solution.gap for solution in found)
        what = (
            f"{GAMES} reconstruction programs together (n = {RECORDS}, all 3-way queries), gap within {100 * gap:.1g} %"
        )
        yield Finding(what, took, "s", at_most=5, detail=f"largest gap {largest:.2%}")


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
    command, *given = sys.argv[1:]
    if command == "run":
        run(Path(given[0]), given[1], *map(Path, given[2:]))
    else:
        {"prepare": prepare, "record": record}[command](Path(given[0]))
