"""Wide tables: 20,000 x 43 without a secret, 5,700 x 33 without and with one, from CSV files to the page.

The columns are those of the census of Florida beside seven of UCI Adult, put side by side row by row: 43 columns of
both kinds, 28 of which take their turn as the secret where none is named. A release has rows of the real table of
which three values in ten are those of others. One pass for all turns is held against one search a turn in the same run.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.default_audit import used
from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.bench.guesses import columns_in_turn, guesses
from seethrough.data.encoding import shared_codes
from seethrough.data.reading.release_tables import read_release
from seethrough.kernels.arrays import Codes, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.keys.agreement_in_turn import agreement_in_turn
from seethrough.kernels.neighbours.keys.hamming import nearest_agreement
from seethrough.seeds import stream

ROWS, SOME_ROWS, SOME_COLUMNS = 20_000, 5_700, 33
SECRET = "HICOV"
NO_ATTRIBUTES = ("SERIALNO", "STATE")
OF_ADULT = ("workclass", "education", "marital-status", "occupation", "relationship", "income", "native-country")
OF_OTHERS = 0.3
TURN_ROWS = 8_000


def report() -> list[Finding]:
    """Audit four times in processes of their own, then time the search alone."""
    people = wide_people(3 * ROWS)
    some = people[:, :SOME_COLUMNS]
    all_rows, half = from_csv_to_page(people, ROWS), from_csv_to_page(people, ROWS // 2)
    return [
        all_rows.finding(at_most=30),
        growth(half, all_rows),
        from_csv_to_page(some, SOME_ROWS).finding(at_most=10),
        from_csv_to_page(some, SOME_ROWS, SECRET).finding(at_most=10),
        all_turns_at_once(people, TURN_ROWS),
    ]


@dataclass(frozen=True)
class WideAudit:
    """One audit: its tables, seconds by the clock and of all processors, and the bytes of the page."""

    rows: int
    columns: int
    secret: str
    taken: float
    busy: float
    page: int

    def finding(self, at_most: float) -> Finding:
        """Say how long it took."""
        told = f"secret {self.secret}" if self.secret else "no secret named"
        detail = (
            f"as many people outside and released rows; {self.busy:.0f} s of processor time, {os.cpu_count()} cores; "
            f"page of {self.page / 1000:.0f} kB"
        )
        what = f"wide table: {self.rows:,} x {self.columns}, {told}, from CSV to page"
        return Finding(what, self.taken, "s", at_most=at_most, detail=detail)


def growth(few: WideAudit, many: WideAudit) -> Finding:
    """Say with which power of the rows the processor time grows."""
    power = log(many.busy / few.busy) / log(many.rows / few.rows)
    detail = f"{few.rows:,}: {few.busy:.0f} s; {many.rows:,}: {many.busy:.0f} s"
    return Finding(f"wide table, n x {many.columns}: growth of the processor time with n, power", power, detail=detail)


def wide_people(rows: int) -> pl.DataFrame:
    """Put columns of two tables side by side."""
    rng = stream(0, "wide people")
    census, adult = table("pums2024_fl_38col.parquet").drop(NO_ATTRIBUTES), table("adult.csv.gz").select(OF_ADULT)
    drawn = census[rng.permutation(len(census))[:rows]], adult[rng.integers(0, len(adult), rows)]
    return pl.concat(drawn, how="horizontal")


def released(real: pl.DataFrame) -> pl.DataFrame:
    """Draw rows with replacement; some values of each column are those of other rows."""
    rng = stream(0, "wide release")
    rows = len(real)
    drawn = real[rng.integers(0, rows, rows)]
    mixed = {}
    for name in drawn.columns:
        place = np.where(rng.random(rows) < OF_OTHERS, rng.permutation(rows), np.arange(rows))
        mixed[name] = drawn[name][place]
    return pl.DataFrame(mixed)


def from_csv_to_page(people: pl.DataFrame, rows: int, secret: str = "") -> WideAudit:
    """Time one audit; the processor's time is that of all its threads."""
    with tempfile.TemporaryDirectory() as folder:
        real = people[:rows]
        for name, frame in (("real", real), ("outside", people[rows : 2 * rows]), ("synthetic", released(real))):
            frame.write_csv(Path(folder) / f"{name}.csv")
        words = ["--real", "real.csv", "--synthetic", "synthetic.csv", "--holdout", "outside.csv", "--out", "out"]
        words += ["--secret", secret] if secret else []
        before, begun = used(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "seethrough", "audit", *words], cwd=folder, check=True, capture_output=True
        )
        taken, busy = time.perf_counter() - begun, used() - before
        page = (Path(folder) / "out" / "report.html").stat().st_size
    return WideAudit(rows, people.width, secret, taken, busy, page)


def all_turns_at_once(people: pl.DataFrame, rows: int) -> Finding:
    """Compare one pass for all turns with one search on keys a turn; both count the same."""
    real = people[:rows]
    release = read_release(real, [released(real)])
    mine, others = (np.stack(side) for side in shared_codes(release.train.table, release.synthetic[0].table))
    schema = release.train.table.schema
    names = [column.name for column in schema.used]
    turns = np.array([names.index(name) for name in columns_in_turn(schema, guesses(schema))])
    budget = Budget(threads=1)
    together = seconds(lambda: agreement_in_turn((mine, others), turns, budget), 1, time.process_time)
    alone = seconds(lambda: [one_turn(mine, others, turn, budget) for turn in turns], 1, time.process_time)
    total, agree, distance = agreement_in_turn((mine, others), turns, budget)
    last = one_turn(mine, others, int(turns[-1]), budget)
    assert all(np.array_equal(a[-1], b) for a, b in zip((total, agree, distance), last, strict=True))
    detail = (
        f"{together:.2f} s of processor time against {alone:.1f} s, {rows:,} x {rows:,} rows of {len(mine)} columns"
    )
    what = f"one pass for {len(turns)} turns, against one search a turn"
    return Finding(what, alone / together, "times", at_least=10, detail=detail)


def one_turn(mine: Codes, others: Codes, turn: int, budget: Budget) -> tuple[Ints, Ints, Ints]:
    """Search on all columns but one."""
    keys = np.delete(mine, turn, axis=0), np.delete(others, turn, axis=0)
    return nearest_agreement(keys, (mine[turn], others[turn]), budget)
