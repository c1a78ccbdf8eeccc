"""What several synthetic tables show together, as rows and as words, the same in every document."""

from collections.abc import Sequence

from seethrough.report import untrusted
from seethrough.report.words import wording
from seethrough.results.estimate import Curve, Estimate, Growth
from seethrough.results.outcome import Failed, Skipped
from seethrough.results.report import Report

TITLE = "Several tables together"
SIDES = {
    "release": "the synthetic tables",
    "permuted": "the same tables with every column permuted by itself",
    "holdout": "real records that were kept out",
}


def list_measured(report: Report) -> tuple[Growth, ...]:
    """Pick what was measured."""
    return tuple(growth for growth in report.growth if isinstance(growth, Growth))


def list_unmeasured(report: Report) -> tuple[str, ...]:
    """Say why something was not."""
    reasons = []
    for growth in report.growth:
        match growth:
            case Skipped(reason=why):
                reasons.append(f"{untrusted.name(growth.check)} was skipped: {untrusted.visible(why, 300)}")
            case Failed(error=why):
                reasons.append(f"{untrusted.name(growth.check)} failed: {untrusted.visible(why, 300)}")
    return tuple(reasons)


def sentence(growth: Growth) -> str:
    """Say what the pictures show."""
    return (
        f"What {untrusted.name(growth.check)} discloses to an attacker who has the first synthetic table, the first "
        f"two, and so on; it rests on {wording.count_of(growth.n, 'record')}."
    )


def keys(growth: Growth) -> tuple[tuple[str, str], ...]:
    """Name the sides that are compared, and what they are."""
    return tuple((side, SIDES.get(side, side)) for side in growth.curves[0].values)


def rows(curves: Sequence[Curve], *, intervals: bool) -> list[tuple[str, ...]]:
    """List every quantity over the number of tables, a row for each side and number."""
    return [
        (str(number + 1), side, *(_value(curve.values[side][number], intervals=intervals) for curve in curves))
        for side, values in curves[0].values.items()
        for number in range(len(values))
    ]


def _value(found: Estimate, *, intervals: bool) -> str:
    return wording.format_fixed(found.value) + (f" ({wording.span(found)})" if intervals else "")
