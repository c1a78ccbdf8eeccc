"""Many rap fits at once on a GPU; stands alone, with NumPy and torch (SciPy for the comparison, where it is there).

    PYTHONPATH=src python benchmarks/rap_batch.py --games 100

Tables of `--rows` records are drawn from a CSV file, by default the shipped extract without `employed` and with age in
decades, which are the 16 columns of the ACS games. Every column counts as categories.
"""

import argparse
import csv
import gzip
import time
from pathlib import Path

import numpy as np

from seethrough.seeds import stream
from seethrough.synthesizers._models.relaxed.batch import device_there, fit_batch, torch
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._models.relaxed.sampling import sample_cells
from seethrough.synthesizers._models.relaxed.settings import FitSettings

EXTRACT = Path(__file__).resolve().parents[1] / "src" / "seethrough" / "data" / "samples" / "acs_ma_2018.csv.gz"
RELEASED = 1_000_000
SOME_STEPS = 50
ENOUGH = 10.5
"""MRE>10 asks for counts above 10."""


def main() -> None:
    """Fit all games and print what it took."""
    given = arguments()
    cells, sizes = coded(given.data)
    three_way = ThreeWayQueries(sizes)
    games = [drawn(cells, given.rows, game) for game in range(given.games)]
    targets = [three_way.marginals(table) for table in games]
    device = given.device or ("cuda" if device_there() else "cpu")
    print(f"torch {torch().__version__}, {named(device)}")
    print(f"{given.data.name}: {len(sizes)} columns, {three_way.count:,} queries")
    fitted(three_way, targets, 3, device)  # libraries are loaded before the clock starts
    start = time.perf_counter()
    found = fitted(three_way, targets, given.steps, device)
    taken = time.perf_counter() - start
    print(
        f"{len(games)} fits at once, n = {given.rows}, {given.steps} steps: {taken:.1f} s, "
        f"{taken / len(games):.2f} s a fit, {taken / given.steps * 1000:.1f} ms a step"
    )
    print(quality(three_way, targets, found, given.rows))
    print(one_by_one(three_way, targets[0], given.steps, taken / len(games)))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=EXTRACT)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--device", default=None)
    return parser.parse_args()


def coded(path: Path) -> tuple[np.ndarray, tuple[int, ...]]:
    """Read a CSV file as codes of categories."""
    with gzip.open(path, "rt", newline="") if path.suffix == ".gz" else path.open(newline="") as file:
        header, *rows = csv.reader(file)
    columns = dict(zip(header, np.array(rows).T, strict=True))
    if path == EXTRACT:
        del columns["employed"]
        columns["age"] = columns["age"].astype(int) // 10
    codes = [np.unique(values, return_inverse=True)[1] for values in columns.values()]
    return np.column_stack(codes), tuple(int(code.max()) + 1 for code in codes)


def drawn(cells: np.ndarray, rows: int, game: int) -> np.ndarray:
    """Draw the table of one game."""
    return cells[stream(0, f"table {game}").choice(len(cells), rows, replace=False)]


def fitted(three_way: ThreeWayQueries, targets: list[Matrix], steps: int, device: str) -> list[Matrix]:
    """Fit all games, each with its own random numbers."""
    rngs = [stream(0, f"fit {game}") for game in range(len(targets))]
    return fit_batch(three_way, targets, rngs, FitSettings(), steps, device)


def named(device: str) -> str:
    """Name the device."""
    return str(torch().cuda.get_device_name(device)) if device.startswith("cuda") else device


def quality(three_way: ThreeWayQueries, targets: list[Matrix], found: list[Matrix], rows: int) -> str:
    """Give MRE>10 of the relaxed rows themselves, and of rows drawn from the first."""
    errors = [
        relative(three_way.sums(each) / each.shape[1], target, rows)
        for each, target in zip(found, targets, strict=True)
    ]
    released = three_way.marginals(sample_cells(found[0], three_way, RELEASED, stream(0, "release")))
    return (
        f"MRE>10 of relaxed rows {np.mean(errors):.4f} (largest of a fit {max(errors):.4f}); of {RELEASED:,} rows "
        f"drawn from the first fit {relative(released, targets[0], rows):.4f}"
    )


def relative(answers: Matrix, target: Matrix, rows: int) -> float:
    """Average the relative error of counts above 10."""
    asked = target * rows > ENOUGH
    return float((np.abs(answers[asked] - target[asked]) / target[asked]).mean())


def one_by_one(three_way: ThreeWayQueries, target: Matrix, steps: int, each: float) -> str:
    """Compare with the fit on one core, from some of its steps."""
    try:
        from seethrough.synthesizers._models.relaxed.fit import RelaxedFit
    except ImportError:
        return "SciPy is not there: no comparison with one core"
    rng = stream(0, "one")
    relaxed = RelaxedFit(three_way, FitSettings(), rng)
    start = time.perf_counter()
    for _ in range(SOME_STEPS):
        relaxed.step(relaxed.answers() - target, rng)
    alone = (time.perf_counter() - start) / SOME_STEPS * steps
    return f"one fit on CPU, NumPy: {alone:.1f} s (from {SOME_STEPS} steps); {alone / each:.1f} times as long"


if __name__ == "__main__":
    main()
