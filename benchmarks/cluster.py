"""Passes over a release in chunks on the workers of a cluster, beside the same passes in this process.

A cluster inside one process of 1 and of 2 workers goes through two million rows: the k nearest rows of some people, and
counts of equal rows. What is measured is the wall-clock time of a pass with all reading and encoding, as a ratio to
that of this process with as many threads. States are compared, which have to be the same.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.findings import Finding
from benchmarks.large import make_release, real_people
from benchmarks.measuring import Absent
from benchmarks.scale import KEYS, SECRET
from seethrough import __version__
from seethrough.bench.bench import Bench
from seethrough.bench.pool import ExactMatches, Neighbours, Seen
from seethrough.cluster.chunk_workers import open_cluster
from seethrough.data.reading.large import file_chunks, large_release
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Release
from seethrough.kernels.budget import Budget
from seethrough.kernels.passes import Executor

ROWS, PEOPLE, REFERENCE = 2_000_000, 2_000, 500
MEMORY = 1 << 30


def report() -> list[Finding]:
    """Run both requests here and on the workers, with 1 and 2 threads."""
    try:
        import distributed  # noqa: F401  asked for by name, so that its absence is said once
    except ImportError as error:
        raise Absent("needs Dask: pip install 'seethrough[cluster]'") from error
    found = []
    with tempfile.TemporaryDirectory() as folder, _in_chunks():
        make_release(ROWS, Path(folder))
        for workers in (1, 2):
            here, said = _measured(Path(folder), workers, None)
            with open_cluster("local", workers, MEMORY, __version__) as executor:
                there, answers = _measured(Path(folder), workers, executor)
            if not all(map(np.array_equal, said, answers)):
                raise RuntimeError("a cluster gave other numbers than this process")
            what = f"passes over {ROWS:,} released rows on a local cluster, workers: {workers}, over this process"
            told = f"{there:,.1f} s and {here:,.1f} s with {workers} threads, reading included; the same numbers"
            found.append(Finding(what, there / here, at_most=1.5, detail=told))
    return found


@contextmanager
def _in_chunks() -> Iterator[None]:
    """Read a release of this size in chunks, and keep no rows: workers do not."""
    before = large_release.LARGE, file_chunks.KEPT
    large_release.LARGE, file_chunks.KEPT = 1 << 20, 0
    try:
        yield
    finally:
        large_release.LARGE, file_chunks.KEPT = before


def _measured(folder: Path, threads: int, executor: Executor | None) -> tuple[float, list[np.ndarray]]:  # type: ignore[type-arg]
    begun = time.perf_counter()
    real = real_people()[: PEOPLE + REFERENCE]
    release: Release = read_release(real, [folder / "release"], secrets=[SECRET], keys=KEYS, executor=executor)
    table = release.train.table
    tables = {
        Seen.PEOPLE: table.take(slice(0, PEOPLE)),
        Seen.REFERENCE: table.take(slice(PEOPLE, None)),
        Seen.RELEASE: release.synthetic[0].table,
    }
    bench = Bench(tables, Budget(memory=MEMORY, threads=threads))
    lists, matches = bench.get(Neighbours(Seen.RELEASE)), bench.get(ExactMatches())
    return time.perf_counter() - begun, [lists.distances, lists.places, matches.released]


if __name__ == "__main__":
    for finding in report():
        print(finding.line())
