"""Try levers: apply each, attack again, measure what is left of the utility, and rank them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from seethrough.auditing.evidence.assess import Arsenal, Assessment, EvidenceRules
from seethrough.auditing.levers.applying import ChangedRelease, apply_lever, refuse_impossible
from seethrough.auditing.levers.grammar import Lever
from seethrough.auditing.levers.leaks import StatedLeak, changes, state_leaks, worst_leak
from seethrough.auditing.levers.ranking import per_utility, rank_levers
from seethrough.auditing.levers.situation import DRAWS, Generators, Situation
from seethrough.auditing.levers.trial import make_trial, mean_leaks
from seethrough.auditing.levers.yardstick import Yardstick, predicted_columns
from seethrough.data.release import Release
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable, SeethroughError
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.levers.what_if import FamilyLeak, LeverRow, UtilityFigures
from seethrough.results.timings import Progress, ShowProgress

BASELINE = "the release as it is"


def take_stock(  # noqa: PLR0913  what a caller may say about it
    release: Release,
    arsenal: Arsenal,
    rules: EvidenceRules,
    budget: Budget,
    generators: Generators,
    *,
    targets: Sequence[str] = (),
    family: LeakFamily | None = None,
    draws: int = DRAWS,
) -> Situation:
    """Attack the release as it is; refuses where no leak can be told, so that no lever could be measured."""
    if release.holdout is None:
        raise ConfigError("what-if compares members with people outside, and no holdout was given")
    try:
        trial = make_trial(release, arsenal, rules, budget)
    except NotApplicable as error:
        raise ConfigError(f"what-if cannot tell a leak: {error}") from error
    real, outside = release.train.table, release.holdout.table
    yardstick = Yardstick(real, outside, tuple(targets) or predicted_columns(real, rules.seed), rules.seed, budget)
    files = trial.pool.release
    found = trial.assess(Table(real.schema, files.columns))
    leaks = state_leaks(found, rules.limits)
    if worst_leak(leaks, family) is None:
        reasons = {reason for finding in found.evidence.findings for reason in finding.cannot_tell}
        raise ConfigError(f"what-if cannot tell a leak: {'; '.join(sorted(reasons)) or 'no attack was run'}")
    return Situation(release, trial, yardstick, generators, found, leaks, family, draws)


@dataclass(frozen=True, eq=False)
class TriedLever:
    """A lever that was applied: the row so far, the leaks that its changes are computed from."""

    row: LeverRow
    leaks: tuple[StatedLeak, ...] = ()


def try_baseline(situation: Situation) -> LeverRow:
    """Describe the release as it is."""
    whole, worst = situation.whole, worst_leak(situation.leaks, situation.family)
    assert worst is not None
    utility = situation.yardstick.measure(whole)
    return replace(
        _row(BASELINE, situation.leaks, worst, utility, len(whole)),
        near_copies=float(situation.near_copies(whole).mean()),
    )


def try_levers(
    situation: Situation, levers: Sequence[Lever], baseline: LeverRow, progress: ShowProgress
) -> tuple[LeverRow, ...]:
    """Try levers one after the other, then compare and rank them."""
    for lever in levers:
        refuse_impossible(lever, situation)
    tried = []
    for done, lever in enumerate(levers):
        progress(Progress(done, len(levers), str(lever)))
        tried.append(_attempt(lever, situation, baseline))
    progress(Progress(len(levers), len(levers), "comparing"))
    return rank_levers(compare_tried(tried, situation))


def _attempt(lever: Lever, situation: Situation, baseline: LeverRow) -> TriedLever:
    begun = time.perf_counter()
    try:
        found = try_lever(lever, situation, baseline)
    except SeethroughError as reason:  # a generator that fails must not hide what the other levers do
        return TriedLever(LeverRow(str(lever), reason=str(reason)))
    return replace(found, row=replace(found.row, seconds=time.perf_counter() - begun))


def try_lever(lever: Lever, situation: Situation, baseline: LeverRow) -> TriedLever:
    """Apply a lever, attack what it makes, and measure its utility."""
    changed = apply_lever(lever, situation)
    found = [situation.trial.assess(draw, changed.coarsening, changed.left_out) for draw in changed.draws]
    kept = None if changed.left_out is None else ~changed.left_out
    leaks = mean_leaks([state_leaks(each, situation.trial.rules.limits, kept) for each in found])
    worst = worst_leak(leaks, situation.family)
    utility = mean_utility([situation.yardstick.measure(draw, changed.coarsening) for draw in changed.draws])
    row = _row(str(lever), leaks, worst, utility, len(changed.draws[0]))
    if worst is None:
        row = replace(row, reason=_untold(found, situation))
    assert baseline.utility is not None
    row = replace(
        row,
        near_copies=_copies(situation, changed),
        utility_change=utility.kept - baseline.utility.kept,
        is_remedy=changed.is_remedy,
        notes=(*changed.notes, *_newly_exposed(situation, found[0], changed), *_untested(leaks, situation)),
    )
    return TriedLever(row, leaks)


def _row(
    name: str, leaks: Sequence[StatedLeak], worst: StatedLeak | None, utility: UtilityFigures, rows: int
) -> LeverRow:
    told = {leak.family: leak for leak in leaks}
    families = tuple(
        FamilyLeak(family, leak.grade, leak.attack, leak.leak)
        if (leak := told.get(family))
        else FamilyLeak(family, Grade.CANNOT_TELL)
        for family in LeakFamily
    )
    return LeverRow(
        name,
        families=families,
        family=worst.family if worst else None,
        grade=worst.grade if worst else Grade.CANNOT_TELL,
        leak=worst.leak if worst else None,
        utility=utility,
        rows=rows,
    )


def mean_utility(found: Sequence[UtilityFigures]) -> UtilityFigures:
    """Average what several draws of a release are good for."""
    means = {}
    for name in ("mre", "tvd", "models", "kept"):
        values = [value for each in found if (value := getattr(each, name)) is not None]
        means[name] = float(np.mean(values)) if values else None
    return UtilityFigures(means["mre"], means["tvd"], means["models"], means["kept"] or 0.0)


def compare_tried(tried: Sequence[TriedLever], situation: Situation) -> list[LeverRow]:
    """Give every lever its paired changes, with intervals that hold for all levers at once."""
    rules = situation.trial.rules
    before = {leak.family: leak for leak in situation.leaks}
    first = worst_leak(situation.leaks, situation.family)
    assert first is not None
    afters = [worst_leak(each.leaks, situation.family) for each in tried]
    told = [(first, after) for after in afters if after is not None]
    worst = iter(changes(told, rules.seed, rules.confidence, "changes of the worst leak"))
    pairs = [(before[leak.family], leak) for each in tried for leak in each.leaks if leak.family in before]
    by_family = iter(changes(pairs, rules.seed, rules.confidence, "changes of all leaks"))
    rows = []
    for each, after in zip(tried, afters, strict=True):
        change = next(worst) if after is not None else None
        own = {leak.family: next(by_family) for leak in each.leaks if leak.family in before}
        families = tuple(replace(leak, change=own.get(leak.family)) for leak in each.row.families)
        row = replace(each.row, families=families, change=change)
        if change is not None and row.utility_change is not None:
            ratio = per_utility(-change.value, -row.utility_change)
            row = replace(row, per_utility=ratio, helps=change.high < 0)
        rows.append(row)
    return rows


def _copies(situation: Situation, changed: ChangedRelease) -> float:
    """Give the share of near copies among the released rows, in the columns that are released."""
    return float(np.mean([situation.near_copies(draw, changed.coarsening).mean() for draw in changed.draws]))


def _newly_exposed(situation: Situation, found: Assessment, changed: ChangedRelease) -> tuple[str, ...]:
    """Say who is exposed by a new release who was not before: a generator that forgets some shows others."""
    if changed.left_out is None:
        return ()
    before, after = ({person.row for person in each.evidence.people} for each in (situation.assessment, found))
    return (f"{len(after)} people are listed as exposed now, {len(after - before)} of them were not before",)


def _untested(leaks: Sequence[StatedLeak], situation: Situation) -> tuple[str, ...]:
    lost = {leak.family for leak in situation.leaks} - {leak.family for leak in leaks}
    return tuple(f"{family.value} cannot be tested on this release" for family in LeakFamily if family in lost)


def _untold(found: Sequence[Assessment], situation: Situation) -> str:
    reasons = {reason for each in found for finding in each.evidence.findings for reason in finding.cannot_tell}
    what = situation.family.value if situation.family else "no family"
    return f"{what} can be tested on this release: {'; '.join(sorted(reasons)) or 'no attack applies'}"
