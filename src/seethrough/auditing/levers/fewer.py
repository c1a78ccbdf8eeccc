"""How many fewer rows, or files, would do: the leak of ever smaller parts of a release.

The number is halved until the worst grade is below clear. Parts are random by the seed, each within the one before, and
the attacks are those that are quick; `seethrough whatif` measures the number found with all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules
from seethrough.auditing.evidence.battery import quick
from seethrough.auditing.levers.leaks import worst_leak
from seethrough.auditing.levers.trial import Trial, make_trial
from seethrough.data.release import Release
from seethrough.data.rows import by_content, stack_tables
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade
from seethrough.results.levers.less import FewerNeeded
from seethrough.seeds import stream

FEWEST_ROWS = 30
"""Rows below which a release is of no use to anybody, and nothing is tried."""


def fewer_rows(release: Release, arsenal: Arsenal, rules: EvidenceRules, budget: Budget) -> FewerNeeded | None:
    """Halve the rows until the grade is below clear; None without people outside to tell by."""
    if release.holdout is None:
        return None
    trial = make_trial(release, quick_arsenal(arsenal), rules, budget)
    whole = stack_tables([named.table for named in release.synthetic])
    return _first_that_does("rows", len(whole), _halves(whole, rules.seed), trial)


def fewer_files(release: Release, arsenal: Arsenal, rules: EvidenceRules, budget: Budget) -> FewerNeeded | None:
    """Leave out the last half of the files until the grade is below clear; None for one file."""
    if release.holdout is None or len(release.synthetic) < 2:
        return None
    trial = make_trial(release, quick_arsenal(arsenal), rules, budget)
    files = [named.table for named in release.synthetic]
    return _first_that_does("files", len(files), _first_files(files), trial)


def quick_arsenal(arsenal: Arsenal) -> Arsenal:
    """Keep ratings and those attacks on secrets that are quick."""
    return replace(arsenal, attacks=tuple(quick(arsenal.attacks)), is_supervised=False)


def random_rows(table: Table, count: int, seed: int, draw: int = 0) -> Table:
    """Draw so many rows by the seed, whatever their order; fewer of the same draw are among more."""
    name = "rows kept" if not draw else f"rows kept, draw {draw}"
    order = by_content(table)[stream(seed, name).permutation(len(table))]
    return table.take(order[:count])


def _halves(whole: Table, seed: int) -> Iterator[tuple[int, Table]]:
    count = len(whole) // 2
    while count >= FEWEST_ROWS:
        yield count, random_rows(whole, count, seed)
        count //= 2


def _first_files(files: Sequence[Table]) -> Iterator[tuple[int, Table]]:
    count = len(files) // 2
    while count:
        yield count, stack_tables(files[:count])
        count //= 2


def _first_that_does(unit: str, released: int, smaller: Iterator[tuple[int, Table]], trial: Trial) -> FewerNeeded:
    tried: list[tuple[int, float, Grade]] = []
    for count, table in smaller:
        worst = worst_leak(trial.leaks(table))
        if worst is None:
            break
        tried.append((count, worst.leak.value, worst.grade))
        if worst.grade < Grade.CLEAR:
            return FewerNeeded(unit, count, released, tuple(tried))
    return FewerNeeded(unit, None, released, tuple(tried))
