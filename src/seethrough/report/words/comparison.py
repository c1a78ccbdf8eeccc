"""Several synthetic tables side by side: an order by how exposed they are, and differences with intervals.

Tables are ordered by their mean advantage over the independent control, over the attacks that were measured on all of
them; without an attack there is no order. The difference of two tables in one attack is that of its means over the same
real records, so where an attack gives each record a risk, the interval is that of the paired differences; otherwise the
two intervals are put together.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from seethrough.kernels.statistics.intervals import normal_quantile
from seethrough.report import untrusted
from seethrough.report.words import findings, wording
from seethrough.report.words.grades import advantage
from seethrough.results.card import Need
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableAudit

ORDER = "Least exposed first, by the mean advantage of attackers over the independent control"
SAME = 1e-6
"""The mean of per-record risks is the score but for rounding; where it is not, records are not what is averaged."""


@dataclass(frozen=True)
class Ranked:
    """A synthetic table at its place; the least exposed is first."""

    table: TableAudit
    place: int
    mean_advantage: float
    strongest: Measured


@dataclass(frozen=True)
class Gap:
    """How far the risk on one table exceeds that on the least exposed one, by one attack."""

    check: str
    name: str
    estimate: Estimate
    paired: bool

    @property
    def is_clear(self) -> bool:
        """Tell whether the interval leaves out zero."""
        return self.estimate.low > 0 or self.estimate.high < 0


def ranking(report: Report) -> tuple[Ranked, ...]:
    """Order the tables, least exposed first; empty without an attack that all of them have."""
    names = _common_attacks(report)
    if not names:
        return ()
    means = [float(np.mean([_lead(table, name) for name in names])) for table in report.tables]
    order = sorted(range(len(means)), key=lambda place: (means[place], place))
    found = []
    for place, number in enumerate(order, start=1):
        table = report.tables[number]
        strongest = max((_measured(table, name) for name in names), key=findings.strength)
        found.append(Ranked(table, place, means[number], strongest))
    return tuple(found)


def gaps(report: Report) -> tuple[Gap, ...]:
    """Compare every table with the least exposed one, attack by attack."""
    ranked = ranking(report)
    return tuple(_gap(name, other.table, ranked[0].table) for other in ranked[1:] for name in _common_attacks(report))


def describe_comparison(report: Report) -> tuple[str, ...]:
    """Say the order and the clear differences in sentences."""
    ranked = ranking(report)
    if not ranked:
        return ("The tables cannot be ordered: no attack was measured on all of them against an independent control.",)
    order = "; ".join(
        f"{each.place}. {untrusted.visible(each.table.synthetic.name, 40)} "
        f"({wording.format_signed(each.mean_advantage)})"
        for each in ranked
    )
    names = ", ".join(untrusted.name(name) for name in _common_attacks(report))
    lines = [f"{ORDER} ({names}): {order}."]
    for each in ranked[1:]:
        clear = [gap for gap in gaps(report) if gap.name == each.table.synthetic.name and gap.is_clear]
        lines.append(_describe_gaps(each, ranked[0], clear))
    return tuple(lines)


def _describe_gaps(each: Ranked, best: Ranked, clear: list[Gap]) -> str:
    name, first = (untrusted.visible(one.table.synthetic.name, 40) for one in (each, best))
    if not clear:
        return f"{name}: no attack distinguishes it from {first} beyond chance."
    listed = "; ".join(f"{untrusted.name(gap.check)} {wording.signed_interval(gap.estimate)}" for gap in clear)
    return f"{name} against {first}, where the interval excludes zero: {listed}."


def _gap(name: str, table: TableAudit, best: TableAudit) -> Gap:
    mine, other = _measured(table, name), _measured(best, name)
    paired = _paired(mine, other)
    if paired is not None:
        confidence = mine.risk.confidence
        half = normal_quantile(confidence) * float(paired.std(ddof=1)) / sqrt(len(paired))
        mean = float(paired.mean())
        return Gap(name, table.synthetic.name, Estimate(mean, mean - half, mean + half, confidence), paired=True)
    return Gap(name, table.synthetic.name, mine.risk.minus(other.risk), paired=False)


def _paired(mine: Measured, other: Measured) -> npt.NDArray[np.float64] | None:
    """Give the differences record by record, where the score is the mean over all records on both sides."""
    first, second = mine.measurement.per_record, other.measurement.per_record
    if first is None or second is None or len(first) != len(second) or len(first) < 2:
        return None
    # Such a score compares the records with other people, whose share in its error the records do not have.
    if Need.HOLDOUT in mine.card.needs:
        return None
    if not (_is_mean(first, mine.risk) and _is_mean(second, other.risk)):
        return None
    return np.asarray(first - second)


def _is_mean(risks: npt.NDArray[np.float64], score: Estimate) -> bool:
    return abs(float(np.mean(risks)) - score.value) < SAME


def _common_attacks(report: Report) -> tuple[str, ...]:
    first = report.tables[0]
    return tuple(
        outcome.check
        for outcome in first
        if findings.is_attack(outcome) and all(_has_lead(table, outcome.check) for table in report.tables)
    )


def _has_lead(table: TableAudit, check: str) -> bool:
    return any(
        outcome.check == check
        and isinstance(outcome, Measured)
        and findings.is_attack(outcome)
        and advantage(outcome) is not None
        for outcome in table
    )


def _lead(table: TableAudit, check: str) -> float:
    found = advantage(_measured(table, check))
    assert found is not None
    return found.value


def _measured(table: TableAudit, check: str) -> Measured:
    outcome = table[check]
    assert isinstance(outcome, Measured)
    return outcome
