"""What an audit does with one synthetic table: attack it, measure the checks on it, put together what is shown.

The attacks come first, because the verdict rests on them: the evidence is told as soon as it is there, and then every
check as it ends, those that attack before all others. No number depends on that order: every check draws from a stream
of its own, and what checks share is computed alike for whoever asks first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from seethrough.auditing.advice.table_advice import advise_on_table
from seethrough.auditing.audit_work import AuditWork
from seethrough.auditing.checks_apart import ChecksApart
from seethrough.auditing.controls import Trials
from seethrough.auditing.diagnostics.collection import collect_diagnostics
from seethrough.auditing.diagnostics.exposure import exposed_rows
from seethrough.auditing.diagnostics.isolated_people import isolated_leaks, isolated_risks, order_exposed
from seethrough.auditing.diagnostics.leak_groups import leak_groups
from seethrough.auditing.diagnostics.people_map import mark_exposed
from seethrough.auditing.evidence.assess import Assessment, assess, without_outsiders
from seethrough.auditing.evidence.attribute.other_people import against_other_people
from seethrough.auditing.evidence.deciding_artefacts import join_artefacts
from seethrough.auditing.evidence.several.release_comparison import AssessedRelease, keep_answers
from seethrough.auditing.measured_checks import measure_table
from seethrough.auditing.summaries import summarise_table
from seethrough.bench.isolation import Isolation
from seethrough.data.release import NamedTable
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.results.attribute.figures import AttributeFigures
from seethrough.results.diagnostics import Artefact, Diagnostics, GroupedLeaks, IsolatedPeople
from seethrough.results.levers.advice import Advice
from seethrough.results.outcome import Outcome
from seethrough.results.report import TableAudit
from seethrough.seeds import stream


@dataclass(frozen=True, eq=False)
class AttackedTable:
    """A synthetic table, what was found by attacking it, and how isolated each real row is (None: not measurable).

    `assessment` has the evidence as it is reported; it is None where nothing was to be attacked.
    """

    named: NamedTable
    artefacts: tuple[Artefact, ...]
    assessment: Assessment | None = None
    isolation: Floats | None = None
    not_isolated: str = ""


def attack_table(work: AuditWork, named: NamedTable, artefacts: tuple[Artefact, ...]) -> AttackedTable:
    """Attack one synthetic table for members and people outside, and tell the evidence."""
    if work.arsenal is None:
        return AttackedTable(named, artefacts)
    with work.steps.evidence():
        found, (isolation, reason) = work.budget.both(partial(_assess, work, named), partial(_isolation, work, named))
    evidence = found.evidence
    if isolation is not None:
        evidence = replace(evidence, people=order_exposed(evidence.people, isolation))
    evidence = join_artefacts(evidence, artefacts, has_outsiders=work.has_outsiders, overlap=work.overlap)
    work.told(named.name, evidence)
    return AttackedTable(named, artefacts, replace(found, evidence=evidence), isolation, reason)


def audit_table(
    work: AuditWork, attacked: AttackedTable, trial: Trials, apart: ChecksApart | None = None
) -> tuple[TableAudit, AssessedRelease | None]:
    """Measure every check on an attacked table; gives the answers of attacks for the comparison too.

    `apart` measures them in another process.
    """
    named, found = attacked.named, attacked.assessment
    describe = partial(_described, work, attacked, trial)
    if apart is None:
        measured, (shown, leaks) = work.budget.both(partial(measure_table, work, trial), describe)
    else:
        shown, leaks = describe()
        measured = apart.wait() or measure_table(work, trial)
    outcomes = measured.outcomes
    shown = replace(shown, distances=measured.distances, shows_values=work.show_values)
    if found is None or leaks is None:
        return TableAudit(summarise_table(named), outcomes, shown), None
    with work.watch.step("isolation", named.name):
        shown = replace(shown, isolated=_with_risks(leaks, attacked, outcomes))
    people = found.evidence.people
    shown = replace(
        shown, exposed=exposed_rows(people, work.release.train.table, named.table, show_values=work.show_values)
    )
    if measured.places is not None:
        shown = replace(shown, places=mark_exposed(measured.places, (each.row for each in people)))
    table = TableAudit(summarise_table(named), outcomes, shown, found.evidence, _advice(work, named, found, shown))
    return table, keep_answers(named.name, found)


def _described(work: AuditWork, attacked: AttackedTable, trial: Trials) -> tuple[Diagnostics, IsolatedPeople | None]:
    """Put together what needs no check: exhibits, groups of people, and isolated ones where there was an attack."""
    if attacked.assessment is None:
        return _exhibits(work, attacked, trial), None
    both, found = work.budget.both, attacked.assessment
    groups, (shown, leaks) = both(
        partial(_groups, work, attacked, found),
        lambda: both(partial(_exhibits, work, attacked, trial), partial(_isolated, work, attacked, found)),
    )
    return replace(shown, groups=groups), leaks


def _exhibits(work: AuditWork, attacked: AttackedTable, trial: Trials) -> Diagnostics:
    """Show the release as a whole."""
    name, has_outsiders = attacked.named.name, work.release.holdout is not None
    rng = stream(work.seed, f"exhibits of {name}")
    with work.watch.step("exhibits", name):
        return collect_diagnostics((trial.described, trial.independent), has_outsiders, attacked.artefacts, rng)


def _groups(work: AuditWork, attacked: AttackedTable, found: Assessment) -> GroupedLeaks:
    """Compare groups of people by what the attacks found."""
    with work.watch.step("groups", attacked.named.name):
        return leak_groups(found, work.rules, has_outsiders=work.release.holdout is not None)


def _advice(work: AuditWork, named: NamedTable, found: Assessment, shown: Diagnostics) -> tuple[Advice, ...]:
    assert work.arsenal is not None
    with work.watch.step("advice", named.name):
        return advise_on_table(work.release, named, found, shown, work.arsenal, work.rules)


def _isolation(work: AuditWork, named: NamedTable) -> tuple[Floats | None, str]:
    """Measure how isolated each real row is, or each of the people drawn; NaN for others. Or say why it cannot be."""
    how, real = work.arsenal.isolation if work.arsenal else Isolation(), work.release.train.table
    rng = stream(work.seed, "isolation")
    with work.watch.step("isolation", named.name):
        try:
            if work.people is None:
                return how.measure(real, work.budget, rng), ""
            found = np.full(len(real), np.nan)
            found[work.people.members] = how.measure(real.take(work.people.members), work.budget, rng)
        except NotApplicable as reason:
            return None, str(reason)
    return found, ""


def _isolated(work: AuditWork, attacked: AttackedTable, found: Assessment) -> IsolatedPeople:
    """Compare members with people outside among isolated people."""
    how = work.arsenal.isolation if work.arsenal else Isolation()
    with work.watch.step("isolation", attacked.named.name):
        return isolated_leaks(found, work.rules, how, has_outsiders=work.release.holdout is not None)


def _with_risks(leaks: IsolatedPeople, attacked: AttackedTable, outcomes: Sequence[Outcome]) -> IsolatedPeople:
    """Add what isolated people risk beside all others, by every check."""
    if attacked.isolation is None:
        return replace(leaks, reason=attacked.not_isolated)
    return replace(leaks, risks=isolated_risks(outcomes, attacked.isolation))


def _assess(work: AuditWork, named: NamedTable) -> Assessment:
    """Compare members with people outside on one release; say what is missing where there are none."""
    assert work.arsenal is not None
    train, holdout = work.release.train, work.release.holdout
    with work.watch.step("evidence", named.name):
        if holdout is None:
            found = Assessment(replace(without_outsiders(), secrets=_against_others(work, named)))
        else:
            tables = train.table, holdout.table, named.table
            found = assess(tables, work.arsenal, work.rules, work.budget, work.steps.attack, work.release.design)
    # What could not be tested was to be held to the same limits.
    return replace(found, evidence=replace(found.evidence, limits=work.rules.limits))


def _against_others(work: AuditWork, named: NamedTable) -> AttributeFigures | None:
    """Compare guesses of secrets with what other real people say, where a row is a person."""
    assert work.arsenal is not None
    if work.release.design.real is not None:
        return None
    real, attacks = work.release.train.table, work.arsenal.attacks
    return against_other_people(real, named.table, attacks, work.seed, work.budget, work.rules.confidence)
