"""The neighbour pass and batches of reconstruction on an accelerator.

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
from seethrough.kernels.device.torch_l1 import solve_many
from seethrough.kernels.device.torch_neighbours import WantedNeighbours, nearest_on_device, tolerance
from seethrough.kernels.neighbours.nearest import nearest_between
from seethrough.kernels.points import Points
from seethrough.kernels.solvers.l1_program import Program, merge_equal_queries
from seethrough.seeds import stream

NUMBERS = {"AGEP": 95.0, "SCHL": 24.0}
ROWS, GAMES, RECORDS, RELEASED = 1_000_000, 500, 1000, 1000
CHECKED = 2000
"""Rows whose nearest distance is measured again by brute force."""


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
    neighbours(people, [str(each) for each in names], device)
    programs(recon, int(secret), device)


def neighbours(people: np.ndarray, names: list[str], device: str) -> None:
    """Search a million rows among a million, as they are and without folding equal ones."""
    a, b = (population(people, names, ROWS, stream(seed, "device")) for seed in (1, 2))
    budget = Budget(device=device)
    nearest_between(a.take(np.arange(2000)), b.take(np.arange(2000)), budget)  # loads the device's libraries
    took, found = timed(lambda: nearest_between(a, b, budget))
    print(f"nearest of {ROWS:,} x {ROWS:,}, equal rows folded: {took:.2f} s")
    every = np.ones(ROWS, bool)
    took, (rows, _) = timed(lambda: nearest_on_device(WantedNeighbours(a, b, every, every, symmetric=False), device))
    print(f"nearest of {ROWS:,} x {ROWS:,}, every pair measured: {took:.2f} s, both directions")
    if len(a.numbers.T):
        codes_only = [Points(np.empty((ROWS, 0)), side.codes, side.weights) for side in (a, b)]
        took, _ = timed(lambda: nearest_on_device(WantedNeighbours(*codes_only, every, every, symmetric=False), device))
        print(f"the same on the categories alone: {took:.2f} s")
    some = np.arange(CHECKED)
    exact = nearest_between(a.take(some), b, Budget()).rows
    worst = float((found.rows[some] ** 2 - exact**2).max())
    same = float((rows[some] - exact**2).max())
    worst, allowed = max(worst, same), tolerance(a, b)
    print(f"{CHECKED:,} rows against the processor: totals at most {worst:.2g} above, {allowed:.2g} allowed")


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


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), sys.argv[3])
