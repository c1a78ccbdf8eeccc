"""Whose row is it? A column that names people, where they have several rows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from seethrough.data.canonical import MISSING_TEXTS, canonical, present, text
from seethrough.data.files.sources import Source
from seethrough.data.schema import Column, Kind, Role, Schema, list_names
from seethrough.errors import ConfigError, DataError, suggest_names
from seethrough.kernels.arrays import Ints

REASON = "names people, who may have several rows; left out"


def person_numbers(sources: Sequence[Source], entity: str) -> list[Ints]:
    """Give people numbers from 0 on, in the order of their names, across all tables; one number for each row."""
    named = [_names(source, entity) for source in sources]
    everybody = pl.concat(named).unique().sort()
    return [
        np.asarray(everybody.search_sorted(names).to_numpy() if len(everybody) else [], np.int64) for names in named
    ]


def refuse_shared_people(real: tuple[str, Ints], outside: tuple[str, Ints]) -> None:
    """Refuse people outside who have rows in the real table."""
    (real_name, mine), (outside_name, others) = real, outside
    if shared := len(np.intersect1d(mine, others)):
        people = len(np.unique(others))
        raise DataError(
            f"{shared:,} of the {people:,} people of {outside_name} have rows in {real_name} too; people outside are "
            "people of whom no row was in the data"
        )


def with_entity(schema: Schema | None, entity: str, named: Sequence[str]) -> Schema:
    """Declare that a column names people, so that it is no attribute of theirs."""
    if entity in named:
        raise ConfigError(f"column {entity!r} names people, so it can be neither secret nor key")
    columns = schema.columns if schema else ()
    known = {column.name: column for column in columns}
    whose = replace(known.get(entity, Column(entity, Kind.CATEGORICAL)), role=Role.ID, reason=REASON)
    whose = replace(whose, kind=Kind.CATEGORICAL) if whose.kind is Kind.INFERRED else whose
    return Schema((*(column for column in columns if column.name != entity), whose))


def _names(source: Source, entity: str) -> pl.Series:
    if entity not in source.dtypes:
        hint = suggest_names(entity, source.dtypes, f"it has {list_names(source.dtypes)}")
        raise ConfigError(f"{source.name} has no column {entity!r} that names people; {hint}")
    names = canonical(present(text(source, entity), MISSING_TEXTS)).alias("name")
    found = source.collect(source.frame.select(names)).to_series()
    if empty := found.null_count():
        raise DataError(f"{source.name}: column {entity!r} names nobody in {empty:,} rows; every row needs a person")
    return found
