"""A release that comes as three tables: members, people outside and released rows under one schema, as one table."""

from dataclasses import replace

import numpy as np

from seethrough.data.rows import stack_tables
from seethrough.data.schema import Column, Kind
from seethrough.data.table import Table
from seethrough.errors import ConfigError

PARTS = "members", "outside", "synthetic"
"""The tables of a release, as their files are called."""
PART = "which table"
"""The column that says which of them a row is from."""


def join_parts(tables: tuple[Table, Table, Table]) -> Table:
    """Put the tables under each other, with a column that says which one a row is from."""
    whole = stack_tables(tables)
    column = Column(PART, Kind.CATEGORICAL, levels=PARTS)
    codes = np.repeat(np.arange(1, len(PARTS) + 1, dtype=np.uint8), [len(table) for table in tables])
    schema = replace(whole.schema, columns=(*whole.schema.used, column))
    return Table(schema, (*whole.columns, codes))


def take_parts(table: Table) -> tuple[Table, Table, Table]:
    """Take the tables apart again."""
    names = [column.name for column in table.schema.used]
    if PART not in names:
        raise ConfigError(f"a folder with the files {', '.join(PARTS)} is expected")
    codes, rest = table.column(PART), table.project([name for name in names if name != PART])
    members, outside, released = (rest.take(np.flatnonzero(codes == code)) for code in (1, 2, 3))
    return members, outside, released
