"""The full default audit of a million real against a million synthetic rows, within a limit of memory.

Four years of the census are drawn with replacement, and a share of the values is exchanged with those of others, so
that rows differ; the synthetic table is made from the real one likewise. Run as a module it audits in a fresh process
and prints JSON.
"""

import json
import sys
import time

import numpy as np
import polars as pl

from benchmarks.audit_memory import NAMES
from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, peak_gib, table
from seethrough.results.timings import CheckCost, SharedCost
from seethrough.seeds import stream

ROWS, LIMIT_GIB = 1_000_000, 8
SECRET, KEYS = "SEX", ["AGEP", "SCHL", "MAR", "RELP", "RAC1P", "ESR"]
EXCHANGED = {"real": 0.03, "synthetic": 0.1}
OLDER = 0.3
"""Share of ages that move by up to two years."""


def report() -> list[Finding]:
    """Audit in a fresh process."""
    for name in NAMES:
        table(name)
    found = in_a_process("benchmarks.scale", ROWS)
    what = f"audit of {ROWS:,} real and {ROWS:,} synthetic ACS rows, {found['checks']:.0f} checks with both controls"
    took = (
        f"{found['seconds']:,.0f} s by the clock, {found['cpu']:,.0f} s of processor time; dearest: {found['dearest']}"
    )
    return [
        Finding(f"{what}, peak", found["peak"], "GiB", at_most=LIMIT_GIB, detail=took),
        Finding(f"{what}, checks that failed", found["failed"], "", at_most=0, detail=f"drawn: {found['drawn']}"),
    ]


def people(rows: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make the real and the synthetic table."""
    first, second = (table(name) for name in NAMES)
    years = pl.concat([first, second.select(first.columns).cast(dict(first.schema))])
    real = exchanged(years, rows, EXCHANGED["real"], stream(0, "real people"))
    return real, exchanged(real, rows, EXCHANGED["synthetic"], stream(0, "synthetic people"))


def exchanged(frame: pl.DataFrame, rows: int, share: float, rng: np.random.Generator) -> pl.DataFrame:
    """Draw rows with replacement; in each column some take the value of another row, and some ages move a little."""
    drawn = frame[rng.integers(0, len(frame), rows)]
    columns = {}
    for name in drawn.columns:
        values = drawn[name].to_numpy().copy()
        other = rng.random(rows) < share
        values[other] = rng.permutation(values)[other]
        if name == "AGEP":
            moved = rng.random(rows) < OLDER
            values[moved] = np.clip(values[moved] + rng.integers(-2, 3, moved.sum()), 0, 99)
        columns[name] = values
    return pl.DataFrame(columns)


def told(cost: CheckCost | SharedCost) -> str:
    """Name what was paid for: a check, or a shared computation and the tables it looked at."""
    return cost.check if isinstance(cost, CheckCost) else f"{cost.request} ({', '.join(cost.tables)})"


def measure(rows: int) -> dict[str, object]:
    """Audit with all default checks."""
    import seethrough as st
    from seethrough.results.outcome import Failed, Measured

    real, synthetic = people(rows)
    start, used = time.perf_counter(), time.process_time()
    found = st.audit(real, synthetic, secret=SECRET, keys=KEYS, memory=LIMIT_GIB << 30, threads=2)
    taken, used = time.perf_counter() - start, time.process_time() - used
    outcomes = found.tables[0].outcomes
    dear = sorted((*found.timings.checks, *found.timings.shared), key=lambda cost: -cost.seconds)[:8]
    named = (f"{told(cost)} {cost.seconds:,.0f} s" for cost in dear)
    drawn = [o.check for o in outcomes if isinstance(o, Measured) and o.measurement.n < rows]
    return {
        "seconds": taken,
        "cpu": used,
        "peak": peak_gib(),
        "checks": len(outcomes),
        "failed": sum(isinstance(outcome, Failed) for outcome in outcomes),
        "dearest": ", ".join(named),
        "drawn": ", ".join(drawn),
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
