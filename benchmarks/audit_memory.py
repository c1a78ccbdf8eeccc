"""Peak memory and time of a whole audit of 100,000 against 100,000 rows."""

import json
import sys
import time

from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, peak_gib, table

ROWS = 100_000
NAMES = ("acs_employment_ma_2018.csv.gz", "acs_employment_ma_2015_2017.parquet")


def report() -> list[Finding]:
    """Audit in a fresh process."""
    for name in NAMES:
        table(name)
    found = in_a_process("benchmarks.audit_memory", ROWS)
    what = f"audit of {ROWS:,} real and {ROWS:,} synthetic ACS rows, {found['checks']:.0f} checks with both controls"
    return [
        Finding(f"{what}, peak", found["peak"], "GiB", at_most=2),
        Finding(f"{what}, time", found["seconds"], "s", at_most=30, detail=f"{found['cpu']:.1f} s of processor time"),
    ]


def measure(rows: int) -> dict[str, float]:
    """Audit people of three years as if one half had been made from the other."""
    import seethrough as st

    frame = table(NAMES[1]).drop("year").sample(2 * rows, seed=0, shuffle=True)
    start, busy = time.perf_counter(), time.process_time()
    report = st.audit(frame[:rows], frame[rows:], secret="SEX")
    return {
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - busy,
        "peak": peak_gib(),
        "checks": len(report.tables[0].outcomes),
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
