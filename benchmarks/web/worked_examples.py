"""One check worked through on one person of 25,000, after the run: the 95th of a hundred people, the slowest check.

    python -m benchmarks.web.worked_examples         all checks, one a line

25,000 real rows of the American Community Survey, a release of which half are real rows and half other people, 5,000
people outside. Checks that learn or solve (d-mlp, recon) are timed apart: they train or solve again for the first
person, and look up later ones.
"""

import time

import numpy as np
import polars as pl

import seethrough as st
from benchmarks.findings import Finding
from benchmarks.measuring import table
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.exploration import Exploration
from seethrough.results.explained.worked import Worked
from seethrough.results.outcome import Measured

ROWS, OUTSIDE, PEOPLE, FEW = 25_000, 5_000, 100, 6
SECRET = "ESR"
SLOW = ("d-mlp", "recon")


def report() -> list[Finding]:
    """Run all checks once, then work each through."""
    times = time_examples()
    quick = {name: 1000 * float(np.quantile(found, 0.95)) for name, found in times.items() if name not in SLOW}
    slowest = max(quick, key=lambda name: quick[name])
    detail = f"{slowest}, the slowest of {len(quick)} checks; {ROWS:,} rows, 95th of {PEOPLE} people"
    return [
        Finding("a check worked through on a person", quick[slowest], "ms", at_most=200, detail=detail),
        *(
            Finding(f"the same of {name}, first person", times[name][0], "s", detail=f"later {min(times[name]):.3f} s")
            for name in SLOW
        ),
        Finding("checks with a worked example", float(len(times)), "", detail="hidden-rate needs the origin of rows"),
    ]


def time_examples() -> dict[str, list[float]]:
    """Time the examples of every check that was measured, in seconds."""
    exploration = run_once()
    assert exploration.report is not None
    found: dict[str, list[float]] = {}
    for outcome in exploration.report.tables[0]:
        if isinstance(outcome, Measured):
            found[outcome.check] = [_time(exploration, outcome.check, each) for each in _people(exploration, outcome)]
    return found


def run_once() -> Exploration:
    """Run the audit that examples are worked through after."""
    people = table("acs_employment_ma_2018.csv.gz")
    shuffled = people[np.random.default_rng(1).permutation(len(people))]
    real, others, outside = shuffled[:ROWS], shuffled[ROWS : 2 * ROWS], shuffled[2 * ROWS : 2 * ROWS + OUTSIDE]
    released = pl.concat([real[: ROWS // 2], others[: ROWS // 2]])
    exploration = st.explore(real, released, outside, secret=SECRET)
    exploration.run()
    return exploration


def _people(exploration: Exploration, outcome: Measured) -> list[Person]:
    """Draw people whom the run asked about."""
    rows, risks = np.random.default_rng(0).permutation(ROWS), outcome.measurement.per_record
    asked = rows if risks is None else rows[~np.isnan(risks[rows])]
    count = FEW if outcome.check in SLOW else PEOPLE
    return [exploration.person(row=int(row)) for row in asked[:count]]


def _time(exploration: Exploration, check: str, person: Person) -> float:
    begun = time.perf_counter()
    found = exploration.work_through(check, person)
    taken = time.perf_counter() - begun
    assert isinstance(found, Worked), found
    return taken


if __name__ == "__main__":
    for name, seconds in time_examples().items():
        print(f"{name:14}{1000 * np.quantile(seconds, 0.95):8.1f} ms, first {1000 * seconds[0]:8.1f} ms", flush=True)
