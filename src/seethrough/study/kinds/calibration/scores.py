"""Audits summed up: how many find a leak, with a Wilson interval, by release, table and size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.study.cells.results import Results
from seethrough.study.kinds.calibration.releases import KINDS

CONFIDENCE = 0.95
LONG_LIST = 10
"""Names from which on a list of people has to be precise."""
LEAKS = [grade.value for grade in Grade if grade.is_leak]


@dataclass(frozen=True)
class CountedShare:
    """So many of so many audits, or people."""

    found: int
    audits: int

    @property
    def share(self) -> float:
        """Give the share; of nothing it is not defined."""
        return self.found / self.audits

    @property
    def interval(self) -> tuple[float, float]:
        """Give the Wilson interval at 95 %."""
        return wilson(self.found, self.audits, CONFIDENCE)

    @property
    def told(self) -> str:
        """Write share, interval and counts."""
        if not self.audits:
            return "not measured"
        low, high = self.interval
        return f"{self.share:.1%} ({low:.1%} to {high:.1%}; {self.found:,} of {self.audits:,})"


def audits_of(results: Results, *, leaking: bool) -> pl.DataFrame:
    """Give the audits of releases that leak, or of those that do not."""
    kinds = [name for name, kind in KINDS.items() if kind.leaks is leaking]
    return results.done("calibration").filter(pl.col("synthesizer").is_in(kinds))


def leak_rate(audits: pl.DataFrame, family: LeakFamily | None = None) -> CountedShare:
    """Count the audits whose verdict, or whose finding in one family, is a leak."""
    grades = audits["grade" if family is None else f"grade_{family.value}"]
    return CountedShare(int(grades.is_in(LEAKS).sum()), len(audits))


def groups_of(audits: pl.DataFrame, columns: Sequence[str]) -> Iterator[tuple[tuple[str, ...], pl.DataFrame]]:
    """Group audits, in the order of kinds of release, then as they stand in the plan."""
    order = {name: place for place, name in enumerate(KINDS)}
    ordered = audits.with_columns(pl.col("synthesizer").replace_strict(order, default=None).alias("place"))
    for key, some in ordered.sort("place", maintain_order=True).group_by(*columns, maintain_order=True):
        yield tuple(map(str, key)), some.drop("place")


def precision(audits: pl.DataFrame, at_least: int = LONG_LIST) -> CountedShare:
    """Count the people on lists of at least so many names, and those of them who were copied."""
    long = audits.filter(pl.col("listed") >= at_least, pl.col("listed_copied").is_not_null())
    return CountedShare(int(long["listed_copied"].sum()), int(long["listed"].sum()))


def share_by_chance(audits: pl.DataFrame) -> float:
    """Average over all audits the share of the list that was not copied; a list without names has none."""
    wrong = pl.col("listed") - pl.col("listed_copied")
    return float(audits.select((wrong / pl.max_horizontal("listed", 1)).mean()).item())
