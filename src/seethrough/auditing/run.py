"""Run checks on a release, each with both controls."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from seethrough.auditing.advice.several import advise_on_several
from seethrough.auditing.advice.table_advice import table_names
from seethrough.auditing.artefacts.release_artefacts import holdout_overlap, holdout_remark, release_artefacts
from seethrough.auditing.attacked_people import TargetRule, Targets, decide_targets, draw_people
from seethrough.auditing.audit_work import AuditWork, HearOutcome, ignore_outcome
from seethrough.auditing.checks_apart import checks_apart
from seethrough.auditing.controls import Trials, trials_of
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules
from seethrough.auditing.evidence.pool import rated_at_most
from seethrough.auditing.evidence.several.release_comparison import AssessedRelease, compare_releases
from seethrough.auditing.evidence.several.together import assess_together
from seethrough.auditing.levers.fewer import fewer_files
from seethrough.auditing.measuring import measure_growth
from seethrough.auditing.progress_steps import EVIDENCE_STEPS, ProgressSteps
from seethrough.auditing.stopwatch import Stopwatch
from seethrough.auditing.summaries import collect_remarks, note_columns, summarise_table
from seethrough.auditing.table_steps import attack_table, audit_table
from seethrough.bench.bench import Bench
from seethrough.data.release import NamedTable, Release
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import validate
from seethrough.results.comparison import ReleaseComparison
from seethrough.results.diagnostics import Artefact
from seethrough.results.evidence import GradeLimits, ReleaseEvidence
from seethrough.results.levers.less import FewerNeeded
from seethrough.results.report import Report
from seethrough.results.timings import ShowProgress, ignore_progress


@dataclass(frozen=True, eq=False)
class AuditRun:
    """An audit that was run: its report, and the benches of each synthetic table with all that was computed on them."""

    report: Report
    trials: tuple[Trials, ...]


def run_audit(  # noqa: PLR0913  what a caller may say about an audit
    release: Release,
    checks: Sequence[Check],
    *,
    seed: int,
    version: str,
    budget: Budget | None = None,
    progress: ShowProgress = ignore_progress,
    told: HearOutcome = ignore_outcome,
    show_values: bool = False,
    arsenal: Arsenal | None = None,
    limits: GradeLimits = GradeLimits(),  # noqa: B008  a frozen value
    targets: Targets = "all",
    keep_trials: bool = True,
) -> AuditRun:
    """Attack every synthetic table for members and people outside, then measure every check on it.

    The evidence and every outcome are told as soon as they are there. Without an arsenal nothing is attacked and the
    report has no verdict, as metrics in a study need none. Where nobody keeps the trials, checks may be measured in a
    process of their own, which leaves nothing on the benches.
    """
    for check in checks:
        validate(check, check.card.name)
    overlap = holdout_overlap(release)
    steps = ProgressSteps((len(checks) + (EVIDENCE_STEPS if arsenal else 0)) * len(release.synthetic), progress)
    bench = Bench(release.parts(release.synthetic[0].table), replace(budget or Budget(), tick=steps.tick))
    watch, rule = Stopwatch(bench), decide_targets(targets, release)
    people = draw_people(release, rule, seed)
    made, described = trials_of(release, bench, people, seed, watch)
    rules = _rules(release, seed, limits, rule)
    every = bench.budget, steps, watch, overlap, told, people
    work = AuditWork(release, checks, seed, show_values, arsenal, rules, *every)
    with nullcontext() if keep_trials else checks_apart(work, made) as apart:
        found = [_artefacts(release, named, watch) for named in release.synthetic]
        attacked = [attack_table(work, *each) for each in zip(release.synthetic, found, strict=True)]
        trials = tuple(made)
        audited = [audit_table(work, *each, apart) for each in zip(attacked, trials, strict=True)]
    growth = measure_growth(release, trials[0].release, checks, seed, watch)
    report = Report(
        version=version,
        seed=seed,
        real=summarise_table(release.train),
        holdout=summarise_table(release.holdout) if release.holdout else None,
        independent=described,
        column_notes=note_columns(release.train.table, show_values=show_values),
        tables=tuple(table for table, _ in audited),
        notes=collect_remarks(release, holdout_remark(overlap)),
        growth=growth,
        targets=people.sizes if people else None,
    )
    answered = [answers for _, answers in audited if answers is not None]
    return AuditRun(_with_all_files(work, answered, report), trials)


def _rules(release: Release, seed: int, limits: GradeLimits, rule: TargetRule) -> EvidenceRules:
    largest = max(len(named.table) for named in release.synthetic)
    return EvidenceRules(seed, limits, most_rated=rated_at_most(largest), targets=rule.people)


def _with_all_files(work: AuditWork, answered: Sequence[AssessedRelease], report: Report) -> Report:
    """Add what several files come to: how they compare, what they show together, and what to do about it."""
    comparison, together = _comparison(work, answered), _together(work, answered)
    names = table_names(work.release, *work.release.synthetic)
    alone = [each.evidence for each in answered]
    advice = advise_on_several(names, comparison, alone, together, partial(_fewer_files, work))
    return replace(
        report, comparison=comparison, together=together, advice_on_all_files=advice, timings=work.watch.read()
    )


def _fewer_files(work: AuditWork) -> FewerNeeded | None:
    assert work.arsenal is not None
    with work.watch.step("advice", "all together"):
        try:
            return fewer_files(work.release, work.arsenal, work.rules, work.budget)
        except NotApplicable:  # parts of a release that is read in chunks are not attacked for advice
            return None


def _comparison(work: AuditWork, answered: Sequence[AssessedRelease]) -> ReleaseComparison | None:
    """Compare releases by the same people, where there are several."""
    if len(answered) < 2:
        return None
    with work.watch.step("comparison", "all together"):
        return compare_releases(answered, work.rules, work.budget.device)


def _together(work: AuditWork, answered: Sequence[AssessedRelease]) -> ReleaseEvidence | None:
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
