"""A report read back from its JSON form: what renders it anew without its tables.

Back come verdict, findings, attacks, scores, columns, comparison, advice and pictures; the JSON form of what was read
is the text that was read. What the JSON form never held does not come back: risks of single records (`records.parquet`
has them), the names of groups and people's values unless the user asked for values, and the risks beside the
independent table. Reports that were edited after they were made are refused, and so are those of format 1, whose
verdicts rested on another comparison.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from seethrough.errors import ConfigError
from seethrough.report import untrusted
from seethrough.report.machine.typed_values import make_value, odd_value
from seethrough.results.card import Card, Category, Evidence
from seethrough.results.comparison import ReleaseComparison
from seethrough.results.diagnostics import Diagnostics
from seethrough.results.estimate import Estimate, Growth
from seethrough.results.evidence import AttackEvidence, Finding, LeakFamily, ReleaseEvidence
from seethrough.results.levers.advice import Advice
from seethrough.results.outcome import Control, Controls, Failed, Measured, Measurement, Outcome, Skipped, Unavailable
from seethrough.results.provenance import Provenance, TargetSizes, report_digest
from seethrough.results.report import FORMAT, ColumnNote, Report, TableAudit, TableSummary
from seethrough.results.timings import CheckCost, Timings

Form = Mapping[str, Any]
Cards = Mapping[str, Card]
ROUNDING = 0.0005
"""Seconds that a time in milliseconds may be off."""
_UNTOLD = "not described: the check is not installed here"


def read_back(form: Any, cards: Cards) -> Report:
    """Make a report from its JSON form; `cards` describe the checks that are installed, by name."""
    _refuse_others(form)
    release, tables = _of(form, "release"), [form, *_list(form, "further")]
    named = make_value(tuple[TableSummary, ...], release.get("synthetic"), "release.synthetic")
    if len(named) != len(tables):
        raise odd_value("further")
    return Report(
        version=make_value(str, form.get("seethrough"), "seethrough"),
        seed=make_value(int, form.get("seed"), "seed"),
        real=make_value(TableSummary, release.get("real"), "release.real"),
        holdout=_optional(TableSummary, release.get("holdout"), "release.holdout"),
        independent=make_value(str, release.get("independent"), "release.independent"),
        column_notes=_tuple(ColumnNote, _of(form, "schema"), "columns"),
        tables=tuple(_table(each, name, cards) for each, name in zip(tables, named, strict=True)),
        notes=_tuple(str, form, "notes"),
        timings=_timings(_of(form, "timings")),
        growth=tuple(_growth(each, cards) for each in _list(form, "growth")),
        comparison=_optional(ReleaseComparison, form.get("comparison"), "comparison"),
        together=None if form.get("together") is None else _evidence(_of(form, "together")),
        provenance=make_value(Provenance, form.get("record"), "record"),
        advice_on_all_files=_tuple(Advice, form, "advice_on_all_files"),
        targets=_optional(TargetSizes, form.get("targets"), "targets"),
    )


def _refuse_others(form: Any) -> None:
    """Refuse what is no report, one of another format, and one that was edited."""
    if not isinstance(form, Mapping) or not {"format", "release", "outcomes"} <= form.keys():
        raise ConfigError("this is not a report of `seethrough audit`")
    if form["format"] != FORMAT or isinstance(form["format"], bool):
        shown = untrusted.visible(repr(form["format"]), 40)
        raise ConfigError(f"the report has format {shown} and only {FORMAT} can be read; audit the tables again")
    if form.get("digest") != report_digest(form):
        raise ConfigError("the report was edited after it was made: its digest is that of another report")


def _table(form: Form, synthetic: TableSummary, cards: Cards) -> TableAudit:
    return TableAudit(
        synthetic,
        tuple(read_outcome(each, cards) for each in _list(form, "outcomes")),
        make_value(Diagnostics, _with_group_names(_of(form, "exhibits")), "exhibits"),
        _evidence(form) if "verdict" in form else None,
        _tuple(Advice, form, "advice"),
    )


def _evidence(form: Form) -> ReleaseEvidence:
    told = _of(form, "evidence")
    known = make_value(
        ReleaseEvidence,
        {
            **told,
            "verdict": form["verdict"],
            "findings": [],
            "sizes": told,
            "limits": told.get("grades"),
            "people_needed": told.get("outsiders_needed_for_a_list"),
            "is_designed": told.get("exchangeability") == "designed",
            "listed": told.get("exposed_people"),
            # The JSON form counts people and does not list them.
            "people": [],
            "at_risk": [],
        },
        "evidence",
    )
    found = tuple(_finding(each) for each in _list(form, "findings"))
    if [finding.family for finding in found] != list(LeakFamily):
        raise odd_value("findings")
    return replace(
        known,
        findings=found,
        attacks=tuple(_attack(each) for each in _list(form, "attacks")),
    )


def _finding(form: Any) -> Finding:
    if not isinstance(form, Mapping):
        raise odd_value("findings")
    return make_value(Finding, {**form, "measure": form.get("measure") or ""}, "findings")


def _attack(form: Any) -> AttackEvidence:
    if not isinstance(form, Mapping):
        raise odd_value("attacks")
    # A guess has no rates; a rating has all of them, null where they cannot be resolved.
    rates = {} if form.get("smallest_rate") is None else form.get("tpr")
    return make_value(AttackEvidence, {**form, "tpr": rates}, "attacks")


def read_outcome(form: Any, cards: Cards) -> Outcome:
    """Make one outcome from its JSON form."""
    if not isinstance(form, Mapping):
        raise odd_value("outcomes")
    card, where = _card(form, cards), f"outcomes.{form.get('check')}"
    match form.get("status"):
        case "skipped":
            return Skipped(card, make_value(str, form.get("reason"), f"{where}.reason"))
        case "failed":
            return Failed(card, make_value(str, form.get("error"), f"{where}.error"))
        case "measured":
            return _measured(form, card, where)
    raise odd_value(f"{where}.status")


def _measured(form: Form, card: Card, where: str) -> Measured:
    controls = _of(form, "controls")
    found = {name: form.get(name) for name in ("risk", "raw", "n", "base_rate", "details", "warnings")}
    return Measured(
        replace(card, raw_unit=make_value(str, form.get("unit"), f"{where}.unit")),
        make_value(Measurement, found, where),
        Controls(*(_control(controls.get(name), f"{where}.controls.{name}") for name in ("copy", "independent"))),
        make_value(float, form.get("seconds"), f"{where}.seconds"),
        dict(_of(form, "params")),
    )


def _control(form: Any, where: str) -> Control:
    is_reason = isinstance(form, Mapping) and "reason" in form
    return make_value(Unavailable, form, where) if is_reason else make_value(Estimate, form, where)


def _card(form: Form, cards: Cards) -> Card:
    """Find what describes a check; where it is not installed, what the report itself says of it."""
    name = make_value(str, form.get("check"), "outcomes.check")
    category = make_value(Category, form.get("category"), f"outcomes.{name}.category")
    evidence = make_value(Evidence, form.get("evidence"), f"outcomes.{name}.evidence")
    if name in cards:
        return replace(cards[name], category=category, evidence=evidence)
    return Card(name, name, _UNTOLD, _UNTOLD, category, evidence, "", "", ())


def _growth(form: Any, cards: Cards) -> Growth | Skipped | Failed:
    if isinstance(form, Mapping) and form.get("status") == "measured":
        return make_value(Growth, form, "growth")
    found = read_outcome(form, cards)
    if isinstance(found, Measured):
        raise odd_value("growth")
    return found


def _timings(form: Form) -> Timings:
    """Read times; what rounding took from the parts of a check is spread over them, so that they add up as before."""
    found = make_value(Timings, form, "timings")
    sums = [make_value(float, each["seconds"], "timings.checks.seconds") for each in _list(form, "checks")]
    return replace(found, checks=tuple(map(_adding_up, found.checks, sums)))


def _adding_up(cost: CheckCost, total: float) -> CheckCost:
    lost = (total - cost.seconds) / 3
    if abs(lost) >= ROUNDING:
        raise odd_value("timings.checks.seconds")
    return replace(cost, release=cost.release + lost, copy=cost.copy + lost, independent=cost.independent + lost)


def _with_group_names(exhibits: Form) -> Form:
    """Give the groups of a column numbers where their levels are not told."""
    groups = _of(exhibits, "groups")
    named, counted = [], dict[tuple[Any, Any], int]()
    for group in _list(groups, "groups"):
        if not isinstance(group, Mapping):
            raise odd_value("exhibits.groups")
        place = str(group.get("column")), str(group.get("family"))
        counted[place] = counted.get(place, 0) + 1
        named.append({"label": f"group {counted[place]}", **group})
    return {**exhibits, "groups": {**groups, "groups": named}}


def _of(form: Form, name: str) -> Form:
    found = form.get(name)
    if not isinstance(found, Mapping):
        raise odd_value(name)
    return found


def _list(form: Form, name: str) -> Sequence[Any]:
    found = form.get(name)
    if not isinstance(found, list | tuple):
        raise odd_value(name)
    return found


def _tuple(kind: type[Any], form: Form, name: str) -> tuple[Any, ...]:
    return tuple(make_value(kind, each, f"{name}[{place}]") for place, each in enumerate(_list(form, name)))


def _optional(kind: type[Any], plain: Any, where: str) -> Any:
    return None if plain is None else make_value(kind, plain, where)
