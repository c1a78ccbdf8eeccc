"""Everybody in the real table as a frame: flags and risks on each release, and the values."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from seethrough.data.table import Table
from seethrough.data.writing import as_frame
from seethrough.exploring.people.risk_table import RiskTable


def people_frame(tables: Iterable[tuple[str, RiskTable]], real: Table, *, values: bool) -> pl.DataFrame:
    """List real rows by number (1 is the first), once for each release; `tables` are releases by their name.

    Where people were drawn, those who were attacked are listed alone.
    A column of the table that is called as one of ours is, gets " (value)" after its name.
    """
    known = list(tables)
    risks = pl.concat([_risks(*each) for each in known], how="diagonal_relaxed")
    attacked = pl.Series(np.concatenate([table.was_attacked for _, table in known]))
    if not values:
        return risks.filter(attacked)
    own = as_frame(real)
    named = own.select(pl.Series(_free_name(name, risks.columns), own[name]) for name in own.columns)
    return pl.concat([risks, pl.concat([named] * (len(risks) // len(real)))], how="horizontal").filter(attacked)


def _risks(release: str, table: RiskTable) -> pl.DataFrame:
    checks = np.array(list(table.flagged), dtype=object)
    flagged = np.column_stack(list(table.flagged.values())) if len(checks) else np.zeros((table.people, 0), bool)
    return pl.DataFrame(
        [
            pl.Series("row", np.arange(1, table.people + 1, dtype=np.uint32)),
            pl.Series("synthetic", [release]).new_from_index(0, table.people),
            pl.Series("flags", table.flags),
            pl.Series("flagged_by", [", ".join(checks[row]) for row in flagged], dtype=pl.String),
            *(pl.Series(check, risks).fill_nan(None) for check, risks in table.risks.items()),
        ]
    )


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name = f"{name} (value)"
    return name
