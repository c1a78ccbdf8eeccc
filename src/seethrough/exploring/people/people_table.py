"""The table of real people: sorted, filtered, a page at a time; and what attacks have in common."""

from itertools import combinations

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError, no_such
from seethrough.exploring.answers.tables import PAGE, AttackOverlap, PeoplePage, PeopleQuestion, PersonRow
from seethrough.exploring.guessing.secret_values import SecretValues
from seethrough.exploring.people.risk_table import RiskTable
from seethrough.exploring.values import ValueTexts
from seethrough.kernels.arrays import Bools, Floats, Ints


def people_page(risks: RiskTable, texts: ValueTexts, asked: PeopleQuestion, group: SecretValues | None) -> PeoplePage:
    """Give one page of people; `group` has the levels of the column that people are filtered by."""
    real = texts.release.train.table
    found = np.flatnonzero(_fitting(risks, real, asked, group))
    ordered = found[_order(_sort_key(risks, real, asked.sort)[found], descending=asked.descending)]
    pages = max(1, -(-len(found) // PAGE))
    if not 0 <= asked.page < pages:
        raise ConfigError(f"there is no page {asked.page + 1:,}; there are {pages:,}")
    shown = ordered[asked.page * PAGE : (asked.page + 1) * PAGE]
    listed, false_share = _listed(risks)
    return PeoplePage(
        rows=tuple(_row(risks, texts, real, int(row)) for row in shown),
        found=len(found),
        page=asked.page,
        pages=pages,
        checks=tuple(risks.risks),
        listed=listed,
        false_share=false_share,
    )


def _row(risks: RiskTable, texts: ValueTexts, real: Table, row: int) -> PersonRow:
    values = {name: float(each[row]) for name, each in risks.risks.items()}
    return PersonRow(
        row,
        int(risks.flags[row]),
        tuple(name for name, flagged in risks.flagged.items() if flagged[row]),
        {name: None if np.isnan(value) else value for name, value in values.items()},
        texts.cells(real, row),
    )


def _fitting(risks: RiskTable, real: Table, asked: PeopleQuestion, group: SecretValues | None) -> Bools:
    """Tell who of the people attacked fits the filters."""
    fits = risks.was_attacked & (risks.flags >= asked.fewest_flags)
    if asked.check:
        if asked.check not in risks.flagged:
            raise no_such("check that flags people", asked.check, list(risks.flagged))
        fits &= risks.flagged[asked.check]
    if group is not None and asked.level is not None:
        if not 0 <= asked.level < len(group):
            raise ConfigError(f"column {group.column.name} has no level number {asked.level}")
        fits &= group.classes_of(real.column(group.column.name)) == asked.level
    return np.asarray(fits)


def _sort_key(risks: RiskTable, real: Table, sort: str) -> Floats:
    """Give what people are sorted by; what is not known is NaN."""
    if sort == "row":
        return np.arange(risks.people, dtype=np.float64)
    if sort == "flags":
        return risks.flags.astype(np.float64)
    if sort in risks.risks:
        return risks.risks[sort]
    names = [column.name for column in real.schema.used]
    if sort not in names:
        raise no_such("check or column", sort, [*risks.risks, *names])
    values = real.column(sort)
    if not real.schema[sort].kind.has_levels:
        return values.astype(np.float64)
    return np.where(values == 0, np.nan, values.astype(np.float64))


def _order(keys: Floats, *, descending: bool) -> Ints:
    """Order by keys, ties by row; those without a key come last either way."""
    return np.argsort(np.where(np.isnan(keys), np.inf, -keys if descending else keys), kind="stable")


def _listed(risks: RiskTable) -> tuple[int | None, float | None]:
    """Count who is on the calibrated list of exposed people, and how many of them by chance at most."""
    evidence = risks.table.evidence
    if evidence is None or not evidence.people:
        return None, None
    return len({person.row for person in evidence.people}), evidence.false_discovery_rate


def attack_overlaps(risks: RiskTable) -> tuple[AttackOverlap, ...]:
    """Count for each two attacks whom both flag, of the people whom both were asked about."""
    found = []
    for first, second in combinations(risks.attacks, 2):
        asked = ~(np.isnan(risks.risks[first]) | np.isnan(risks.risks[second]))
        mine, others = risks.flagged[first] & asked, risks.flagged[second] & asked
        people, one, two = (int(each.sum()) for each in (asked, mine, others))
        both = int((mine & others).sum())
        found.append(AttackOverlap(first, second, both, one * two / people if people else 0.0, one, two, people))
    return tuple(sorted(found, key=lambda each: -abs(each.both - each.by_chance)))
