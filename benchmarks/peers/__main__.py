"""Measure other programs beside ours: `make bench-peers`, or `python -m benchmarks.peers [PROGRAM ...]`.

Adult, n real rows, n rows made from them by `baynet`, and the other records, n at most, as a holdout. Every metric runs
in a fresh process for each size, twice where it is quick; time counts from tables in memory to the score, memory is
that of the process. The record keeps what was measured and docs/benchmarks.md is written again.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks import record
from benchmarks.measuring import ROOT, table
from benchmarks.peers.programs import PROGRAMS, Program
from benchmarks.peers.running import NotInstalled, Run, environment, run

SIZES = (1_000, 10_000, 30_000)
SECRET = "income"
ENVIRONMENTS = ROOT / ".venv-peers"


def main(names: list[str]) -> None:
    """Run all programs, or those named."""
    with tempfile.TemporaryDirectory() as name:
        folders = {size: Path(name) / str(size) for size in SIZES}
        for size, folder in folders.items():
            roles = dealt(size, folder)
        for program in PROGRAMS:
            if not names or program.name in names:
                found = measured(program, folders, roles)
                kept = record.read()
                kept.setdefault("peers", {})[program.name] = {**record.circumstances(), **found}
                record.write(kept)


def dealt(size: int, folder: Path) -> dict[str, Any]:
    """Write the three tables of one size, and say what the columns are."""
    from seethrough import synthesize

    folder.mkdir()
    frame = table("adult.csv.gz").sample(fraction=1, seed=0, shuffle=True)
    real, holdout = frame[:size], frame[size : 2 * size]
    made = synthesize("baynet", real, size, seed=0).polars
    for name, each in (("real", real), ("holdout", holdout), ("synthetic", made)):
        each.write_csv(folder / f"{name}.csv")
    return {"secret": SECRET, "categorical": [name for name, kind in frame.schema.items() if kind == pl.String]}


def measured(program: Program, folders: dict[int, Path], roles: dict[str, Any]) -> dict[str, Any]:
    """Install a program and run its metrics and ours at all sizes."""
    told: dict[str, Any] = {"licence": program.licence}
    if program.left_out:
        return told | {"left_out": program.left_out}
    try:
        python = environment(ENVIRONMENTS / program.name.lower(), program.wanted)
    except NotInstalled as reason:
        return told | {"left_out": str(reason)}
    wanted = " ".join(word for step in program.wanted for word in step)
    return told | {
        "installed": wanted,
        "pairs": [compared(program, python, pair, folders, roles) for pair in program.pairs],
    }


def compared(program, python, pair, folders, roles) -> dict[str, Any]:
    """Run one metric and the check beside it, size after size; after a failure larger sizes are not tried."""
    sides: dict[str, dict[str, Any]] = {"theirs": {}, "ours": {}}
    for size, folder in folders.items():
        for side, words in (
            ("theirs", (python, program.script, pair.theirs)),
            ("ours", (sys.executable, "our_script.py", pair.ours)),
        ):
            before = list(sides[side].values())
            stopped = before and "failed" in before[-1]
            found = Run(failed="not tried") if stopped else run(*words, folder, roles)
            sides[side][str(size)] = found.to_dict()
            print(f"{program.name} {pair.theirs} / {pair.ours}, {size:,} rows, {side}: {found.to_dict()}", flush=True)
    return {"theirs": pair.theirs, "ours": pair.ours, "differs": pair.differs, "runs": sides}


if __name__ == "__main__":
    main(sys.argv[1:])
