"""Large audits with people outside: time, memory, and how they grow with rows, columns and cores.

Four years of the census are drawn with replacement, and a share of the values is exchanged with those of others, so
that rows differ; the synthetic table is made from the real one likewise, and people outside are drawn as real ones are.
Wider tables have the columns of a second person beside those of the first, narrower ones the first columns. Each audit
runs in a fresh process, which prints JSON; what was measured goes to docs/scale.json, and the table in docs/scale.md is
made of it.
"""

import json
import os
import sys
import time
from itertools import pairwise
from math import log

import numpy as np
import polars as pl

from benchmarks.audit_memory import NAMES
from benchmarks.findings import Finding
from benchmarks.measuring import ROOT, in_a_process, peak_gib, processor_seconds, table
from seethrough.results.timings import CheckCost, SharedCost, StepCost
from seethrough.seeds import stream

ROWS, LIMIT_GIB = 1_000_000, 4
MOST_SECONDS, MOST_SECONDS_FOR_EVERYBODY = 180, 400
GRID = tuple(
    (rows, columns, cores)
    for rows in (1_000, 10_000, 100_000, 1_000_000)
    for columns in (6, 17, 34)
    for cores in (1, 2)
    if rows * columns <= 17_000_000 and (cores == 2 or rows < 1_000_000)
)
"""Rows of each of three tables, columns, and cores."""
SECRET, KEYS = "SEX", ["AGEP", "SCHL", "MAR", "RELP", "RAC1P", "ESR"]
EXCHANGED = {"real": 0.03, "synthetic": 0.1}
OLDER = 0.3
"""Share of ages that move by up to two years."""
RECORD, PAGE = ROOT / "docs" / "scale.json", ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- measured by `python -m benchmarks scale` -->", "<!-- end -->"


def report() -> list[Finding]:
    """Audit in fresh processes: the grid, then a million people for targets and for everybody."""
    for name in NAMES:
        table(name)
    cores = os.cpu_count() or 1
    asked = [(*each, "") for each in GRID if each[2] <= cores] + [(ROWS, 17, min(2, cores), "all")]
    found: list[dict[str, float]] = []
    for each in asked:
        found.append(in_a_process("benchmarks.scale", *each))
        write_page(found)  # after each of them: together they take half an hour
    *grid, everybody = found
    large = max((each for each in grid if each["columns"] == 17), key=lambda each: (each["rows"], each["cores"]))
    return [
        *_about(large, "10,000 targets", MOST_SECONDS),
        *_about(everybody, "everybody", MOST_SECONDS_FOR_EVERYBODY),
        *_growth(grid),
    ]


def _about(found: dict[str, float], whom: str, most: float) -> list[Finding]:
    what = f"audit of {ROWS:,} real, {ROWS:,} synthetic and {ROWS:,} people outside, {whom}"
    took = f"{found['cpu']:,.0f} s of processor time; slowest: {found['slowest']}"
    return [
        Finding(f"{what}, time", found["seconds"], "s", at_most=most, detail=took),
        Finding(f"{what}, peak", found["peak"], "GiB", at_most=LIMIT_GIB),
        Finding(f"{what}, checks that failed", found["failed"], "", at_most=0),
    ]


def _growth(found: list[dict[str, float]]) -> list[Finding]:
    """Give the exponents b of processor time = a rows^b, between neighbouring sizes of one width."""
    lines = []
    alike = sorted((each for each in found if each["columns"] == 17 and each["cores"] == 2), key=lambda e: e["rows"])
    for one, two in pairwise(alike):
        slope = log(two["cpu"] / one["cpu"]) / log(two["rows"] / one["rows"])
        what = f"processor time grows from {one['rows']:,.0f} to {two['rows']:,.0f} rows with rows to the power"
        lines.append(Finding(what, slope, detail=f"{one['cpu']:,.0f} s and {two['cpu']:,.0f} s, 17 columns"))
    return lines


def write_page(found: list[dict[str, float]]) -> None:
    """Write what was measured, and the table of the page that is made of it."""
    _write_record(read_record() | {"audits": found})
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{page_table(found)}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def read_record() -> dict[str, list[dict[str, float]]]:
    """Read what was measured: audits of the grid, and those of releases in chunks, by rows."""
    return dict(json.loads(RECORD.read_text(encoding="utf-8"))) if RECORD.exists() else {}


def _write_record(found: dict[str, list[dict[str, float]]]) -> None:
    RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def record_large(found: dict[str, float]) -> list[dict[str, float]]:
    """Keep what was measured on a release in chunks, in the place of what was for as many rows; give all of it."""
    record = read_record()
    others = [each for each in record.get("large", []) if each["rows"] != found["rows"]]
    large = sorted([*others, found], key=lambda each: each["rows"])
    _write_record(record | {"large": large})
    return large


def page_table(found: list[dict[str, float]]) -> str:
    """Write one line for each audit."""
    heads = "| rows of each table | columns | cores | attacked | time | processor time | memory |"
    lines = [heads, "| ---: | ---: | ---: | --- | ---: | ---: | ---: |"]
    for each in found:
        whom = "everybody" if not each["targets"] else f"{each['targets']:,.0f} of each"
        sizes = f"| {each['rows']:,.0f} | {each['columns']:.0f} | {each['cores']:.0f} | {whom} |"
        lines.append(f"{sizes} {each['seconds']:,.0f} s | {each['cpu']:,.0f} s | {each['peak']:.1f} GiB |")
    return "\n".join(lines) + "\n"


def people(rows: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make the real and the synthetic table."""
    real = exchanged(census(), rows, EXCHANGED["real"], stream(0, "real people"))
    return real, exchanged(real, rows, EXCHANGED["synthetic"], stream(0, "synthetic people"))


def people_outside(rows: int) -> pl.DataFrame:
    """Make people outside, as real ones are made."""
    return exchanged(census(), rows, EXCHANGED["real"], stream(0, "people outside"))


def census() -> pl.DataFrame:
    """Put the years under each other."""
    first, second = (table(name) for name in NAMES)
    return pl.concat([first, second.select(first.columns).cast(dict(first.schema))])


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


def of_width(frame: pl.DataFrame, columns: int) -> pl.DataFrame:
    """Keep the secret and the first columns, or put the columns of another person beside them."""
    if columns <= len(frame.columns):
        return frame.select([SECRET, *(name for name in frame.columns if name != SECRET)][:columns])
    order = stream(0, "second people").permutation(len(frame))
    second = frame[order].rename({name: f"{name} of another" for name in frame.columns})
    return pl.concat([frame, second[:, : columns - len(frame.columns)]], how="horizontal")


def told(cost: CheckCost | SharedCost | StepCost) -> str:
    """Name what was paid for: a check, a shared computation and the tables it looked at, or a step."""
    match cost:
        case CheckCost():
            return cost.check
        case SharedCost():
            return f"{cost.request} ({', '.join(cost.tables)})"
        case StepCost():
            return cost.step


def measure(rows: int, columns: int, cores: int, targets: str) -> dict[str, object]:
    """Audit with all default checks."""
    import seethrough as st
    from seethrough.results.outcome import Failed
    from seethrough.system.own_process import settle_own_process

    settle_own_process()  # as the command does
    real, synthetic = people(rows)
    tables = [of_width(frame, columns) for frame in (real, synthetic, people_outside(rows))]
    keys = [name for name in KEYS if name in tables[0].columns]
    start, used = time.perf_counter(), processor_seconds()
    asked = "all" if targets == "all" else None
    found = st.audit(*tables, secret=SECRET, keys=keys, memory=2 << 30, threads=cores, targets=asked)
    taken, used = time.perf_counter() - start, processor_seconds() - used
    costs = (*found.timings.checks, *found.timings.shared, *found.timings.steps)
    slow = sorted(costs, key=lambda cost: -cost.seconds)[:8]
    return {
        "rows": rows,
        "columns": columns,
        "cores": cores,
        "targets": found.targets.asked if found.targets else 0,
        "seconds": round(taken, 1),
        "cpu": round(used, 1),
        "peak": round(peak_gib(), 2),
        "failed": sum(isinstance(outcome, Failed) for outcome in found.tables[0].outcomes),
        "slowest": ", ".join(f"{told(cost)} {cost.seconds:,.0f} s" for cost in slow),
    }


if __name__ == "__main__":
    number = [int(word) for word in sys.argv[1:4]]
    print(json.dumps(measure(number[0], number[1], number[2], sys.argv[4])))
