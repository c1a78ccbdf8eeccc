"""Scores and columns as frames; with several synthetic tables the first column names the table."""

from typing import Any

import polars as pl

from seethrough.results.diagnostics import Rate
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Control, Failed, Measured, Outcome, Skipped
from seethrough.results.report import ColumnNote, Report, TableAudit

_RISKS = ("risk", "risk_low", "risk_high", "raw")
_CONTROLS = ("copy", "independent")
SCORES: dict[str, Any] = {
    **{"synthetic": pl.String, "check": pl.String, "category": pl.String, "status": pl.String},
    **dict.fromkeys(_RISKS, pl.Float64),
    **{"unit": pl.String, "n": pl.Int64, "base_rate": pl.Float64},
    **dict.fromkeys(_CONTROLS, pl.Float64),
    **{"seconds": pl.Float64, "reason": pl.String},
}
_SHARES = ("guessed_real", "guessed_outside", "guessed_alike", "difference", "difference_outside")
COLUMNS: dict[str, Any] = {
    **{"synthetic": pl.String, "column": pl.String, "kind": pl.String, "role": pl.String},
    **{"levels": pl.Int64, "missing": pl.Int64},
    **dict.fromkeys(_SHARES, pl.Float64),
    "reason": pl.String,
}


def score_frame(report: Report) -> pl.DataFrame:
    """List every check with its score and its controls; null where it was not measured, and why in `reason`."""
    rows = [(table.synthetic.name, *_score(outcome)) for table in report.tables for outcome in table]
    return _frame(report, SCORES, rows)


def column_frame(report: Report) -> pl.DataFrame:
    """List every column: how it was read, how often it is guessed, how far its distribution is from the real one."""
    rows = [(table.synthetic.name, *_column(note, table)) for table in report.tables for note in report.column_notes]
    return _frame(report, COLUMNS, rows)


def _frame(report: Report, columns: dict[str, Any], rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    return frame if len(report.tables) > 1 else frame.drop("synthetic")


def _score(outcome: Outcome) -> tuple[Any, ...]:
    head = outcome.check, outcome.card.category.value
    nothing = (None,) * (len(SCORES) - 5)
    match outcome:
        case Skipped(reason=reason):
            return *head, "skipped", *nothing, reason
        case Failed(error=error):
            return *head, "failed", *nothing, error
        case Measured(measurement=found, controls=controls):
            risks = found.risk.value, found.risk.low, found.risk.high, found.raw
            about = outcome.card.raw_unit, found.n, found.base_rate
            beside = _control(controls.copy), _control(controls.independent)
            return *head, "measured", *risks, *about, *beside, outcome.seconds, None


def _control(control: Control) -> float | None:
    return control.value if isinstance(control, Estimate) else None


def _column(note: ColumnNote, table: TableAudit) -> tuple[Any, ...]:
    guessed = next((each for each in table.exhibits.columns if each.column == note.name), None)
    marginal = next((each for each in table.exhibits.marginals if each.column == note.name), None)
    return (
        *(note.name, note.kind, note.role, note.levels, note.missing),
        *((None,) * 3 if guessed is None else (_rate(guessed.real), _rate(guessed.outside), guessed.base_rate)),
        *((None,) * 2 if marginal is None else (marginal.released, marginal.outside)),
        note.reason or None,
    )


def _rate(rate: Rate | None) -> float | None:
    return None if rate is None else rate.value
