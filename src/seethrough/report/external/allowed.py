"""Which fields of a report go out, type by type; a field that is not named here goes nowhere.

`BY_TYPE` sends what a field holds through the rules of its own type. A field that is added to one of these types stays
inside, and makes a test fail until it is named here: as it is, by a rule, or refused. How often one person can move
what goes out is stated in docs/external-report.md and held by a test.
"""

from collections.abc import Mapping
from typing import Any

from seethrough.report.external.coarsening import FEWEST_PEOPLE, KEY, Coarsening
from seethrough.report.external.evidence_fields import evidence_fields, for_people
from seethrough.report.external.rules import AS_IS, COUNT_CLASS, NUMBERLESS, Rule, always, keep_inside
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, GroupedLeaks, IsolatedPeople
from seethrough.results.provenance import EXTERNAL, Provenance, TargetSizes, Threshold
from seethrough.results.report import ColumnNote, Report, TableAudit, TableSummary
from seethrough.results.timings import Timings

LEFT_OUT = (
    "everything about single people, and every number that one person can move: attacks one by one, scores, shares, p, "
    "epsilon, the list of exposed people, groups, columns, distances, times, warnings, notes and advice",
    "exact counts: people and rows are counted as 1, 2, 5, 10, 20, 50 and so on",
    "exact leaks: they are rounded down, and what would have been found is rounded up, to steps that grow as people "
    "become fewer, at thresholds that only the custodian could know",
    f"grades, where fewer than about {FEWEST_PEOPLE} members or people outside were compared",
    "digests of the real table and of the holdout: they would confirm a guess of the whole table",
    "Several reports on one real table tell more together than each alone: publish few, and one for each audit "
    f"(with {KEY} set, making it again gives the same)",
)


def _go_on(_: object, value: Any, coarse: Coarsening) -> Any:
    return send_out(value, coarse)


def _exhibits(table: TableAudit, exhibits: Diagnostics, coarse: Coarsening) -> Any:
    return send_out(exhibits, for_people(table.evidence, coarse) if table.evidence else coarse)


def _signs(_: Diagnostics, found: tuple[Artefact, ...], coarse: Coarsening) -> Any:
    """Send the signs out, if people are enough."""
    return () if coarse.has_too_few else send_out(found, coarse)


def _sign(_: Artefact, sign: ArtefactSign, __: Coarsening) -> ArtefactSign:
    """Tell none from few no more: a single person makes the difference."""
    return ArtefactSign.CHANCE if sign is ArtefactSign.NONE else sign


BY_TYPE = Rule("by the rules of its own type", _go_on)

ALLOWED: Mapping[type, Mapping[str, Rule]] = {
    Report: {
        **dict.fromkeys(("version", "seed"), AS_IS),
        **dict.fromkeys(("real", "holdout", "column_notes", "tables", "together", "provenance", "targets"), BY_TYPE),
        **dict.fromkeys(("notes", "growth", "advice_on_all_files"), keep_inside(())),
        "independent": NUMBERLESS,
        "comparison": keep_inside(None),
        "timings": always(Timings()),
    },
    TargetSizes: {
        **dict.fromkeys(("asked", "is_default"), AS_IS),
        **dict.fromkeys(("members", "of_members", "outside", "of_outside"), COUNT_CLASS),
    },
    TableSummary: {"name": AS_IS, "rows": COUNT_CLASS, "digest": keep_inside("")},
    ColumnNote: {
        **dict.fromkeys(("name", "kind", "role"), AS_IS),
        **dict.fromkeys(("levels", "missing"), keep_inside(None)),
        "reason": keep_inside(""),
    },
    # The release is published anyway, so its name, size and digest are no secret.
    TableAudit: {
        "synthetic": AS_IS,
        # Advice names released rows, small groups and exact counts.
        **dict.fromkeys(("outcomes", "advice"), keep_inside(())),
        "evidence": BY_TYPE,
        "exhibits": Rule("by the rules of its own type, for so many people", _exhibits),
    },
    **evidence_fields(BY_TYPE),
    Diagnostics: {
        "artefacts": Rule("by the rules of its own type, if people are enough", _signs),
        "groups": keep_inside(GroupedLeaks(reason="groups of people stay with the custodian")),
        "isolated": keep_inside(IsolatedPeople(reason="the most isolated people stay with the custodian")),
        **dict.fromkeys(("columns", "marginals", "distributions", "pairs", "exposed"), keep_inside(())),
        **dict.fromkeys(("distances", "pair_similarity", "places"), keep_inside(None)),
        "shows_values": keep_inside(False),
    },
    Artefact: {
        **dict.fromkeys(("name", "unit", "against"), AS_IS),
        "sign": Rule("more than chance, or not", _sign),
        **dict.fromkeys(("found", "of"), keep_inside(0)),
        **dict.fromkeys(("chance", "p"), keep_inside(None)),
        **dict.fromkeys(("columns", "rows"), keep_inside(())),
        "reason": NUMBERLESS,
    },
    Provenance: {
        **dict.fromkeys(("checks", "preset", "params", "secrets", "keys", "entity", "has_card", "grades"), AS_IS),
        "targets": AS_IS,
        **dict.fromkeys(("declared", "csv", "versions", "date"), AS_IS),
        "schema": keep_inside(""),
        "thresholds": BY_TYPE,
        "audience": always(EXTERNAL),
        "left_out": always(LEFT_OUT),
    },
    Threshold: dict.fromkeys(("text", "set_by", "broken"), AS_IS),
}


def send_out(value: Any, coarse: Coarsening) -> Any:
    """Give what may go out of a value; one of a type that is not named cannot."""
    match value:
        case None:
            return None
        case tuple():
            return tuple(send_out(each, coarse.under(str(place))) for place, each in enumerate(value))
    kind = next((kind for kind in type(value).__mro__ if kind in ALLOWED), None)
    if kind is None:
        raise TypeError(f"{type(value).__name__} is neither named for the report for others nor refused")
    rules = ALLOWED[kind].items()
    return kind(**{name: rule.apply(value, getattr(value, name), coarse.under(name)) for name, rule in rules})
