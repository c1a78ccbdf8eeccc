"""How often the interval of a check covers what it is about: real tables drawn again and again from a large one.

    python -m benchmarks.interval_coverage --case adult-people-declared-400     # measures; adds to the record
    python -m benchmarks.interval_coverage --page                 # writes the record into docs/reliability.md

A case names a population (Adult; the survey ACS), a release that is fixed (as many other people as the real table has,
or every column of those shuffled by itself), whether kinds, levels and ranges are declared or read from each real
table, and the rows of the real table. Each draw takes a real table and people outside and measures every check. The
target is the mean over all draws of a case (the median, for a check of medians): what the check is expected to say
about this release and a real table of that size from the population. The interval covers it or not.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.measuring import ROOT, table
from seethrough.bench.bench import Bench
from seethrough.data.reading.release_tables import infer_schema, read_release
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.protocols.check import Check
from seethrough.results.estimate import Estimate
from seethrough.seeds import stream

POPULATIONS = {"adult": ("adult.csv.gz", "income"), "acs": ("acs_employment_ma_2018.csv.gz", "ESR")}
"""File and secret; weights, which are nearly as many as people, are left out."""
CASES = {
    "adult-people-declared-100": 200,
    "adult-people-declared-400": 200,
    "adult-people-declared-1000": 100,
    "adult-people-read-400": 200,
    "acs-people-read-400": 150,
    "acs-columns-declared-400": 150,
}
"""Draws of each case on the page."""
SLOW = frozenset({"recon"})
"""Not measured unless it is named: a second and more for each table."""
Coverage = dict[str, float]
"""Draws, target, standard deviation, share covered, and width beside that of a normal interval."""
OF_MEDIANS = frozenset({"mdcr"})
"""Medians of distances jump between few values where columns are categories, and their mean lies between."""
RECORD = ROOT / "docs" / "interval_coverage.json"
PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- coverage of intervals -->", "<!-- end of coverage -->"


@dataclass(frozen=True)
class Case:
    """What is drawn, and what is known of it."""

    population: str
    release: str
    schema: str
    rows: int

    @classmethod
    def named(cls, name: str) -> "Case":
        """Read a case from its name."""
        population, release, schema, rows = name.split("-")
        return cls(population, release, schema, int(rows))

    def people(self) -> pl.DataFrame:
        """Read the population."""
        return table(POPULATIONS[self.population][0]).drop("fnlwgt", strict=False)

    def released(self, people: pl.DataFrame) -> pl.DataFrame:
        """Make the release that stays: other people, or their columns each shuffled."""
        rng = stream(0, f"released {self.rows}")
        drawn = people[rng.permutation(len(people))[: self.rows]]
        if self.release == "people":
            return drawn
        return pl.DataFrame({name: drawn[name].gather(rng.permutation(self.rows)) for name in drawn.columns})


def estimates(case: Case, checks: Sequence[Check], draws: int) -> Iterator[dict[str, Estimate]]:
    """Measure the checks on real tables drawn anew."""
    people = case.people()
    fixed, schema = case.released(people), infer_schema(people) if case.schema == "declared" else None
    for draw in range(draws):
        order = stream(draw, f"people {case.rows}").permutation(len(people))
        real, outside = people[order[: case.rows]], people[order[case.rows : 2 * case.rows]]
        secret = POPULATIONS[case.population][1]
        tables = read_release(real, {"release": fixed}, outside, schema=schema, secrets=(secret,))
        bench = Bench(tables.parts(tables.synthetic[0].table), Budget(threads=1))
        yield dict(_measured(checks, bench, draw))


def _measured(checks: Sequence[Check], bench: Bench[Part], draw: int) -> Iterator[tuple[str, Estimate]]:
    for check in checks:
        try:
            yield check.card.name, check.measure(bench, stream(draw, check.card.name)).risk
        except NotApplicable:
            continue


def coverage(name: str, found: Sequence[Estimate]) -> Coverage:
    """Count the intervals that cover the target, and say how wide they are beside the spread of the values."""
    values = np.array([each.value for each in found])
    target = float(np.median(values) if name in OF_MEDIANS else values.mean())
    covered = np.mean([each.low <= target <= each.high for each in found])
    widths = np.array([each.high - each.low for each in found])
    spread = float(values.std(ddof=1))
    width = {"width": float(widths.mean()) / (2 * 1.96 * spread)} if spread else {}
    return {"draws": len(found), "target": target, "sd": spread, "covered": float(covered), **width}


def measure(case: str, names: Sequence[str], draws: int) -> dict[str, Coverage]:
    """Measure checks in one case, as a mapping from case and check."""
    checks = [check for name, check in catalog.load().items() if (name in names if names else name not in SLOW)]
    drawn = list(estimates(Case.named(case), checks, draws))
    found = {check.card.name: [each[check.card.name] for each in drawn if check.card.name in each] for check in checks}
    return {f"{case} {name}": coverage(name, some) for name, some in found.items() if len(some) == draws}


def page_text(record: dict[str, Coverage]) -> str:
    """Write the record as a table: percent of intervals that cover, and their standard error."""
    head = ["check", *(_title(Case.named(case)) for case in CASES)]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for name in sorted({key.split()[1] for key in record}):
        lines.append(f"| {' | '.join([f'`{name}`', *(_cell(record.get(f'{case} {name}')) for case in CASES)])} |")
    return "\n".join(lines)


def _title(case: Case) -> str:
    population = {"adult": "Adult", "acs": "ACS"}[case.population]
    return f"{population}, {case.release}, schema {case.schema}, n = {case.rows:,}"


def _cell(found: Coverage | None) -> str:
    if not found:
        return ""
    if found["sd"] == 0:
        return "always the same"
    error = sqrt(max(found["covered"] * (1 - found["covered"]), 1e-4) / found["draws"])
    return f"{100 * found['covered']:.0f} ± {100 * error:.0f}"


def main() -> None:
    """Measure, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", choices=CASES, nargs="*", default=[])
    parser.add_argument("--checks", nargs="*", default=[])
    parser.add_argument("--draws", type=int)
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    known = json.loads(given.record.read_text()) if given.record.exists() else {}
    for case in given.case:
        known |= measure(case, given.checks, given.draws or CASES[case])
        given.record.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    if not given.page:
        return
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{page_text(known)}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
