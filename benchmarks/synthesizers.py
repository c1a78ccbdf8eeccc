"""Generators: drawing and fitting a Bayesian network, against DataSynthesizer in an environment of its own."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.data.reading.release_tables import read_release
from seethrough.data.table import Table
from seethrough.data.writing import as_frame
from seethrough.protocols.synthesizer import draw_rows
from seethrough.seeds import stream
from seethrough.synthesizers.baynet import BayesianNetwork
from seethrough.synthesizers.privbayes import PrivBayes
from seethrough.utility.three_way import three_way

TABLE, RECORDS, ROWS, MANY = "acs_recon_ma_2018.csv.gz", 1000, 100_000, 1_000_000
PEER = "DataSynthesizer"
LIMIT, INSTALLING = 300, 600
"""Seconds that the other program, and its installation, may take."""
SCRIPT = """
import csv, sys
from DataSynthesizer.DataDescriber import DataDescriber
from DataSynthesizer.DataGenerator import DataGenerator

if __name__ == "__main__":
    given, told, made, rows, k = sys.argv[1:]
    columns = next(csv.reader(open(given)))
    describer = DataDescriber(category_threshold=100)
    describer.describe_dataset_in_correlated_attribute_mode(
        dataset_file=given, k=int(k), epsilon=0, attribute_to_is_categorical=dict.fromkeys(columns, True), seed=0
    )
    describer.save_dataset_description_to_file(told)
    generator = DataGenerator()
    generator.generate_dataset_in_correlated_attribute_mode(int(rows), told)
    generator.save_synthetic_data(made)
"""


def report() -> list[Finding]:
    """Run everything."""
    real = records()
    return [*ours(real), *against_peer(real)]


def records() -> Table:
    """Draw records of the census, all columns as categories."""
    frame = table(TABLE)
    some = frame[stream(0, "generators").choice(len(frame), RECORDS, replace=False)].with_columns(
        pl.all().cast(pl.String)
    )
    return read_release(some, [some]).train.table


def ours(real: Table) -> list[Finding]:
    """Time fits and draws, and say what the rows are good for."""
    lines = []
    for generator in (BayesianNetwork(), PrivBayes(k=2)):
        fitting = seconds(lambda g=generator: g.fit(real, stream(0, "fit")))
        sampler = generator.fit(real, stream(0, "fit"))
        drawing = seconds(lambda s=sampler: draw_rows(s, MANY, stream(0, "draw")))
        mre, tvd = three_way(real, sampler.sample(MANY, stream(0, "draw")), stream(0, "utility"), None)
        what = f"`{generator.name}`, k = {generator.k}, {RECORDS:,} ACS records, {len(real.columns)} columns"
        utility = f"MRE>10 {mre:.3f}, 3-TVD {tvd:.3f}"
        lines += [
            Finding(f"{what}, fit", fitting, "s", at_most=5),
            Finding(f"{what}, {MANY:,} rows drawn", drawing, "s", at_most=5, detail=utility),
        ]
    return lines


def against_peer(real: Table) -> list[Finding]:
    """Compare fit and 100,000 rows, from a CSV file to a CSV file, for two degrees."""
    with tempfile.TemporaryDirectory() as folder:
        python = installed(Path(folder))
        if python is None:
            absent = "it could not be installed into an environment of its own"
            return [Finding(f"`baynet` against {PEER}", None, "times", at_least=20, detail=absent)]
        given = Path(folder) / "real.csv"
        as_frame(real).write_csv(given)
        return [compared(python, Path(folder), given, k) for k in (2, 3)]


def installed(folder: Path) -> Path | None:
    """Install the other program into an environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "peer")], check=True)
    python = folder / "peer" / "bin" / "python"
    try:
        done = subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", PEER], capture_output=True, timeout=INSTALLING
        )
    except subprocess.TimeoutExpired:
        return None
    return python if done.returncode == 0 else None


def compared(python: Path, folder: Path, given: Path, k: int) -> Finding:
    """Compare the processor time of both from file to file: on a busy machine the clock says little."""
    start = time.process_time()
    from_file_to_file(given, folder / "ours.csv", k)
    mine = time.process_time() - start
    what = f"`baynet`, k = {k}, fit and {ROWS:,} rows, file to file, against {PEER}"
    words = [python, "-c", SCRIPT, given, folder / "told.json", folder / "theirs.csv", ROWS, k]
    before = _of_children()
    with (folder / "said").open("w+") as log:
        running = subprocess.Popen([str(word) for word in words], stdout=log, stderr=log, start_new_session=True)
        try:
            code = running.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            theirs = _of_children() - before
            late = f"more than that: {mine:.2f} s against {theirs:.0f} s of processor time, when it was not done yet"
            return Finding(what, theirs / mine, "times", at_least=20, detail=late)
        log.seek(0)
        last = (log.read().strip().splitlines() or [""])[-1]
    if code:
        return Finding(what, None, "times", at_least=20, detail=f"it failed: {last}")
    theirs = _of_children() - before
    told = f"{mine:.2f} s of processor time against {theirs:.0f} s"
    return Finding(what, theirs / mine, "times", at_least=20, detail=told)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def from_file_to_file(given: Path, made: Path, k: int) -> None:
    """Do what the other program does."""
    frame = pl.read_csv(given, infer_schema=False)
    real = read_release(frame, [frame]).train.table
    sampler = BayesianNetwork(k=k).fit(real, stream(0, "fit"))
    as_frame(sampler.sample(ROWS, stream(0, "draw"))).write_csv(made)
