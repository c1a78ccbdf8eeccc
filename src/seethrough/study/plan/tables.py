"""Tables of a plan: read once, known by what they hold, and packed for workers without pickle."""

import hashlib
import io
import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from seethrough.data import samples
from seethrough.data.files.sources import Source, open_source
from seethrough.data.reading.release_tables import read_release
from seethrough.data.schema import Column, Kind, Role, Schema, list_names
from seethrough.data.schema_files import read_schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.study.plan.plan import DataSource
from seethrough.study.reading.fields import at

SAMPLES = {"acs": samples.acs}
"""What `sample = "..."` stands for."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table that was read: its name in the plan, what identifies it, and what was remarked."""

    name: str
    digest: str
    table: Table
    notes: tuple[str, ...]


def load(source: DataSource) -> Loaded:
    """Read a table as the plan says."""
    with at(source.where):
        opened = _opened(source)
        # A release has a synthetic table; the first row of the same one stands in for it.
        found = read_release(
            (opened.name, opened.frame),
            [(opened.name, opened.frame.head(1))],
            schema=_declared(source, opened),
            secrets=(source.secret,) if source.secret else (),
            keys=source.keys,
        ).train
    return Loaded(source.name, identity(found.table), found.table, (*opened.notes, *found.notes))


def _opened(source: DataSource) -> Source:
    if source.file is not None and source.sample:
        raise ConfigError("both file and sample are named; one of them is expected")
    if source.sample and source.sample not in SAMPLES:
        raise ConfigError(f"there is no sample {source.sample!r}; there is {', '.join(SAMPLES)}")
    opened = open_source(source.file or SAMPLES[source.sample](), f"sample {source.sample}")
    categorical = source.categorical if isinstance(source.categorical, tuple) else ()
    named = {"secret": (source.secret,), "keys": source.keys, "ignore": source.ignore, "categorical": categorical}
    for key, names in named.items():
        for name in filter(None, names):
            if name not in opened.dtypes:
                there = list_names(opened.dtypes)
                raise ConfigError(f"{key} names column {name!r}, which {opened.name} has not; it has {there}")
    return opened


def _declared(source: DataSource, opened: Source) -> Schema | None:
    known = {column.name: column for column in read_schema(source.schema).columns} if source.schema else {}
    categories = opened.dtypes if source.categorical is True else source.categorical or ()
    for name in categories:
        known.setdefault(name, Column(name, Kind.CATEGORICAL))
    for name in source.ignore:
        known[name] = replace(known.get(name, Column(name, Kind.CATEGORICAL)), role=Role.IGNORE)
    return Schema(tuple(known.values())) if known else None


def identity(table: Table) -> str:
    """Identify a table by its content and by all that its schema says, without the reasons given for it."""
    told = [_column(column) for column in table.schema.used]
    return hashlib.sha256(f"{table.digest} {json.dumps(told, sort_keys=True)}".encode()).hexdigest()[:16]


def pack(table: Table) -> bytes:
    """Write a table as bytes: arrays without objects, the schema as JSON."""
    page = io.BytesIO()
    told = json.dumps([_column(column) for column in table.schema.used]).encode()
    arrays = {f"column {number}": values for number, values in enumerate(table.columns)}
    np.savez(page, schema=np.frombuffer(told, np.uint8), **arrays)  # type: ignore[arg-type]
    return page.getvalue()


def unpack(packed: bytes) -> Table:
    """Read a table from bytes."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as found:
        columns = [_read_column(each) for each in json.loads(found["schema"].tobytes())]
        return Table(Schema(tuple(columns)), tuple(found[f"column {number}"] for number in range(len(columns))))


def _column(column: Column) -> dict[str, Any]:
    return {**asdict(column), "kind": column.kind.value, "role": column.role.value, "reason": ""}


def _read_column(told: dict[str, Any]) -> Column:
    lists = {field.name: tuple(told[field.name]) for field in fields(Column) if isinstance(told[field.name], list)}
    return Column(**{**told, **lists, "kind": Kind(told["kind"]), "role": Role(told["role"])})
