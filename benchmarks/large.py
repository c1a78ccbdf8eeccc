"""A release larger than memory: how long its audit takes, by pass, and how much memory.

python -m benchmarks.large ROWS [--folder FOLDER] [--targets N] [--cores N] [--preset NAME] [--keep]

The release is a folder of Parquet files of a million rows each, people of the census of which a tenth of the values is
exchanged with those of others. Files are made one after the other; one that is there already is kept, so that making
them can be stopped and taken up again. They are removed in the end, unless --keep is said. What was measured goes to
docs/scale.json, by the number of rows.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import polars as pl

from benchmarks.findings import Finding
from benchmarks.large_page import write_part
from benchmarks.measuring import in_a_process, peak_gib
from benchmarks.scale import EXCHANGED, KEYS, SECRET, census, exchanged, record_large, told
from seethrough.data.chunked.chunked_table import AfterSteps
from seethrough.data.table import Table
from seethrough.kernels.passes import Chunks, Pass, fold_rows
from seethrough.seeds import stream

PEOPLE = 100_000
"""Rows of the real table, and of the people outside."""
FILE_ROWS = 1_000_000
TARGETS = 10_000
LIMIT_GIB = 8
MOST_SECONDS = {100_000_000: 3600}
IN_BENCH = 10_000_000


def report() -> list[Finding]:
    """Audit ten million rows in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        return findings(audited(IN_BENCH, Path(folder), TARGETS, 2, "full"))


def findings(found: dict[str, float]) -> list[Finding]:
    """Say what was measured beside what was wanted."""
    rows = int(found["rows"])
    what = f"audit of {rows:,} released rows read in chunks, {found['targets']:,.0f} targets of each kind"
    took = f"{found['cpu']:,.0f} s of processor time; slowest: {found['slowest']}"
    return [
        Finding(f"{what}, time", found["seconds"], "s", at_most=MOST_SECONDS.get(rows), detail=took),
        Finding(f"{what}, peak", found["peak"], "GiB", at_most=LIMIT_GIB),
        Finding(f"{what}, checks that failed", found["failed"], "", at_most=0),
    ]


def audited(rows: int, folder: Path, targets: int, cores: int, preset: str) -> dict[str, float]:
    """Make the release where it is not there, audit it in a fresh process, and keep what was measured."""
    make_release(rows, folder)
    found = in_a_process("benchmarks.large", rows, "--folder", folder, "--targets", targets, "--cores", cores,
                         "--preset", preset, "--audit")  # fmt: skip
    write_part(record_large(found))
    return found


@dataclass
class SharedClock:
    """Processor time of this process, dealt out evenly among those that work side by side."""

    last: float = 0.0
    working: list[list[float]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def change(self, stopped: list[float] | None, begun: list[float] | None) -> None:
        """Deal out what was spent since the last change, and let one stop or begin."""
        with self.lock:
            now = time.process_time()
            for each in self.working:
                each[0] += (now - self.last) / len(self.working)
            self.last = now
            self.working = [each for each in self.working if each is not stopped] + ([begun] if begun else [])


@dataclass(frozen=True)
class TimedPasses:
    """Goes through chunks in this process, and takes the processor time of reading and of computing apart.

    `reading` has seconds for a million rows, one number a pass; `computing` the seconds of each pass, by its name.
    """

    clock: SharedClock = field(default_factory=SharedClock)

    reading: list[float] = field(default_factory=list)
    computing: dict[str, list[float]] = field(default_factory=dict)

    def fold(self, chunks: Chunks[Any], each: Pass[Any, Any]) -> Any:
        """Run a pass."""
        read, computed, rows = [0.0], [0.0], [0]

        def timed() -> Iterator[tuple[Any, int]]:
            parts = iter(chunks.read_all())
            while True:
                self.clock.change(computed, read)
                part = next(parts, None)
                self.clock.change(read, computed)
                if part is None:
                    return
                rows[0] += len(part[0]) if isinstance(part[0], Table) else 0
                yield part

        self.clock.change(None, computed)
        try:
            found = fold_rows(timed(), each)
        finally:
            self.clock.change(computed, None)
        inside = each.each if isinstance(each, AfterSteps) else each
        self.computing.setdefault(type(inside).__name__, []).append(computed[0])
        if rows[0]:
            self.reading.append(read[0] / rows[0] * 1e6)
        return found


def real_people() -> pl.DataFrame:
    """Draw the real table."""
    return exchanged(census(), PEOPLE, EXCHANGED["real"], stream(0, "real people"))


def make_release(rows: int, folder: Path) -> None:
    """Write the files of a release that are not there yet."""
    release = folder / "release"
    release.mkdir(parents=True, exist_ok=True)
    real = real_people()
    small = {name: pl.Int8 if real[name].max() < 128 else pl.Int32 for name in real.columns}  # type: ignore[operator]
    for part in range(-(-rows // FILE_ROWS)):
        path = release / f"part-{part:04d}.parquet"
        if path.exists():
            continue
        size = min(FILE_ROWS, rows - part * FILE_ROWS)
        made = exchanged(real, size, EXCHANGED["synthetic"], stream(part, "synthetic people"))
        unfinished = folder / f"{path.name}.unfinished"
        made.cast(small).write_parquet(unfinished, compression="zstd")
        unfinished.rename(path)


def measure(rows: int, folder: Path, targets: int, cores: int, preset: str) -> dict[str, object]:
    """Audit the release in this process."""
    import seethrough as st
    from seethrough.api import audit as audits
    from seethrough.results.outcome import Failed, Skipped

    passes = TimedPasses()
    audits._executor = lambda *_: nullcontext(passes)  # type: ignore[assignment]
    real = real_people()
    outside = exchanged(census(), PEOPLE, EXCHANGED["real"], stream(0, "people outside"))
    start, used = time.perf_counter(), time.process_time()
    found = st.audit(
        real,
        folder / "release",
        outside,
        secret=SECRET,
        keys=KEYS,
        targets=targets,
        preset=preset,
        threads=cores,
        memory=1 << 30,
    )
    taken, used = time.perf_counter() - start, time.process_time() - used
    costs = (*found.timings.checks, *found.timings.shared, *found.timings.steps)
    slow = sorted(costs, key=lambda cost: -cost.seconds)[:12]
    outcomes = found.tables[0].outcomes
    return {
        "rows": rows,
        "columns": len(real.columns),
        "cores": cores,
        "targets": targets,
        "preset": preset,
        "seconds": round(taken, 1),
        "cpu": round(used, 1),
        "peak": round(peak_gib(), 2),
        "failed": sum(isinstance(outcome, Failed) for outcome in outcomes),
        "reading": round(max(passes.reading, default=0.0), 3),
        "passes": {name: [len(each), round(sum(each), 2)] for name, each in passes.computing.items()},
        "skipped": ", ".join(outcome.card.name for outcome in outcomes if isinstance(outcome, Skipped)),
        "slowest": ", ".join(f"{told(cost)} {cost.seconds:,.0f} s" for cost in slow),
    }


def main(words: list[str]) -> None:
    """Measure once, in a folder that may be chosen, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large")
    parser.add_argument("rows", type=int)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--targets", type=int, default=TARGETS)
    parser.add_argument("--cores", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--preset", default="full")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--audit", action="store_true", help=argparse.SUPPRESS)
    said = parser.parse_args(words)
    if said.audit:
        print(json.dumps(measure(said.rows, said.folder, said.targets, said.cores, said.preset)))
        return
    folder = said.folder or Path(tempfile.gettempdir()) / f"seethrough-large-{said.rows}"
    for finding in findings(audited(said.rows, folder, said.targets, said.cores, said.preset)):
        print(finding.line(), flush=True)
    if not said.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
