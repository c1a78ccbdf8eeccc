"""The two solvers of least absolute errors against each other, on the programs that linear reconstruction poses.

A solver stays where it is more than three times as fast as the other on what users run. An interior point method of
our own for programs of one class was measured here too and went: it was at most twice as fast as HiGHS's.
"""

from time import process_time

import polars as pl

from benchmarks.findings import Finding
from benchmarks.measuring import table
from seethrough.attacks.attribute._queries import answer_queries, make_frame, tally_release
from seethrough.attacks.attribute.recon import Recon
from seethrough.data.reading.release_tables import read_release
from seethrough.kernels.solvers.l1_exact import solve_exact
from seethrough.kernels.solvers.l1_fast import solve_fast
from seethrough.kernels.solvers.l1_program import Program, merge_equal_queries
from seethrough.seeds import stream

TABLE = "acs_recon_ma_2018.csv.gz"
NEEDED = 3
"""Times that a solver has to be faster by, somewhere, to stay."""
POSED = (
    (1_000, 1_000, "SEX"),
    (1_000, 1_000_000, "SEX"),
    (20_000, 20_000, "SEX"),
    (20_000, 1_000_000, "SEX"),
    (1_000, 1_000, "RAC1P"),
    (1_000, 1_000, "SCHL"),
)
"""Records, released rows and the secret of each program, all of 3-way queries."""


def report() -> list[Finding]:
    """Solve every program both ways; a ratio above 1 is in favour of the first-order iteration."""
    ratios, found = [], []
    for records, rows, secret in POSED:
        program = pose(records, rows, secret)
        taken, gaps = {}, {}
        for name, solve in (("exact", solve_exact), ("fast", solve_fast)):
            start = process_time()
            gaps[name] = solve(program).gap
            taken[name] = process_time() - start
        ratios.append(taken["exact"] / taken["fast"])
        queries, people, classes = program.shape
        detail = ", ".join(f"{name} {taken[name]:.2f} s to a gap of {gaps[name]:.0e}" for name in taken)
        what = f"L1, {records:,} records, {rows:,} rows, {secret}: {queries:,} queries x {people:,} x {classes}"
        found.append(Finding(f"{what}, exact over fast", ratios[-1], "times", detail=detail))
    return [
        *found,
        Finding("L1, the largest advantage of the fast solver", max(ratios), "times", at_least=NEEDED),
        Finding("L1, the largest advantage of the exact solver", 1 / min(ratios), "times", at_least=NEEDED),
    ]


def pose(records: int, rows: int, secret: str) -> Program:
    """Draw records, rows from them with replacement, and pose the program of all 3-way queries."""
    rng = stream(0, "reconstruction")
    people = table(TABLE)
    people = people[rng.choice(len(people), records, replace=False)].with_columns(pl.all().cast(pl.String))
    people = people.with_columns(pl.concat_str(pl.lit("v"), pl.col(secret)).alias(secret))  # a category, not a number
    real = read_release(people, [people], secrets=(secret,)).train.table
    known = real.project([column.name for column in real.schema.used if column.name != secret])
    [column] = [column for column in real.schema.used if column.name == secret]
    classes = tuple(range(1, len(column.levels) + 1))
    frame = make_frame(known, 3, None, stream(0, "queries"))
    tally = tally_release(frame, [real.take(rng.integers(0, records, rows))], secret, classes)
    return merge_equal_queries(Recon().program(answer_queries(tally, "conditional", "drop"), frame))
