"""Time, peak memory, and the tables that benchmarks are run on."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl

ROOT = Path(__file__).resolve().parents[1]
TABLES = ROOT.parent / "shared" / "data"


class Absent(Exception):
    """A table that a benchmark needs is not there."""


def table(name: str) -> pl.DataFrame:
    """Read one of the real tables that are kept beside the checkout."""
    path = TABLES / name
    if not path.exists():
        raise Absent(f"needs {name} in the folder shared/data beside the checkout")
    return pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path)


def seconds(work: Callable[[], object], repeats: int = 3, clock: Callable[[], float] = time.perf_counter) -> float:
    """Time the fastest of several runs."""
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def in_a_process(module: str, *words: object, one_thread: bool = False) -> dict[str, float]:
    """Run `python -m module words`, which prints JSON, in a fresh process, on one thread if asked."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1") if one_thread else {}
    command = [sys.executable, "-m", module, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ, **threads})
    return dict(json.loads(done.stdout.splitlines()[-1]))


def peak_gib() -> float:
    """Largest memory that this process has held, with its largest child: what both share counts twice."""
    both = (resource.getrusage(whose).ru_maxrss for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(both) / (1 << 20)


def processor_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    used = (resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)
