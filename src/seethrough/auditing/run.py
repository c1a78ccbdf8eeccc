"""Run checks on a release, each with both controls."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, cast

import numpy as np

from seethrough.auditing.advice.several import advise_on_several
from seethrough.auditing.advice.table_advice import advise_on_table, table_names
from seethrough.auditing.artefacts.release_artefacts import holdout_overlap, holdout_remark, release_artefacts
from seethrough.auditing.controls import Trials, trials_of
from seethrough.auditing.diagnostics.collection import collect_diagnostics
from seethrough.auditing.diagnostics.exposure import exposed_rows
from seethrough.auditing.diagnostics.isolated_people import isolated_leaks, isolated_risks, order_exposed
from seethrough.auditing.diagnostics.leak_groups import leak_groups
from seethrough.auditing.evidence.assess import Arsenal, Assessment, EvidenceRules, assess, without_outsiders
from seethrough.auditing.evidence.attribute.other_people import against_other_people
from seethrough.auditing.evidence.deciding_artefacts import join_artefacts
from seethrough.auditing.evidence.pool import FEWEST_OUTSIDE as FEWEST_PEOPLE
from seethrough.auditing.evidence.pool import rated_at_most
from seethrough.auditing.evidence.several.release_comparison import AssessedRelease, compare_releases, keep_answers
from seethrough.auditing.evidence.several.together import assess_together
from seethrough.auditing.stopwatch import Stopwatch
from seethrough.bench.bench import Bench
from seethrough.bench.isolation import Isolation
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.schema import Column
from seethrough.data.table import MISSING, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.protocols.check import Check, Growing
from seethrough.protocols.parameters import plain, stream_name, validate
from seethrough.results.attribute.figures import AttributeFigures
from seethrough.results.comparison import ReleaseComparison
from seethrough.results.diagnostics import Artefact, Diagnostics
from seethrough.results.estimate import Growth
from seethrough.results.evidence import GradeLimits, ReleaseEvidence
from seethrough.results.levers.advice import Advice
from seethrough.results.outcome import (
    Control,
    Controls,
    Failed,
    Measured,
    Measurement,
    Outcome,
    Skipped,
    Unavailable,
    count_risks,
)
from seethrough.results.report import ColumnNote, Report, TableAudit, TableSummary
from seethrough.results.timings import Progress, ShowProgress, ignore_progress
from seethrough.seeds import stream

T = TypeVar("T")

EVIDENCE_STEPS = 40
"""Steps that the attacks on members and people outside count for, where each check counts for one: they take about 6 in
10 of the time of an audit with all checks."""


@dataclass
class _Steps:
    """Turns progress inside a step into progress of the whole."""

    total: int
    progress: ShowProgress
    done: int = 0
    inside: float = 0.0
    doing: str = ""
    before_evidence: int = 0

    def begin(self, doing: str) -> None:
        self.doing = doing
        self.tick(0.0)

    def begin_attack(self, doing: str) -> None:
        """Begin the next attack of the evidence; how many there will be is not known before."""
        self.done, self.inside = min(self.done + 1, self.before_evidence + EVIDENCE_STEPS - 1), 0.0
        self.begin(doing)

    def begin_evidence(self) -> None:
        self.before_evidence = self.done
        self.begin("evidence")

    def end_evidence(self) -> None:
        self.done = self.before_evidence + EVIDENCE_STEPS - 1
        self.end()

    def tick(self, fraction: float) -> None:
        self.inside = max(self.inside, min(fraction, 1.0))  # a step may make several passes; never go back
        self.progress(Progress(min(self.done + self.inside, self.total), self.total, self.doing))

    def end(self) -> None:
        self.done, self.inside = self.done + 1, 0.0
        self.tick(0.0)


@dataclass(frozen=True)
class _Work:
    """What is the same for every synthetic table of an audit."""

    release: Release
    checks: Sequence[Check]
    seed: int
    show_values: bool
    arsenal: Arsenal | None
    rules: EvidenceRules
    budget: Budget
    steps: _Steps
    watch: Stopwatch
    overlap: Artefact | None

    @property
    def has_outsiders(self) -> bool:
        """Tell whether there are enough people outside to compare members with."""
        return self.release.holdout is not None and len(self.release.holdout.table) >= FEWEST_PEOPLE


def audit(  # noqa: PLR0913  what a caller may say about an audit
    release: Release,
    checks: Sequence[Check],
    *,
    seed: int,
    version: str,
    budget: Budget | None = None,
    progress: ShowProgress = ignore_progress,
    show_values: bool = False,
    arsenal: Arsenal | None = None,
    limits: GradeLimits = GradeLimits(),  # noqa: B008  a frozen value
) -> Report:
    """Attack every synthetic table for members and people outside, then measure every check on it.

    Without an arsenal nothing is attacked and the report has no verdict, as metrics in a study need none.
    """
    for check in checks:
        validate(check, check.card.name)
    overlap = holdout_overlap(release)
    notes = _remarks(release, holdout_remark(overlap))
    steps = _Steps((len(checks) + (EVIDENCE_STEPS if arsenal else 0)) * len(release.synthetic), progress)
    bench = Bench(release.parts(release.synthetic[0].table), replace(budget or Budget(), tick=steps.tick))
    watch = Stopwatch(bench)
    trials, described = trials_of(release, bench, seed, watch)
    found = [_artefacts(release, named, watch) for named in release.synthetic]
    largest = max(len(named.table) for named in release.synthetic)
    rules = EvidenceRules(seed, limits, most_rated=rated_at_most(largest))
    work = _Work(release, checks, seed, show_values, arsenal, rules, bench.budget, steps, watch, overlap)
    audited = [_audit_table(work, *each) for each in zip(release.synthetic, trials, found, strict=True)]
    growth = _growth(release, bench, checks, seed, watch)
    return _with_all_files(
        work,
        [answers for _, answers in audited if answers is not None],
        Report(
            version=version,
            seed=seed,
            real=_source(release.train),
            holdout=_source(release.holdout) if release.holdout else None,
            independent=described,
            column_notes=_notes(release.train.table, show_values=show_values),
            tables=tuple(table for table, _ in audited),
            notes=notes,
            growth=growth,
        ),
    )


def _with_all_files(work: _Work, answered: Sequence[AssessedRelease], report: Report) -> Report:
    """Add what several files come to: how they compare, what they show together, and what to do about it."""
    comparison, together = _comparison(work, answered), _together(work, answered)
    names = table_names(work.release, *work.release.synthetic)
    advice = advise_on_several(names, comparison, [each.evidence for each in answered], together)
    return replace(
        report, comparison=comparison, together=together, advice_on_all_files=advice, timings=work.watch.read()
    )


def _remarks(release: Release, outside: tuple[str, ...]) -> tuple[str, ...]:
    """Remark on the tables; `outside` is what has to be said of the holdout."""
    told = [named.remarks(*(outside if named is release.holdout else ())) for named in release.all]
    return tuple(note for notes in told for note in notes)


def _audit_table(
    work: _Work, named: NamedTable, trial: Trials, artefacts: tuple[Artefact, ...]
) -> tuple[TableAudit, AssessedRelease | None]:
    """Attack one synthetic table and measure every check on it; gives the answers of attacks for the comparison too."""
    assessment = _assess(work, named)
    outcomes = _outcomes(trial, work.checks, work.seed, work.steps, work.watch)
    rng = stream(work.seed, f"exhibits of {named.name}")
    benches, outside = (trial.release, trial.independent), work.release.holdout is not None
    with work.watch.step("exhibits", named.name):
        shown = collect_diagnostics(benches, outside, artefacts, rng)
    shown = replace(shown, shows_values=work.show_values)
    if assessment is None:
        return TableAudit(_source(named), outcomes, shown), None
    with work.watch.step("groups", named.name):
        shown = replace(shown, groups=leak_groups(assessment, work.rules, has_outsiders=outside))
    with work.watch.step("isolation", named.name):
        assessment, shown = _with_isolated(work, assessment, outcomes, shown)
    people = exposed_rows(
        assessment.evidence.people, work.release.train.table, named.table, show_values=work.show_values
    )
    shown = replace(shown, exposed=people)
    evidence = join_artefacts(assessment.evidence, artefacts, has_outsiders=work.has_outsiders, overlap=work.overlap)
    assessment = replace(assessment, evidence=evidence)
    table = TableAudit(_source(named), outcomes, shown, evidence, _advice(work, named, assessment, shown))
    return table, keep_answers(named.name, assessment)


def _advice(work: _Work, named: NamedTable, found: Assessment, shown: Diagnostics) -> tuple[Advice, ...]:
    assert work.arsenal is not None
    with work.watch.step("advice", named.name):
        return advise_on_table(work.release, named, found, shown, work.arsenal, work.rules)


def _with_isolated(
    work: _Work, found: Assessment, outcomes: Sequence[Outcome], shown: Diagnostics
) -> tuple[Assessment, Diagnostics]:
    """Show what isolated people risk, and put exposed people who are equally sure in the order of their isolation."""
    how = work.arsenal.isolation if work.arsenal else Isolation()
    leaks = isolated_leaks(found, work.rules, how, has_outsiders=work.release.holdout is not None)
    try:
        isolation = how.measure(work.release.train.table, work.budget, stream(work.seed, "isolation"))
    except NotApplicable as reason:
        return found, replace(shown, isolated=replace(leaks, reason=str(reason)))
    people = order_exposed(found.evidence.people, isolation)
    shown = replace(shown, isolated=replace(leaks, risks=isolated_risks(outcomes, isolation)))
    return replace(found, evidence=replace(found.evidence, people=people)), shown


def _assess(work: _Work, named: NamedTable) -> Assessment | None:
    """Compare members with people outside on one release; say what is missing where there are none."""
    if work.arsenal is None:
        return None
    train, holdout = work.release.train, work.release.holdout
    with work.watch.step("evidence", named.name):
        work.steps.begin_evidence()
        if holdout is None:
            found = Assessment(replace(without_outsiders(), secrets=_against_others(work, named)))
        else:
            tables = train.table, holdout.table, named.table
            found = assess(tables, work.arsenal, work.rules, work.budget, work.steps.begin_attack, work.release.design)
        work.steps.end_evidence()
    # What could not be tested was to be held to the same limits.
    return replace(found, evidence=replace(found.evidence, limits=work.rules.limits))


def _against_others(work: _Work, named: NamedTable) -> AttributeFigures | None:
    """Compare guesses of secrets with what other real people say, where a row is a person."""
    assert work.arsenal is not None
    if work.release.design.real is not None:
        return None
    real, attacks = work.release.train.table, work.arsenal.attacks
    return against_other_people(real, named.table, attacks, work.seed, work.budget, work.rules.confidence)


def _comparison(work: _Work, answered: Sequence[AssessedRelease]) -> ReleaseComparison | None:
    """Compare releases by the same people, where there are several."""
    if len(answered) < 2:
        return None
    with work.watch.step("comparison", "all together"):
        return compare_releases(answered, work.rules)


def _together(work: _Work, answered: Sequence[AssessedRelease]) -> ReleaseEvidence | None:
    """Judge several files together, where there are people outside."""
    holdout, arsenal = work.release.holdout, work.arsenal
    if len(answered) < 2 or holdout is None or arsenal is None:
        return None
    tables = work.release.train.table, holdout.table, [named.table for named in work.release.synthetic]
    with work.watch.step("together", "all together"):
        return assess_together(tables, answered, arsenal, work.rules, work.budget, work.release.design)


def _artefacts(release: Release, named: NamedTable, watch: Stopwatch) -> tuple[Artefact, ...]:
    with watch.step("artefacts", named.name):
        return release_artefacts(release, named)


def _outcomes(
    trials: Trials, checks: Sequence[Check], seed: int, steps: _Steps, watch: Stopwatch
) -> tuple[Outcome, ...]:
    found = []
    for check in checks:
        steps.begin(check.card.name)
        found.append(_outcome(check, trials, seed, watch))
        steps.end()
    return tuple(found)


def _outcome(check: Check, trials: Trials, seed: int, watch: Stopwatch) -> Outcome:
    start = time.perf_counter()
    who = check.card.name, trials.synthetic

    def measured() -> Measured:
        with watch.lap(*who, "release"):
            found = measure(check, trials.release, stream(seed, stream_name(check)))
        settled = cast("Check", found.settled or check)
        with watch.lap(*who, "copy"):
            copy = _risk(_control(settled, trials.copy_for(check), seed))
        with watch.lap(*who, "independent"):
            independent = _control(settled, trials.independent_for(check), seed)
        controls, seconds = Controls(copy, _risk(independent)), time.perf_counter() - start
        counts = count_risks(independent.per_record) if isinstance(independent, Measurement) else ()
        return Measured(check.card, found, controls, seconds, plain(check), counts)

    return _attempted(check, measured)


def _attempted(check: Check, work: Callable[[], T]) -> T | Skipped | Failed:
    try:
        return work()
    except NotApplicable as reason:
        return Skipped(check.card, str(reason))
    except Exception as error:  # noqa: BLE001  the one place where a broken check must not stop the others
        return Failed(check.card, f"{type(error).__name__}: {error}")


def _growth(
    release: Release, bench: Bench[Part], checks: Sequence[Check], seed: int, watch: Stopwatch
) -> tuple[Growth | Skipped | Failed, ...]:
    """Ask those checks that can tell what several tables show together."""
    tables = [named.table for named in release.synthetic]
    found: list[Growth | Skipped | Failed] = []
    for check in checks if len(tables) > 1 else ():
        if isinstance(check, Growing):
            with watch.lap(check.card.name, "all together", "release"):
                found.append(_attempted(check, partial(check.grow, bench, tables, stream(seed, stream_name(check)))))
    return tuple(found)


def measure(check: Check, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
    """Let a check measure what is on the bench; refuse an answer that is no risk in its interval."""
    found = check.measure(bench, rng)
    numbers = found.risk.value, found.risk.low, found.risk.high
    if not (
        np.isfinite([*numbers, found.raw or 0.0]).all()
        and 0 <= found.risk.low <= found.risk.value <= found.risk.high <= 1
    ):
        raise ArithmeticError(
            f"risk {numbers} with raw value {found.raw} is not a number in [0, 1] inside its interval"
        )
    return found


def _risk(found: Measurement | Unavailable) -> Control:
    return found.risk if isinstance(found, Measurement) else found


def _control(check: Check, bench: Bench[Part], seed: int) -> Measurement | Unavailable:
    try:
        return measure(check, bench, stream(seed, stream_name(check)))
    except NotApplicable as reason:
        return Unavailable(str(reason))


def _source(named: NamedTable) -> TableSummary:
    return TableSummary(named.name, len(named.table), named.table.digest)


def _notes(table: Table, *, show_values: bool) -> tuple[ColumnNote, ...]:
    return tuple(_note(column, table, show_values=show_values) for column in table.schema.columns)


def _note(column: Column, table: Table, *, show_values: bool) -> ColumnNote:
    levels = len(column.levels) if column.kind.has_levels else None
    missing = 0
    if column.is_used:
        values = table.column(column.name)
        missing = int(np.count_nonzero(values == MISSING if column.kind.has_levels else np.isnan(values.astype(float))))
    shown = f": {', '.join(map(repr, column.missing))}" if show_values and column.missing else ""
    return ColumnNote(column.name, column.kind.value, column.role.value, levels, missing, f"{column.reason}{shown}")
