"""Which fields of a report go out, type by type; a field that is not named here goes nowhere.

`BY_TYPE` sends what a field holds through the rules of its own type. A field that is added to one of these types stays
inside, and makes a test fail until it is named here: as it is, by a rule, or refused.
"""

from collections.abc import Mapping
from typing import Any

from seethrough.report.external.evidence_fields import evidence_fields
from seethrough.report.external.rules import (
    AS_IS,
    COARSE_COUNT,
    COARSE_TEXT,
    HUNDRED,
    IN_HUNDREDTHS,
    SIGN_KEPT,
    TWO_DIGITS,
    TWO_SIGNIFICANT,
    Rule,
    always,
    keep_inside,
)
from seethrough.results.card import Card
from seethrough.results.comparison import RankedRelease, ReleaseComparison, ReleaseDifference
from seethrough.results.diagnostics import (
    Artefact,
    ColumnExposure,
    ColumnFidelity,
    Diagnostics,
    GroupedLeaks,
    IsolatedPeople,
    PairFidelity,
    Rate,
)
from seethrough.results.estimate import Curve, Estimate, Growth
from seethrough.results.outcome import Controls, Failed, Measured, Measurement, Skipped, Unavailable
from seethrough.results.provenance import EXTERNAL, Provenance, Threshold
from seethrough.results.report import ColumnNote, Report, TableAudit, TableSummary
from seethrough.results.timings import CheckCost, SharedCost, StepCost, Timings

LEFT_OUT = (
    "the list of exposed people and how many there are, the risk of each record, and records.parquet",
    "exact evidence: shares are whole people in 100, p is at most 5 % or above, rates and times are left out",
    "leaks by group, risks of isolated people, and the distribution of distances, whose bars are counts of few records",
    "exact numbers: scores and shares have two digits, counts two significant ones",
    "details, warnings and notes of checks and of reading, and the text of errors; numbers in reasons are rounded",
    "digests of the real table and of the holdout: they would confirm a guess of the whole table",
    "Scores of several audits of the same real table tell more together than each alone: publishing exact scores again "
    "and again is itself a leak, so publish few, and rounded",
)
BY_TYPE = Rule("by the rules of its own type", lambda _, value: send_out(value))


def _as_they_are(*names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, AS_IS)


ALLOWED: Mapping[type, Mapping[str, Rule]] = {
    Report: {
        **_as_they_are("version", "seed", "independent"),
        **dict.fromkeys(("real", "holdout", "column_notes", "tables", "timings", "growth", "provenance"), BY_TYPE),
        **dict.fromkeys(("comparison", "together"), BY_TYPE),
        "notes": keep_inside(()),
    },
    TableSummary: {"name": AS_IS, "rows": COARSE_COUNT, "digest": keep_inside("")},
    ColumnNote: {
        **_as_they_are("name", "kind", "role"),
        "levels": keep_inside(None),
        "missing": COARSE_COUNT,
        "reason": keep_inside(""),
    },
    # The release is published anyway, so its name, size and digest are no secret.
    TableAudit: {"synthetic": AS_IS, **dict.fromkeys(("outcomes", "exhibits", "evidence"), BY_TYPE)},
    **evidence_fields(BY_TYPE),
    Card: _as_they_are(
        *("name", "title", "question", "cannot_tell", "category", "evidence", "raw_unit", "formula", "cites"),
        *("ordering", "monotone", "needs", "chance", "stochastic", "slow", "version"),
    ),
    Measured: {
        **_as_they_are("seconds", "params"),
        **dict.fromkeys(("card", "measurement", "controls"), BY_TYPE),
    },
    Skipped: {"card": BY_TYPE, "reason": COARSE_TEXT},
    Failed: {"card": BY_TYPE, "error": always("an error; the report for the custodian says which")},
    Measurement: {
        "risk": BY_TYPE,
        "raw": TWO_SIGNIFICANT,
        "n": COARSE_COUNT,
        "base_rate": TWO_DIGITS,
        "per_record": keep_inside(None),
        "details": keep_inside({}),
        "warnings": keep_inside(()),
        "settled": keep_inside(None),
    },
    Controls: dict.fromkeys(("copy", "independent"), BY_TYPE),
    Unavailable: {"reason": COARSE_TEXT},
    Estimate: {**dict.fromkeys(("value", "low", "high"), TWO_DIGITS), "confidence": AS_IS},
    Growth: {"check": AS_IS, "n": COARSE_COUNT, "curves": BY_TYPE},
    Curve: {"name": AS_IS, "said": AS_IS, "values": BY_TYPE},
    # That two releases differ was decided before, on exact numbers. Notes may name columns and exact counts.
    ReleaseComparison: {
        **_as_they_are("releases", "permutations"),
        **dict.fromkeys(("ranking", "differences"), BY_TYPE),
        **dict.fromkeys(("members", "outsiders"), COARSE_COUNT),
        "notes": keep_inside(()),
    },
    RankedRelease: {**_as_they_are("number", "place", "grade", "attack"), "leak": TWO_DIGITS},
    ReleaseDifference: {
        **_as_they_are("first", "second", "attack", "family", "measure", "told_apart"),
        **dict.fromkeys(("first_leak", "second_leak"), TWO_DIGITS),
        "difference": SIGN_KEPT,
        "p": TWO_SIGNIFICANT,
    },
    Diagnostics: {
        **dict.fromkeys(("artefacts", "columns", "marginals", "pairs"), BY_TYPE),
        "pair_similarity": TWO_DIGITS,
        "distances": keep_inside(None),
        "groups": keep_inside(GroupedLeaks(reason="groups of people stay with the custodian")),
        "isolated": keep_inside(IsolatedPeople(reason="the most isolated people stay with the custodian")),
        "exposed": keep_inside(()),
        "shows_values": keep_inside(False),
    },
    Artefact: {
        **_as_they_are("name", "sign", "unit", "against"),
        "found": IN_HUNDREDTHS,
        "of": HUNDRED,
        "chance": BY_TYPE,
        "columns": keep_inside(()),
        "rows": keep_inside(()),
        "reason": COARSE_TEXT,
        "p": keep_inside(None),
    },
    Rate: {**dict.fromkeys(("value", "low", "high"), TWO_DIGITS), "n": COARSE_COUNT},
    ColumnExposure: {"column": AS_IS, "real": BY_TYPE, "outside": BY_TYPE, "base_rate": TWO_DIGITS},
    ColumnFidelity: {"column": AS_IS, "released": TWO_DIGITS, "outside": TWO_DIGITS},
    PairFidelity: {"first": AS_IS, "second": AS_IS, "released": TWO_DIGITS},
    Provenance: {
        **_as_they_are(
            "checks",
            "preset",
            "params",
            "secrets",
            "keys",
            "entity",
            "has_card",
            "grades",
            "declared",
            "csv",
            "versions",
            "date",
        ),
        "schema": keep_inside(""),
        "thresholds": BY_TYPE,
        "audience": always(EXTERNAL),
        "left_out": always(LEFT_OUT),
    },
    Threshold: _as_they_are("text", "set_by", "broken"),
    Timings: {**_as_they_are("total", "reading"), **dict.fromkeys(("checks", "shared", "steps"), BY_TYPE)},
    CheckCost: _as_they_are("check", "synthetic", "release", "copy", "independent"),
    SharedCost: _as_they_are("request", "tables", "different", "computed", "asked", "seconds"),
    StepCost: _as_they_are("step", "synthetic", "seconds"),
}


def send_out(value: Any) -> Any:
    """Give what may go out of a value; one of a type that is not named cannot."""
    match value:
        case None:
            return None
        case tuple():
            return tuple(map(send_out, value))
        case Mapping():
            return {key: send_out(each) for key, each in value.items()}
    kind = next((kind for kind in type(value).__mro__ if kind in ALLOWED), None)
    if kind is None:
        raise TypeError(f"{type(value).__name__} is neither named for the report for others nor refused")
    return kind(**{name: rule.apply(value, getattr(value, name)) for name, rule in ALLOWED[kind].items()})
