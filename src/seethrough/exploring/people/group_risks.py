"""Groups of real people by the levels of a column: how many are flagged, and their mean risk by each attack."""

import numpy as np

from seethrough.auditing.diagnostics.exposure import mean_rate
from seethrough.data.table import Table
from seethrough.exploring.answers.tables import RiskGroup
from seethrough.exploring.guessing.secret_values import SecretValues
from seethrough.exploring.people.risk_table import RiskTable
from seethrough.kernels.arrays import Bools
from seethrough.results.card import Evidence

FEWEST = 30
"""People of a group that stands alone; smaller ones are put together."""


def risk_groups(risks: RiskTable, real: Table, levels: SecretValues) -> tuple[RiskGroup, ...]:
    """Part the people attacked by a column, the groups furthest from all of them first."""
    classes = levels.classes_of(real.column(levels.column.name))[risks.was_attacked]
    counts = np.bincount(classes, minlength=len(levels))
    alone = [int(level) for level in np.flatnonzero(counts >= FEWEST)]
    groups = [_group(risks, levels.labels[level], level, 1, classes == level) for level in alone]
    small = int(np.count_nonzero((counts > 0) & (counts < FEWEST)))
    rest = ~np.isin(classes, alone)
    if small == 1:
        [level] = np.flatnonzero((counts > 0) & (counts < FEWEST)).tolist()
        groups.append(_group(risks, levels.labels[level], level, 1, rest))
    elif small:
        groups.append(_group(risks, f"{small:,} small groups together", None, small, rest))
    return tuple(sorted(groups, key=lambda group: -abs(group.away)))


def _group(risks: RiskTable, label: str, level: int | None, merged: int, who: Bools) -> RiskGroup:
    flagged = risks.by_attacks[risks.was_attacked].astype(np.float64)
    mean = float(flagged.mean())
    attacks = [name for name in risks.risks if risks.cards[name].evidence is Evidence.ATTACK]
    found = {name: risks.risks[name][risks.was_attacked][who] for name in attacks}
    known = {name: each[~np.isnan(each)] for name, each in found.items()}
    return RiskGroup(
        label=label,
        level=level,
        merged=merged,
        people=int(who.sum()),
        flagged=mean_rate(flagged[who]),
        away=float(flagged[who].mean()) - mean,
        risks={name: mean_rate(each) for name, each in known.items() if len(each)},
    )
