"""Levers that are tried where none is named: some of every kind, and of columns those that a quick pass finds best.

Every column that is no secret could be coarsened or dropped, which is too much to try with all attacks. A quick pass
tries each of them with the attack that leads each family; the few with the largest leak removed per utility lost are
then measured like all other levers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from seethrough.auditing.evidence.assess import Arsenal
from seethrough.auditing.evidence.battery import quick
from seethrough.auditing.levers.coarsening import coarse_column
from seethrough.auditing.levers.grammar import (
    Coarsen,
    DropColumn,
    DropNearCopies,
    FewerFiles,
    FewerRows,
    Lever,
    OtherEpsilon,
    OtherGenerator,
    RegenerateWithout,
)
from seethrough.auditing.levers.leaks import StatedLeak, worst_leak
from seethrough.auditing.levers.run import compare_tried, try_lever
from seethrough.auditing.levers.situation import EPSILON, Situation, own_parameters
from seethrough.data.schema import Role
from seethrough.errors import ConfigError, SeethroughError
from seethrough.results.levers.what_if import LeverRow
from seethrough.results.timings import Progress, ShowProgress

SHARES = 0.5, 0.25, 0.1
EXPOSED = 0.01, 0.05
"""Shares of members without whom a release is made anew."""
EPSILONS = 1.0, 0.1
VALUES = 5, 2
"""Values of a column that are told apart."""
MOST_COLUMNS = 30
"""Columns that the quick pass tries; of more, the first so many."""
BEST = 6
"""Levers on columns that are measured after the quick pass."""
FEWEST_ROWS = 30
QUICK_PERMUTATIONS = 199


def usual_levers(situation: Situation) -> tuple[Lever, ...]:
    """List levers of all kinds but those on columns, as far as the release and its generator allow them."""
    return tuple(_usual(situation))


def _usual(situation: Situation) -> Iterator[Lever]:
    rows, files = len(situation.whole), len(situation.files)
    yield from (FewerRows(share=share) for share in SHARES if FewerRows(share=share).count(rows) >= FEWEST_ROWS)
    yield from (FewerFiles(count) for count in dict.fromkeys((files // 2, 1)) if 0 < count < files)
    yield DropNearCopies()
    own = situation.generators.own
    if own is not None:
        members = int(situation.trial.pool.member_people.sum())
        yield from (RegenerateWithout(max(1, round(share * members))) for share in EXPOSED)
        if EPSILON in own_parameters(own):
            yield from (OtherEpsilon(epsilon) for epsilon in EPSILONS if epsilon < _epsilon(own))
    yield from (OtherGenerator(label) for label in situation.generators.others)


def _epsilon(generator: object) -> float:
    value = getattr(generator, EPSILON, None)
    return float(value) if isinstance(value, int | float) else np.inf


def column_levers(situation: Situation) -> tuple[Lever, ...]:
    """List every way to coarsen or drop a column that is no secret."""
    return tuple(_on_columns(situation))


def _on_columns(situation: Situation) -> Iterator[Lever]:
    whole = situation.whole
    open_columns = [column for column in whole.schema.used if column.role is not Role.SECRET]
    for column in open_columns[:MOST_COLUMNS]:
        for count in VALUES:
            try:
                coarse_column(column, whole.column(column.name), count)
            except ConfigError:  # it has no more values than that
                continue
            yield Coarsen(column.name, count)
        if len(whole.schema.used) > 2:
            yield DropColumn(column.name)


def screen_levers(
    situation: Situation, levers: Sequence[Lever], baseline: LeverRow, progress: ShowProgress, best: int = BEST
) -> tuple[tuple[Lever, ...], tuple[str, ...]]:
    """Give the levers that a quick pass finds best, in the order in which they came, and the lines of the others."""
    if len(levers) <= best:
        return tuple(levers), ()
    quickly = _quickly(situation)
    tried, kept = [], []
    for done, lever in enumerate(levers):
        progress(Progress(done, len(levers), f"quick pass: {lever}"))
        try:
            tried.append(try_lever(lever, quickly, baseline))
            kept.append(lever)
        except SeethroughError:
            continue
    rows = compare_tried(tried, quickly)
    order = sorted(range(len(rows)), key=lambda place: -(rows[place].per_utility or 0.0))[:best]
    chosen = tuple(kept[place] for place in sorted(order))
    return chosen, tuple(str(lever) for lever in levers if lever not in chosen)


def _quickly(situation: Situation) -> Situation:
    """Give the same situation with the attacks that lead, and few permutations."""
    trial = situation.trial
    rules = replace(trial.rules, permutations=min(trial.rules.permutations, QUICK_PERMUTATIONS))
    trial = replace(trial, arsenal=leading_arsenal(trial.arsenal, situation.leaks), rules=rules)
    leaks = trial.leaks(situation.whole)
    return replace(situation, trial=trial, leaks=leaks) if worst_leak(leaks, situation.family) else situation


def leading_arsenal(arsenal: Arsenal, leaks: Sequence[StatedLeak]) -> Arsenal:
    """Keep the attack that leads each family, a quick one where a secret is guessed by a slow one."""
    names = {leak.attack for leak in leaks}
    ratings = tuple(rating for rating in arsenal.ratings if rating.name in names)
    fast = tuple(quick(arsenal.attacks))
    named = tuple(each for each in fast if any(name.startswith(f"{each.name} (") for name in names))
    # Look-ups come with any attack on a secret.
    return replace(arsenal, ratings=ratings, attacks=named or fast[:1], is_supervised=False)
