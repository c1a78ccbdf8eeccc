"""How often one person moves a report for others: their secret is changed, or their whole row, and all else stays.

An attacker who has everybody else's records, the release and the report audits both possible tables and compares. What
goes out is rounded at secret thresholds, so every pair of audits is compared under many keys: the rate of a field is
the share of changes and keys at which any of its values differs.

    python -m benchmarks.one_person [SECONDS]     measure; writes docs/results/external-report.json and the page's table
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import seethrough as st
from benchmarks.measuring import Absent, table
from seethrough.data.samples import acs_release
from seethrough.report.external.others_report import make_external
from seethrough.results.report import Report

SIZES = (30, 60, 150, 250, 300, 400, 600, 1150, 2000)
COPIED = (0.0, 0.02, 0.05, 0.1, 0.3, 1.0)
"""Shares of the release that are copied from members; the other rows are of people whom nobody else sees."""
KEYS = 40
LEVELS = (0, 200, 1000)
"""Where classes of size begin: the smaller of members and people outside who were compared."""
ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "results" / "external-report.json"
PAGE = ROOT / "docs" / "external-report.md"
BEGIN, END = "<!-- measured -->", "<!-- end -->"
_NOT_OF_THE_DATA = {"digest", "timings", "date"}


@dataclass(frozen=True, eq=False)
class Case:
    """Three tables, and the column that holds the secret."""

    real: pl.DataFrame
    outside: pl.DataFrame
    release: pl.DataFrame
    secret: str

    def audit(self) -> Report:
        """Audit the release as an attacker would again."""
        return st.audit(self.real, self.release, self.outside, secret=self.secret, checks="crp", preset="fast")


def generated(rng: np.random.Generator, rows: int = 20_000) -> pl.DataFrame:
    """Draw a table of five columns in which the secret follows from the others now and then."""
    hidden = rng.normal(size=rows)
    secret = np.where(rng.random(rows) < 0.3, rng.integers(0, 3, rows), hidden > 0.3)
    return pl.DataFrame(
        {
            "ward": rng.integers(0, 5, rows),
            "visits": (hidden > 0) + rng.integers(0, 2, rows),
            "age": np.round(50 + 15 * hidden + 5 * rng.normal(size=rows)).astype(int),
            "sex": rng.integers(0, 2, rows),
            "illness": np.array(["none", "light", "grave"])[secret.astype(int)],
        }
    )


def populations() -> dict[str, tuple[pl.DataFrame, str]]:
    """Give the tables that people are drawn from, each with its secret; Adult where it is at hand."""
    sample = acs_release()
    found = {
        "generated": (generated(np.random.default_rng(0)), "illness"),
        "ACS": (pl.concat([sample.real, sample.holdout]), "disability"),
    }
    try:
        adult = table("adult.csv.gz")
    except Absent:
        return found
    kept = ["age", "workclass", "education", "occupation", "race", "sex", "hours-per-week", "income"]
    return found | {"Adult": (adult.select(kept), "income")}


def draw_case(everybody: pl.DataFrame, secret: str, people: int, copied: float, rng: np.random.Generator) -> Case:
    """Draw members, as many people outside, and a release of which a share is copied from members."""
    drawn = everybody[rng.choice(len(everybody), 3 * people, replace=False).tolist()]
    real, outside, others = drawn[:people], drawn[people : 2 * people], drawn[2 * people :]
    copies = real[rng.choice(people, int(copied * people), replace=False).tolist()]
    release = pl.concat([copies, others[: people - len(copies)]])
    return Case(real, outside, release[rng.permutation(people).tolist()], secret)


def changes(case: Case, everybody: pl.DataFrame, rng: np.random.Generator) -> Iterator[tuple[str, Case]]:
    """Change the secret of a member, that of a person outside, and the whole row of a member."""
    yield "member's secret", replace(case, real=_other_secret(case.real, case.secret, rng))
    yield "outsider's secret", replace(case, outside=_other_secret(case.outside, case.secret, rng))
    row, new = int(rng.integers(len(case.real))), everybody[int(rng.integers(len(everybody)))]
    yield "member's row", replace(case, real=pl.concat([case.real[:row], new, case.real[row + 1 :]]))


def _other_secret(people: pl.DataFrame, secret: str, rng: np.random.Generator) -> pl.DataFrame:
    row, values = int(rng.integers(len(people))), people[secret].to_list()
    others = sorted({*values} - {values[row]}, key=str)
    values[row] = others[int(rng.integers(len(others)))] if others else values[row]
    return people.with_columns(pl.Series(secret, values, dtype=people[secret].dtype))


def fields_of(report: Report, key: bytes) -> dict[str, list[Any]]:
    """Give every field that goes out with all its values, in order."""
    found: dict[str, list[Any]] = {}
    _walk(make_external(report, key).to_dict(), "", found)
    return found


def _walk(value: Any, name: str, found: dict[str, list[Any]]) -> None:
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key not in _NOT_OF_THE_DATA:
                _walk(each, f"{name}.{key}" if name else key, found)
    elif isinstance(value, list) and value and not isinstance(value[0], str):
        for each in value:
            _walk(each, name, found)
    else:
        found.setdefault(name, []).append(value)


@dataclass
class Tally:
    """Counts, by field, of keys and changes at which it moved; `compared` are all of them."""

    compared: int = 0
    moved: Counter[str] = field(default_factory=Counter)

    def add(self, before: Report, after: Report, keys: int = KEYS) -> None:
        """Compare two reports under many keys."""
        for number in range(keys):
            first, second = (fields_of(report, f"key {number}".encode()) for report in (before, after))
            names = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
            self.compared += 1
            self.moved.update(names | ({"anything"} if names else set()))

    def rate(self, name: str) -> float:
        """Give the rate of a field."""
        return self.moved[name] / self.compared if self.compared else 0.0


def compared_people(report: Report) -> int:
    """Give the smaller group that was compared."""
    evidence = report.tables[0].evidence
    return min(evidence.sizes.members, evidence.sizes.outsiders) if evidence else 0


def measure(seconds: float, seed: int = 0) -> tuple[dict[int, Tally], dict[str, int]]:
    """Change people of one table after the other until the time is over; by class of size."""
    tallies, counts, end = {level: Tally() for level in LEVELS}, Counter[str](), time.monotonic() + seconds
    while time.monotonic() < end:
        rng = np.random.default_rng([seed, counts["tables"]])
        name, (everybody, secret) = list(populations().items())[counts["tables"] % len(populations())]
        people, copied = int(rng.choice(SIZES)), float(rng.choice(COPIED))
        case = draw_case(everybody, secret, people, copied, rng)
        before = case.audit()
        level = max(each for each in LEVELS if each <= compared_people(before))
        counts["tables"] += 1
        counts[name] += 1
        for what, other in changes(case, everybody, rng):
            tallies[level].add(before, other.audit())
            counts["changes"] += 1
            counts[what] += 1
        print(counts["tables"], name, people, copied, {at: tally.rate("anything") for at, tally in tallies.items()})
    return tallies, dict(counts)


def main() -> None:
    """Measure, and write record and page."""
    tallies, counts = measure(float(sys.argv[1]) if len(sys.argv) > 1 else 600.0)
    found = {
        str(level): {"compared": tally.compared, "moved": dict(sorted(tally.moved.items()))}
        for level, tally in tallies.items()
    }
    RECORD.write_text(json.dumps({"keys": KEYS, "counts": counts, "by_size": found}, indent=2) + "\n", encoding="utf-8")
    write_page()


def write_page() -> None:
    """Write the table of the page again from the record."""
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{table_of(found)}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def table_of(found: Mapping[str, Any]) -> str:
    """Write the rates as a table, a column for each class of size."""
    sizes = {int(level): tally for level, tally in found["by_size"].items() if tally["compared"]}
    names = sorted({name for tally in sizes.values() for name in tally["moved"]} - {"anything"})
    ends = dict(pairwise(LEVELS))
    heads = [f"{level:,} to {ends[level] - 1:,}" if level in ends else f"{level:,} and more" for level in sizes]
    lines = [f"| field | {' | '.join(heads)} |", f"| --- |{' --- |' * len(heads)}"]
    for name in (*names, "anything"):
        cells = (f"{100 * tally['moved'].get(name, 0) / tally['compared']:.1f} %" for tally in sizes.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    changed = " | ".join(f"{tally['compared'] // found['keys']:,}" for tally in sizes.values())
    counts = found["counts"]
    told = f"{counts['changes']:,} changes of one person on {counts['tables']:,} tables, {found['keys']} keys each."
    return "\n".join([told, "", *lines, f"| changes of one person | {changed} |"])


if __name__ == "__main__":
    main()
