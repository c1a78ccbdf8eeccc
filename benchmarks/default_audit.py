"""The whole default audit, from CSV files to the page: 5,000 real records, 5,000 people outside, 5,000 released rows.

UCI Adult: 15 columns, five of them numbers, one secret; the release is of a Bayesian network. `seethrough audit` runs
in a process of its own, with all checks and attacks of the preset `full`, and writes its page, JSON and record files.
The second run is timed: the first writes the bytecode that an installed program has, whatever the environment says.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import seethrough as st
from benchmarks.findings import Finding
from benchmarks.measuring import table

ROWS = 5_000
SECRET = "income"


def report() -> list[Finding]:
    """Time one audit; the processor's time is that of all its threads."""
    with tempfile.TemporaryDirectory() as folder:
        write_tables(Path(folder))
        audit(Path(folder))
        before, begun = used(), time.perf_counter()
        audit(Path(folder))
        taken, busy = time.perf_counter() - begun, used() - before
        page = (Path(folder) / "out" / "report.html").stat().st_size
    size = f"{ROWS:,} real, {ROWS:,} outside, {ROWS:,} released rows x 15; {busy:.1f} s of processor time"
    cores = f"{os.cpu_count()} cores; page of {page / 1000:.0f} kB"
    return [Finding("default audit: from CSV to page", taken, "s", at_most=5, detail=f"{size}; {cores}")]


def write_tables(folder: Path) -> None:
    """Write real records, people outside and a release as CSV files."""
    people = table("adult.csv.gz")
    drawn = people[np.random.default_rng(0).permutation(len(people))[: 2 * ROWS]]
    real = drawn[:ROWS]
    real.write_csv(folder / "real.csv")
    drawn[ROWS:].write_csv(folder / "outside.csv")
    st.synthesize("baynet", real, ROWS).write(folder / "synthetic.csv")


def audit(folder: Path) -> None:
    """Run the command."""
    files = ("--real", "real.csv", "--synthetic", "synthetic.csv", "--holdout", "outside.csv")
    words = [sys.executable, "-m", "seethrough", "audit", *files, "--secret", SECRET, "--out", "out"]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    kept["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    subprocess.run(words, cwd=folder, env=kept, check=True, capture_output=True)


def used() -> float:
    """Give the processor time of finished children."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime
