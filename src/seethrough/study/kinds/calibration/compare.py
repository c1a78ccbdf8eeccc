"""What audits have to reach, beside what they reached."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from seethrough.results.evidence import LeakFamily
from seethrough.study.cells.results import Results
from seethrough.study.kinds.calibration.releases import KINDS
from seethrough.study.kinds.calibration.scores import (
    LONG_LIST,
    CountedShare,
    audits_of,
    groups_of,
    leak_rate,
    precision,
)
from seethrough.study.kinds.published import NOT_COMPARABLE, PublishedComparison

MET, NOT_MET = "met", "not met"
LEAST_AUDITS = 20
"""Audits below which nothing is said of a goal,"""
LEAST_LEAK_FREE = 1000
"""and below which nothing is said of the one over all leak-free releases."""
ALARMS, ALARMS_HIGH, ALARMS_OF_KIND, COIN_ALARMS = 0.05, 0.065, 0.08, 0.05
POWER, PRECISION = 0.90, 0.85
POWER_SIZE = "1000/1000"
SOURCE = "goal of this program"
RULE = (
    f"met if the share measured is within the goal, and for all leak-free releases together its 95 % Wilson interval "
    f"too; not comparable with fewer than {LEAST_AUDITS} audits, {LEAST_LEAK_FREE:,} for all together"
)


@dataclass(frozen=True)
class PowerGoal:
    """A leak that has to be found in nine of ten audits; in which family, and on which tables if not on all."""

    release: str
    family: LeakFamily | None = None
    tables: tuple[str, ...] = ()


POWER_GOALS = (
    PowerGoal("copied-5", LeakFamily.MEMBERSHIP, ("acs", "adult")),
    PowerGoal("copied-1", tables=("adult",)),
    PowerGoal("outliers"),
    PowerGoal("noisy-copies"),
)


def compare_calibration(results: Results) -> list[PublishedComparison]:
    """Hold audits against the goals."""
    free, leaking = (audits_of(results, leaking=each) for each in (False, True))
    found = [*_false_alarms(free), *_power(leaking), *_precision(leaking)]
    return found if len(free) or len(leaking) else []


def _false_alarms(audits: pl.DataFrame) -> Iterator[PublishedComparison]:
    rate = leak_rate(audits)
    within = rate.audits > 0 and rate.share <= ALARMS and rate.interval[1] <= ALARMS_HIGH
    goal = f"at most {ALARMS:.0%}, interval up to {ALARMS_HIGH:.1%}"
    yield _goal("leak-free releases called leaking", goal, rate, within, LEAST_LEAK_FREE)
    kind = pl.col("synthesizer")
    fewer = pl.col("size") <= pl.col("outside")
    parts = [
        (f"{KINDS['independent'].title}, members at most as many as people outside", (kind == "independent") & fewer),
        (f"{KINDS['independent'].title}, members more than people outside", (kind == "independent") & ~fewer),
        *((KINDS[name].title, kind == name) for name in KINDS if name != "independent" and not KINDS[name].leaks),
    ]
    for title, wanted in parts:
        rate = leak_rate(audits.filter(wanted))
        within = rate.audits > 0 and rate.share <= ALARMS_OF_KIND
        yield _goal(f"leak-free, {title}", f"at most {ALARMS_OF_KIND:.0%}", rate, within)
    rate = leak_rate(audits.filter(kind == "coin-secret"), LeakFamily.ATTRIBUTE)
    within = rate.audits > 0 and rate.share <= COIN_ALARMS
    yield _goal("secret = fair coin: attribute leak found", f"at most {COIN_ALARMS:.0%}", rate, within)


def _power(audits: pl.DataFrame) -> Iterator[PublishedComparison]:
    at_size = audits.filter(pl.col("name") == POWER_SIZE)
    for goal in POWER_GOALS:
        there = at_size.filter(pl.col("synthesizer") == goal.release)
        found = {data: some for (data,), some in groups_of(there, ("data",))}
        for data in goal.tables or tuple(found):
            rate = leak_rate(found.get(data, there.clear()), goal.family)
            what = f"{data}, {POWER_SIZE}, {KINDS[goal.release].title}: {_family(goal)} found"
            yield _goal(what, f"at least {POWER:.0%}", rate, rate.audits > 0 and rate.share >= POWER)


def _family(goal: PowerGoal) -> str:
    return "leak" if goal.family is None else f"{goal.family.value} leak"


def _precision(audits: pl.DataFrame) -> Iterator[PublishedComparison]:
    for (data,), some in groups_of(audits, ("data",)):
        rate = precision(some)
        what = f"{data}: people on lists of at least {LONG_LIST} names who were copied"
        yield _goal(what, f"at least {PRECISION:.0%}", rate, rate.audits > 0 and rate.share >= PRECISION, LONG_LIST)


def _goal(what: str, goal: str, rate: CountedShare, within: bool, least: int = LEAST_AUDITS) -> PublishedComparison:
    verdict = NOT_COMPARABLE if rate.audits < least else MET if within else NOT_MET
    return PublishedComparison(what, goal, rate.told if rate.audits else "", verdict, SOURCE)
