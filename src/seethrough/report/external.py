"""A report for others than the custodian: nothing in it speaks of single records, and no small count is exact.

Everything is made coarser in the report itself, before any renderer sees it, so that no format can tell more than
another: scores and shares have two digits, counts two significant ones. What takes single records or exact small
counts to show is left out.
"""

import re
from dataclasses import replace

from seethrough.report.words import findings
from seethrough.report.words.position import lead
from seethrough.results.diagnostics import Artefact, ColumnExposure, Diagnostics, Rate
from seethrough.results.estimate import Curve, Estimate, Growth
from seethrough.results.outcome import Control, Controls, Failed, Measured, Measurement, Outcome, Skipped, Unavailable
from seethrough.results.provenance import EXTERNAL
from seethrough.results.report import ColumnNote, Report, TableAudit, TableSummary

LEFT_OUT = (
    "the risk of each record, the list of the most exposed rows and their numbers, and records.parquet",
    "risks by group and the distribution of distances, whose bars are counts of few records",
    "exact numbers: scores and shares have two digits, counts two significant ones",
    "details, warnings and notes of checks and of reading, and what an error said; numbers in reasons are rounded",
    "digests of the real table and of the holdout, with which a guess of the whole table could be confirmed",
    "Scores of several audits of the same real table tell more together than each alone: publishing exact scores again "
    "and again is itself a leak, so publish few, and rounded",
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FEW = 10
LAST_DIGIT = 0.01
_ERROR = "an error; the report for the custodian says which"


def external(report: Report) -> Report:
    """Make the report fit for others."""
    return replace(
        report,
        real=_unnamed(report.real),
        holdout=_unnamed(report.holdout) if report.holdout else None,
        columns=tuple(map(_column, report.columns)),
        tables=tuple(_table(table, report.holdout is not None) for table in report.tables),
        notes=(),
        growth=tuple(map(_growth, report.growth)),
        provenance=replace(report.provenance, audience=EXTERNAL, left_out=LEFT_OUT, schema=""),
    )


def coarse_count(number: int) -> int:
    """Round a count to two significant digits; a small one to tens."""
    if number < 100:
        return round(number / 10) * 10
    return int(float(f"{number:.1e}"))


def coarse_text(text: str) -> str:
    """Round the numbers in a sentence."""
    return _NUMBER.sub(lambda found: _coarse_number(found[0]), text)


def _coarse_number(text: str) -> str:
    number = float(text.replace(",", ""))
    if number < _FEW:
        return "few"
    return f"about {coarse_count(int(number)):,}"


def _unnamed(source: TableSummary) -> TableSummary:
    return TableSummary(source.name, coarse_count(source.rows), "")


def _column(column: ColumnNote) -> ColumnNote:
    return replace(column, levels=None, missing=coarse_count(column.missing), reason="")


def _table(table: TableAudit, outside: bool) -> TableAudit:
    # Decided on the exact numbers, so that both audiences are told the same.
    levels = {headline.category: headline.level.name for headline in findings.headlines(table, outside=outside)}
    return TableAudit(table.synthetic, tuple(map(_outcome, table)), _exhibits(table.exhibits), levels)


def _outcome(outcome: Outcome) -> Outcome:
    match outcome:
        case Skipped(card=card, reason=reason):
            return Skipped(card, coarse_text(reason))
        case Failed(card=card):
            return Failed(card, _ERROR)
        case Measured(controls=controls):
            matched = _estimate(controls.matched) if controls.matched else None
            shown = Controls(_control(controls.copy), _control(controls.independent), matched)
            ahead = lead(outcome)
            return replace(
                outcome,
                measurement=_measurement(outcome.measurement),
                controls=shown,
                lead=_signed(ahead) if ahead else None,
            )


def _growth(growth: Growth | Skipped | Failed) -> Growth | Skipped | Failed:
    match growth:
        case Growth(n=n, curves=curves):
            return replace(growth, n=coarse_count(n), curves=tuple(map(_curve, curves)))
        case Skipped(card=card, reason=reason):
            return Skipped(card, coarse_text(reason))
        case Failed(card=card):
            return Failed(card, _ERROR)


def _curve(curve: Curve) -> Curve:
    return replace(curve, values={side: tuple(map(_estimate, values)) for side, values in curve.values.items()})


def _measurement(found: Measurement) -> Measurement:
    return Measurement(
        risk=_estimate(found.risk),
        raw=None if found.raw is None else float(f"{found.raw:.2g}"),
        n=coarse_count(found.n),
        base_rate=_rounded(found.base_rate),
    )


def _control(control: Control) -> Control:
    match control:
        case Unavailable(reason=reason):
            return Unavailable(coarse_text(reason))
        case Estimate():
            return _estimate(control)


def _signed(ahead: Estimate) -> Estimate:
    """Round a difference so that what lay above 0, or below, still does."""
    found = _estimate(ahead)
    if ahead.low > 0:
        low = max(found.low, LAST_DIGIT)
        return replace(found, low=low, value=max(found.value, low), high=max(found.high, low))
    if ahead.high < 0:
        high = min(found.high, -LAST_DIGIT)
        return replace(found, high=high, value=min(found.value, high), low=min(found.low, high))
    return found


def _estimate(estimate: Estimate) -> Estimate:
    value, low, high = (round(number, 2) for number in (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.confidence)


def _exhibits(shown: Diagnostics) -> Diagnostics:
    return Diagnostics(
        artefacts=tuple(map(_artefact, shown.artefacts)),
        columns=tuple(map(_exposure, shown.columns)),
        marginals=tuple(
            replace(each, released=round(each.released, 2), outside=_rounded(each.outside)) for each in shown.marginals
        ),
        pairs=tuple(replace(each, released=round(each.released, 2)) for each in shown.pairs),
        pair_similarity=_rounded(shown.pair_similarity),
    )


def _artefact(artefact: Artefact) -> Artefact:
    """Turn counts into hundredths, and name neither rows nor columns."""
    found = 0 if artefact.share is None else round(100 * artefact.share)
    if artefact.found:
        found = max(found, 1)
    return replace(
        artefact,
        found=found,
        of=100 if artefact.of else 0,
        chance=_rate(artefact.chance) if artefact.chance else None,
        columns=(),
        rows=(),
        reason=coarse_text(artefact.reason),
    )


def _exposure(column: ColumnExposure) -> ColumnExposure:
    outside = _rate(column.outside) if column.outside else None
    return replace(column, real=_rate(column.real), outside=outside, base_rate=round(column.base_rate, 2))


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)


def _rate(rate: Rate) -> Rate:
    return Rate(round(rate.value, 2), round(rate.low, 2), round(rate.high, 2), coarse_count(rate.n))
