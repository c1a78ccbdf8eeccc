"""The facts of an outcome and of a release as label and value, the same in every document."""

from collections.abc import Mapping

from seethrough.report import untrusted
from seethrough.report.words import readings, wording
from seethrough.results.outcome import Failed, Measured, Skipped, Value
from seethrough.results.provenance import MOST_ATTACKED
from seethrough.results.report import ColumnNote, Report, TableAudit

Fact = tuple[str, str]

HOW_TO_READ: tuple[Fact, ...] = (
    ("score", "how much of the real table shows through, from 0 (complete privacy) to 1 (none)"),
    ("interval", "the scores that fit the data at the stated confidence"),
    (
        "independent",
        "the same check on a table with no information about the real records; a similar score may be chance",
    ),
    ("copy", "the same check on a release that is the real table itself: the worst that the check can see"),
    ("base rate", "what guessing without the release gives, where guessing makes sense"),
    ("attack, similarity, fidelity", "what a check measures; all scores are for information, none supports a verdict"),
)

_LEFT_OUT = frozenset({"id", "ignore"})


def sources(report: Report) -> tuple[tuple[str, str, int, str], ...]:
    """List the tables that took part: part, name, rows, digest."""
    parts = [("real", report.real)]
    parts += [("synthetic", table.synthetic) for table in report.tables]
    parts += [("holdout", report.holdout)] if report.holdout else []
    return tuple((part, source.name, source.rows, source.digest) for part, source in parts)


def attacked_people(report: Report) -> str:
    """Say how many people were drawn and attacked; nothing where everybody was."""
    drawn = report.targets
    if drawn is None:
        return ""
    about = "about " if report.provenance.is_external else ""
    members = f"{about}{wording.count(drawn.members)} of {about}{wording.count_of(drawn.of_members, 'member')}"
    outside = f"{about}{wording.count(drawn.outside)} of {about}{wording.count(drawn.of_outside)} people outside"
    who = f"{members} and {outside}" if drawn.of_outside else members
    why = f"more than {wording.count(MOST_ATTACKED)} people; --targets sets the number" if drawn.is_default else ""
    return f"{who} were drawn at random and attacked against the whole release{f' ({why})' if why else ''}"


def used_columns(report: Report) -> int:
    """Count the columns that took part."""
    return sum(is_used(column) for column in report.column_notes)


def is_used(column: ColumnNote) -> bool:
    """Tell the columns that took part from those left out."""
    return column.role not in _LEFT_OUT


def role_label(column: ColumnNote) -> str:
    """Name the role of a column; a column left out says so."""
    return column.role or "-" if is_used(column) else f"left out ({column.role})"


def numbers(outcome: Measured) -> tuple[Fact, ...]:
    """List the numbers that a score carries with it, besides the score itself."""
    found, controls = outcome.measurement, outcome.controls
    base_rate = () if found.base_rate is None else (("base rate", wording.format_fixed(found.base_rate)),)
    return (
        ("raw value", raw_value(outcome)),
        ("records", wording.count(found.n)),
        *base_rate,
        ("independent", wording.control(controls.independent)),
        ("copy", wording.control(controls.copy)),
    )


def raw_value(outcome: Measured) -> str:
    """Write the score in the check's own unit."""
    return f"{raw_number(outcome)} {untrusted.visible(outcome.card.raw_unit, 80)}".strip()


def raw_number(outcome: Measured) -> str:
    """Write the score as the check's own number."""
    raw = outcome.measurement.raw
    return "infinite" if raw is None else wording.compact(raw)


def particulars(outcome: Measured) -> tuple[Fact, ...]:
    """List what only some readers look for: parameters, details, time, version."""
    return (
        *_listed("parameter", outcome.params),
        *_listed("detail", outcome.measurement.details),
        ("time", wording.duration(outcome.seconds)),
        ("version of the check", str(outcome.card.version)),
    )


def _listed(what: str, values: Mapping[str, Value]) -> tuple[Fact, ...]:
    return tuple(
        (f"{what} {untrusted.name(key)}", untrusted.visible(wording.value(found), 300)) for key, found in values.items()
    )


def comparison(report: Report) -> tuple[tuple[str, str, tuple[Fact, ...]], ...]:
    """Put all synthetic tables side by side: check, kind of evidence, and score and reading on each table."""
    kinds = {outcome.check: readings.evidence_label(outcome) for table in report.tables for outcome in table}
    return tuple((check, kind, tuple(_score(table, check) for table in report.tables)) for check, kind in kinds.items())


def list_unmeasured(table: TableAudit) -> tuple[tuple[str, str, str, str], ...]:
    """List the checks without a score: check, attack, status, reason."""
    listed = []
    for outcome in table:
        match outcome:
            case Skipped(reason=why):
                listed.append((outcome.check, outcome.card.category.value, "skipped", why))
            case Failed(error=why):
                listed.append((outcome.check, outcome.card.category.value, "failed", why))
    return tuple(listed)


def column(found: ColumnNote) -> tuple[str, str, str, str, str]:
    """Say how a column was read: kind, role, levels, missing values, reason."""
    levels = "-" if found.levels is None else wording.count(found.levels)
    missing = "-" if found.missing is None else wording.count(found.missing)
    return found.kind, role_label(found), levels, missing, found.reason


def _score(table: TableAudit, check: str) -> Fact:
    try:
        outcome = table[check]
    except KeyError:
        return "not run", ""
    match outcome:
        case Measured(risk=risk):
            return f"{wording.format_fixed(risk.value)} ({wording.span(risk)})", readings.short_reading(outcome)
        case Skipped():
            return "skipped", ""
        case Failed():
            return "failed", ""


def record(report: Report) -> tuple[Fact, ...]:
    """List what is needed to repeat the audit: version, seed, digests of the tables, what was asked for, programs."""
    asked = report.provenance
    digests = (
        (f"digest, {part} {untrusted.name(name)}", digest) for part, name, _, digest in sources(report) if digest
    )
    given = {
        "digest, schema": asked.schema,
        "columns declared by the user": ", ".join(map(untrusted.name, asked.declared)),
        "secrets": ", ".join(map(untrusted.name, asked.secrets)),
        "keys": ", ".join(map(untrusted.name, asked.keys)),
        "targets": "" if asked.targets is None else str(asked.targets),
        "checks": ", ".join(map(untrusted.name, asked.checks)),
        "programs": ", ".join(f"{name} {version}" for name, version in asked.versions.items()),
        "time": wording.duration(report.timings.total) if report.timings.total else "",
    }
    return (
        ("Seethrough", report.version),
        ("seed", str(report.seed)),
        *digests,
        *((label, said) for label, said in given.items() if said),
    )
