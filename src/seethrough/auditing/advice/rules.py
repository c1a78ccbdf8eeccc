"""The rules of advice on one release: each looks at what was found and gives one line or none."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, isfinite, sqrt

from seethrough.auditing.advice.commands import TableNames, column_name, list_numbers
from seethrough.auditing.advice.fewer_rows import ATTACK
from seethrough.auditing.levers.grammar import (
    Coarsen,
    DropColumn,
    DropNearCopies,
    FewerRows,
    Lever,
    RegenerateWithout,
)
from seethrough.data.schema import Column
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, LeakGroup
from seethrough.results.evidence import Finding, Grade, LeakFamily, ReleaseEvidence
from seethrough.results.evidence_words import people, people_at_most
from seethrough.results.levers.advice import Advice, AdviceRule, RowsLeak
from seethrough.results.levers.less import KeyLoss

ROWS_NAMED = 8
"""Released rows that a sentence names; all that are listed are in the page."""
FEW_VALUES = 5
"""Values that a coarser column is left with; a column that has no more is dropped."""
SMALL_GROUP = 0.2
"""Share of a column's members that a small group has at most."""
MOST_COLUMNS = 3
"""Columns that a line names."""
NOT_PRIVATE = (
    "Deleting them does not make the generator private: it learnt these people all the same, their near copies stay, "
    "and a gap where a real row was gives it away too."
)


@dataclass(frozen=True)
class Basis:
    """What the rules look at; `losses` and `by_rows` are empty where they were not measured."""

    names: TableNames
    evidence: ReleaseEvidence
    shown: Diagnostics
    columns: tuple[Column, ...] = ()
    losses: tuple[KeyLoss, ...] = ()
    by_rows: tuple[RowsLeak, ...] = ()

    def artefact(self, *names: str) -> Artefact | None:
        """Find the first of these signs that shows."""
        shows = (each for each in self.shown.artefacts if each.sign is ArtefactSign.SHOWS)
        return next((each for each in shows if each.name in names), None)

    def coarser(self, name: str) -> Lever:
        """Coarsen a column that has many values; drop one that has few."""
        column = next((each for each in self.columns if each.name == name), None)
        has_few = column is not None and column.kind.has_levels and len(column.levels) <= FEW_VALUES
        return DropColumn(name) if has_few else Coarsen(name, FEW_VALUES)

    def merge_levels(self, names: Sequence[str]) -> Lever:
        """Merge the rarest levels of the first of these columns that has more than two; if none has, drop the first."""
        levels = {each.name: len(each.levels) if each.kind.has_levels else FEW_VALUES + 1 for each in self.columns}
        name = next((name for name in names if levels.get(name, 0) > 2), None)
        return DropColumn(names[0]) if name is None else Coarsen(name, min(FEW_VALUES, levels[name] - 1))


def no_outsiders(basis: Basis) -> Advice | None:
    """Without people outside, set some aside before the next release."""
    if basis.names.holdout is not None:
        return None
    said = "Set people aside before the release is made, and audit it against them."
    why = (
        "Without people outside a leak cannot be told from what anybody could guess. Make the release from the train "
        "table of the split alone, and give its holdout to the audit."
    )
    return Advice(AdviceRule.NO_OUTSIDERS, said, basis.names.split(), why)


def identifiers(basis: Basis) -> Advice | None:
    """Remove columns in which real identifiers or whole rows stand."""
    found = basis.artefact("identifiers", "rows-as-text")
    if found is None or not found.columns:
        return None
    where = ", ".join(map(column_name, found.columns[:MOST_COLUMNS]))
    what = "real identifiers" if found.name == "identifiers" else "real rows, written out as text,"
    said = f"Remove {where}: {found.found:,} of {found.of:,} {what} stand there."
    levers = [DropColumn(name) for name in found.columns if name in {column.name for column in basis.columns}]
    command = basis.names.whatif(*levers[:1]) if levers else basis.names.audit()
    return Advice(AdviceRule.IDENTIFIERS, said, command, columns=found.columns)


def row_order(basis: Basis) -> Advice | None:
    """Shuffle rows that stand in the order of the real table."""
    if basis.artefact("row-order") is None:
        return None
    said = "Shuffle the released rows: their order follows that of the real table."
    return Advice(AdviceRule.ROW_ORDER, said, basis.names.audit())


def copied_rows(basis: Basis) -> Advice | None:
    """List released rows that are somebody's, and warn that deleting them is not enough."""
    found = basis.artefact("exact-copies")
    if found is None:
        return None
    by_chance = "" if found.chance is None else f"; chance would give {people(found.chance.value)}"
    whose = "one real person and of nobody outside" if basis.names.holdout else "one real person"
    numbers = list_numbers(found.rows, ROWS_NAMED)
    rows = f"Look at released rows {numbers}: each repeats the row of {whose}. Deleting them is not enough."
    share = people(found.found / found.of)
    count = f"{share} of 100 real people have their exact row in the release{by_chance}."
    why = f"{count} {NOT_PRIVATE}" if found.rows else NOT_PRIVATE
    return Advice(
        AdviceRule.COPIED_ROWS, rows if found.rows else count, basis.names.whatif(DropNearCopies()), why, found.rows
    )


def attribute_keys(basis: Basis) -> Advice | None:
    """Name the secret that leaks, and the keys that carry it."""
    if not basis.evidence[LeakFamily.ATTRIBUTE].grade.is_leak or not basis.losses:
        return None
    best = basis.losses[0]
    carry = [each for each in basis.losses if each.loss.low > 0][:MOST_COLUMNS]
    secret, leak = column_name(best.secret), people(best.leak)
    if carry:
        key, columns = best.key, tuple(each.key for each in carry)
        said = (
            f"Make {column_name(key)} coarser or drop it: it carries {people(best.loss.value)} of the {leak} in 100 by "
            f"which {secret} leaks."
        )
        others = (f"{column_name(each.key)} carries {people(each.loss.value)}" for each in carry[1:])
        why = "; ".join((f"Measured by {best.attack} with one key hidden at a time", *others)) + "."
    else:
        key, columns = best.secret, (best.secret,)
        said = f"Make {secret} coarser or drop it: several keys give it away, and hiding a single one changes little."
        most = f"{column_name(best.key)} carries most, {people(best.loss.value)}"
        why = f"Of the {leak} in 100 by which it leaks ({best.attack}), {most}."
    return Advice(AdviceRule.ATTRIBUTE_KEYS, said, basis.names.whatif(basis.coarser(key)), why, columns=columns)


def fewer_rows(basis: Basis) -> Advice | None:
    """Say how many rows would do, where the leak grows with them."""
    whole, *less = basis.by_rows or (None,)
    limit = basis.evidence.limits.clear
    if whole is None or whole.leak.low < limit or not less or less[-1].leak.low >= limit:
        return None
    enough = less[-1]
    said = (
        f"Release {enough.rows:,} of the {whole.rows:,} rows, drawn at random: the leak by {ATTACK} falls from "
        f"{people(whole.leak.value)} to {people(max(enough.leak.value, 0.0))} of 100."
    )
    tried = ", ".join(f"{people(max(each.leak.value, 0.0))} with {each.rows:,}" for each in less)
    why = f"So many more of 100 members than of people outside are picked out: {tried}."
    command = basis.names.whatif(FewerRows(rows=enough.rows))
    return Advice(AdviceRule.FEWER_ROWS, said, command, why, number=enough.rows)


def small_groups(basis: Basis) -> Advice | None:
    """Name small groups that leak more than their column does on the whole."""
    found = sorted(_outstanding(basis.shown.groups.groups), key=lambda pair: pair[1] - pair[0].leak.low)
    if not found:
        return None
    columns = tuple(dict.fromkeys(group.column for group, _ in found))
    worst, mean = found[0]
    groups = len({(group.column, group.label) for group, _ in found})
    leaks = "leaks" if groups == 1 else "leak"
    more = f" and {len(columns) - MOST_COLUMNS} more columns" if len(columns) > MOST_COLUMNS else ""
    said = (
        f"Merge small groups of {', '.join(map(column_name, columns[:MOST_COLUMNS]))}{more}: {groups} of them {leaks} "
        f"more than others, the worst {people(worst.leak.value)} of 100 where its whole column leaks {people(mean)}."
    )
    labels = tuple(dict.fromkeys(f"{group.column}: {group.label}" for group, _ in found))
    command = basis.names.whatif(basis.merge_levels(columns))
    return Advice(AdviceRule.SMALL_GROUPS, said, command, columns=columns, labels=labels)


def exposed_people(basis: Basis) -> Advice | None:
    """Make the release again without the most exposed people, where some are listed."""
    listed = len({person.row for person in basis.evidence.people})
    if not listed:
        return None
    number = min(listed, max(10, basis.evidence.sizes.members // 100))
    said = f"Make the release again without the {number:,} most exposed of {listed:,} listed people."
    why = "Others may be exposed then, so the new release is audited again."
    command = basis.names.whatif(RegenerateWithout(number))
    return Advice(AdviceRule.EXPOSED_PEOPLE, said, command, why, number=number)


def more_outsiders(basis: Basis) -> Advice | None:
    """Say how many more people outside it takes, where a leak that matters could have been missed."""
    weakest = _weakest(basis.evidence.findings)
    sizes, limits = basis.evidence.sizes, basis.evidence.limits
    if weakest is None or weakest.detectable is None or not sizes.outsiders:
        return None
    now = weakest.detectable
    goal = limits.severe if now > limits.severe else limits.clear
    if now <= goal or (goal == limits.clear and basis.evidence.verdict.grade.is_leak):
        return None
    needed, reached = outsiders_needed(now, goal, sizes.members, sizes.outsiders), goal
    if needed is None:
        needed = 2 * sizes.outsiders
        reached = now * sqrt((1 / sizes.members + 1 / needed) / (1 / sizes.members + 1 / sizes.outsiders))
    said = (
        f"Keep about {_rounded(needed):,} people outside instead of {sizes.outsiders:,}: a leak below "
        f"{people_at_most(now)} in 100 may have been missed, then one of {people_at_most(reached)} would be found."
    )
    return Advice(AdviceRule.MORE_OUTSIDERS, said, basis.names.split(), number=needed)


def outsiders_needed(now: float, goal: float, members: int, outsiders: int) -> int | None:
    """Say how many people outside bring the leak that can be found down to a goal; None where no number does.

    It shrinks with the standard error of a difference, as the root of 1 / members + 1 / outsiders.
    """
    share = (goal / now) ** 2 * (1 / members + 1 / outsiders) - 1 / members
    return ceil(1 / share) if share > 0 and isfinite(1 / share) else None


def _outstanding(groups: Sequence[LeakGroup]) -> Iterator[tuple[LeakGroup, float]]:
    """Give small groups whose whole interval lies above the mean leak of their column, with that mean."""
    by: dict[tuple[str, LeakFamily], list[LeakGroup]] = {}
    for group in groups:
        by.setdefault((group.column, group.family), []).append(group)
    for mine in by.values():
        members = sum(group.n_members for group in mine)
        mean = sum(group.n_members * group.leak.value for group in mine) / members
        small = [group for group in mine if group.n_members <= SMALL_GROUP * members and group.is_exposed]
        yield from ((group, mean) for group in small if group.leak.low > mean)


def _weakest(findings: Sequence[Finding]) -> Finding | None:
    """Find the family without a leak of which least could have been found."""
    quiet = [each for each in findings if each.grade is Grade.NO_LEAK_FOUND and each.detectable is not None]
    return max(quiet, key=lambda finding: finding.detectable or 0.0, default=None)


def _rounded(number: int) -> int:
    """Round up to two digits, because more would promise too much."""
    scale = int(10 ** max(len(str(number)) - 2, 0))
    return ceil(number / scale) * scale


def measure_changes(basis: Basis) -> Advice:
    """Have all changes measured, where a release leaks and no rule says which of them would help."""
    said = "Measure what fewer rows, coarser columns and another generator would remove, before anything is released."
    why = "No column, group, person or copied row was found that carries the leak by itself."
    return Advice(AdviceRule.MEASURE_CHANGES, said, basis.names.whatif(), why)


RULES: tuple[Callable[[Basis], Advice | None], ...] = (
    no_outsiders,
    identifiers,
    row_order,
    copied_rows,
    attribute_keys,
    fewer_rows,
    small_groups,
    exposed_people,
    more_outsiders,
)
"""In the order in which their lines are shown."""


def advise(basis: Basis) -> tuple[Advice, ...]:
    """Give the lines that follow from what was found; a release that leaks has one that names a change."""
    lines = tuple(advice for rule in RULES if (advice := rule(basis)) is not None)
    if basis.evidence.verdict.grade.is_leak and all(each.rule is AdviceRule.MORE_OUTSIDERS for each in lines):
        return (measure_changes(basis), *lines)
    return lines
