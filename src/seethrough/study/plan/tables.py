"""Tables of a plan: read once, and known by what they hold."""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

from seethrough.data import samples
from seethrough.data.files.sources import Source, open_source
from seethrough.data.reading.release_tables import read_release
from seethrough.data.schema import Column, Kind, Role, Schema, list_names
from seethrough.data.schema_files import read_schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, no_such, suggest_names
from seethrough.study.cells.packed_tables import describe_column
from seethrough.study.cells.release_parts import PARTS, join_parts
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
    if source.file is not None and source.file.is_dir():
        return _load_release(source, source.file)
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


def _load_release(source: DataSource, folder: Path) -> Loaded:
    """Read a folder with members, people outside and released rows under one schema, as one table."""
    with at(source.where):
        members, outside, synthetic = (_file_of(folder, part) for part in PARTS)
        opened = _opened(replace(source, file=members))
        found = read_release(
            (opened.name, opened.frame),
            [synthetic],
            outside,
            schema=_declared(source, opened),
            secrets=(source.secret,) if source.secret else (),
            keys=source.keys,
        )
        if found.holdout is None:
            raise ConfigError(f"{outside} has no rows")
        table = join_parts((found.train.table, found.holdout.table, found.synthetic[0].table))
    return Loaded(source.name, identity(table), table, (*opened.notes, *found.train.notes))


def _file_of(folder: Path, part: str) -> Path:
    there = sorted(each for each in folder.iterdir() if each.name.partition(".")[0] == part)
    if len(there) != 1:
        asked = f"one file {part}.csv, {part}.parquet or the like is expected in {folder}"
        raise ConfigError(f"{asked}; there are {', '.join(each.name for each in there) or 'none'}")
    return there[0]


def _opened(source: DataSource) -> Source:
    if source.file is not None and source.sample:
        raise ConfigError("both file and sample are named; one of them is expected")
    if source.sample and source.sample not in SAMPLES:
        raise no_such("sample", source.sample, SAMPLES, f"there is {', '.join(SAMPLES)}")
    opened = open_source(source.file or SAMPLES[source.sample](), f"sample {source.sample}")
    categorical = source.categorical if isinstance(source.categorical, tuple) else ()
    named = {"secret": (source.secret,), "keys": source.keys, "ignore": source.ignore, "categorical": categorical}
    for key, names in named.items():
        for name in filter(None, names):
            if name not in opened.dtypes:
                hint = suggest_names(name, opened.dtypes, f"it has {list_names(opened.dtypes)}")
                raise ConfigError(f"{key} names column {name!r}, which is missing in {opened.name}; {hint}")
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
    told = [describe_column(column) for column in table.schema.used]
    return hashlib.sha256(f"{table.digest} {json.dumps(told, sort_keys=True)}".encode()).hexdigest()[:16]
