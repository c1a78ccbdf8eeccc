"""How many rows other programs and ours survive in 24 GiB: `python -m benchmarks.peers.largest [PROGRAM ...]`.

Adult rows drawn with replacement, of which one value in ten is that of another row, so that rows differ: n real rows, n
released ones and n people outside, n doubled from 10,000 until a run fails, is over its time, or there are 640,000. The
limit of memory is one of the address space of the process. Where time ends it, the n at which memory would is
calculated from the growth of the last two peaks above that of 1,000 rows, and said to be calculated.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks import record
from benchmarks.measuring import table
from benchmarks.peers.__main__ import ENVIRONMENTS, SECRET
from benchmarks.peers.programs import PROGRAMS, Pair, Program
from benchmarks.peers.running import Limits, NotInstalled, environment, run

FEW, FIRST, MOST = 1_000, 10_000, 640_000
LIMITS = Limits(seconds=120, gib=24)
OF_OTHERS = 0.1


def main(names: list[str]) -> None:
    """Try all programs, or those named; the record is written after each pair."""
    for program in PROGRAMS:
        if program.left_out or (names and program.name not in names):
            continue
        try:
            python = environment(ENVIRONMENTS / program.name.lower(), program.wanted)
        except NotInstalled as reason:
            print(f"{program.name}: {reason}", flush=True)
            continue
        for pair in program.pairs:
            found = tried(program, python, pair)
            kept = record.read()
            mine = kept.setdefault("largest", {}).setdefault(program.name, {})
            mine[pair.theirs] = {**record.circumstances(), **found}
            record.write(kept)


def tried(program: Program, python: Path, pair: Pair) -> dict[str, Any]:
    """Double the rows of one metric there and of the check here until they end."""
    sides = {
        "theirs": (python, program.script, pair.theirs),
        "ours": (sys.executable, "our_script.py", pair.ours),
    }
    return {"ours": pair.ours, "limits": vars(LIMITS)} | {
        f"runs_{side}": doubled(words, f"{program.name} {pair.theirs} / {pair.ours}, {side}")
        for side, words in sides.items()
    }


def doubled(words: tuple[Any, str, str], told: str) -> dict[str, Any]:
    """Run one metric on more and more rows."""
    runs: dict[str, Any] = {}
    for size in (FEW, *doubling()):
        with tempfile.TemporaryDirectory() as name:
            found = run(*words, Path(name), dealt(size, Path(name)), LIMITS).to_dict()
        runs[str(size)] = found
        print(f"{told}, {size:,} rows: {found}", flush=True)
        if "failed" in found:
            break
    return runs


def doubling() -> list[int]:
    """List the sizes that are tried."""
    sizes = [FIRST]
    while 2 * sizes[-1] <= MOST:
        sizes.append(2 * sizes[-1])
    return sizes


def dealt(size: int, folder: Path) -> dict[str, Any]:
    """Write three tables of one size, and say what the columns are."""
    frame = table("adult.csv.gz")
    rng = np.random.default_rng(size)
    for name in ("real", "holdout", "synthetic"):
        drawn = frame[rng.integers(0, len(frame), size)]
        mixed = {
            column.name: column[np.where(rng.random(size) < OF_OTHERS, rng.permutation(size), np.arange(size))]
            for column in drawn
        }
        pl.DataFrame(mixed).write_csv(folder / f"{name}.csv")
    return {"secret": SECRET, "categorical": [name for name, kind in frame.schema.items() if kind == pl.String]}


if __name__ == "__main__":
    main(sys.argv[1:])
