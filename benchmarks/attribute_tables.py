"""Two real tables that attribute attacks are compared on, and releases of them: six known columns, seven or ten hidden.

The survey (ACS, ages in tens) is taken as it is. Of the census table (Adult) ages are cut at every five years, hours at
35, 40 and 50 with 40 apart, gains at 0 and 5,000, losses at 0. All columns are categories.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

import seethrough
from benchmarks.measuring import table
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.plugins import catalog
from seethrough.protocols.synthesizer import guarantee_of
from seethrough.seeds import stream

PEOPLE = 1_000
"""Members, people outside, and released rows."""
RELEASES = ("nonprivate", "baynet", "privbayes:epsilon=1", "indhist")
KEYS = {
    "ACS": ("AGEP", "SCHL", "MAR", "RELP", "SEX", "RAC1P"),
    "Adult": ("age", "sex", "race", "native-country", "education", "marital-status"),
}
HIDDEN = {
    "ACS": ("DIS", "ESP", "CIT", "MIG", "MIL", "ANC", "NATIVITY", "DEAR", "DEYE", "DREM"),
    "Adult": ("workclass", "occupation", "relationship", "income", "hours", "gain", "loss"),
}


@dataclass(frozen=True, eq=False)
class Draw:
    """Members, people outside, and a release made of the members alone."""

    members: Table
    outside: Table
    released: Table


def population(data: str) -> pl.DataFrame:
    """Read one of the two tables, all columns as texts."""
    names = [*KEYS[data], *HIDDEN[data]]
    if data == "ACS":
        return table("acs_recon_ma_2018.csv.gz").select(pl.format("v{}", pl.col(name)).alias(name) for name in names)
    frame = table("adult.csv.gz").with_columns(
        (pl.col("age") // 5).alias("age"),
        pl.sum_horizontal(pl.col("hours-per-week") > edge for edge in (34, 39, 40, 49)).alias("hours"),
        pl.sum_horizontal(pl.col("capital-gain") > edge for edge in (0, 4999)).alias("gain"),
        (pl.col("capital-loss") > 0).cast(pl.Int8).alias("loss"),
    )
    return frame.select(pl.format("v{}", pl.col(name)).alias(name) for name in names)


def schema_of(data: str, frame: pl.DataFrame) -> Schema:
    """Declare every column a category, with the levels of the whole table."""
    return Schema(
        tuple(
            Column(
                name,
                Kind.CATEGORICAL,
                Role.KEY if name in KEYS[data] else Role.SECRET,
                levels=tuple(frame[name].unique().sort().to_list()),
            )
            for name in frame.columns
        )
    )


def encode(frame: pl.DataFrame, schema: Schema) -> Table:
    """Put codes in the place of levels."""
    columns = []
    for column in schema.used:
        codes = {level: code for code, level in enumerate(column.levels, 1)}
        columns.append(np.array([codes[value] for value in frame[column.name].to_list()], np.uint8))
    return Table(schema, tuple(columns))


def _declared(release: str, given: pl.DataFrame) -> Schema | None:
    """Declare what the people have, for generators with a guarantee: nothing here is released."""
    ((_, maker),) = catalog.named_synthesizers([release]).items()
    if not guarantee_of(maker):
        return None
    return Schema(tuple(replace(column, declared=True) for column in seethrough.infer_schema(given).columns))


def draws(data: str, release: str, count: int, *, people: int = PEOPLE, as_numbers: bool = False) -> Iterator[Draw]:
    """Draw fresh people and make a release of them, so many times.

    With `as_numbers`, for ACS alone, the generator is given codes as they stand in the file, and reads those of many
    levels as numbers.
    """
    frame = population(data)
    schema = schema_of(data, frame)
    for seed in range(count):
        order = stream(seed, f"people of {data}").permutation(len(frame))
        members, outside = frame[order[:people]], frame[order[people : 2 * people]]
        given = members.with_columns(pl.all().str.slice(1).cast(pl.Int64)) if as_numbers else members
        made = seethrough.synthesize(release, given, people, seed=seed, schema=_declared(release, given)).polars
        if as_numbers:
            made = made.select(pl.format("v{}", pl.col(name).cast(pl.Int64)).alias(name) for name in made.columns)
        yield Draw(encode(members, schema), encode(outside, schema), encode(made, schema))
