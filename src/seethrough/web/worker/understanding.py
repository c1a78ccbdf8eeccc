"""How columns are understood: what the real table says of each, what releases have of it, and why it was read so."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from seethrough.data.files.sources import Source
from seethrough.data.reading.columns import ColumnLevels, read_columns
from seethrough.data.reading.release_tables import infer_columns, settle_column
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.errors import DataError, SeethroughError
from seethrough.kernels.arrays import Floats
from seethrough.web.session.given_files import ColumnUnderstood
from seethrough.web.session.settings import Settings

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LEFT_OUT = "left out"
ABSENT = "not there"
Values = ColumnLevels | Floats


@dataclass(frozen=True, eq=False)
class UnderstoodTables:
    """The schema of the real table, complete, and its rows for the page of columns."""

    schema: Schema
    rows: tuple[ColumnUnderstood, ...]

    def with_columns(self, others: "UnderstoodTables") -> "UnderstoodTables":
        """Exchange columns for those that were read again."""
        columns = {column.name: column for column in others.schema.columns}
        rows = {row.name: row for row in others.rows}
        return UnderstoodTables(
            Schema(tuple(columns.get(each.name, each) for each in self.schema.columns)),
            tuple(rows.get(each.name, each) for each in self.rows),
        )


def declare_columns(given: Schema | None, settings: Settings, before: Schema | None, names: Collection[str]) -> Schema:
    """Join a schema that was given with kinds and roles that were changed since; other tables' columns are dropped."""
    known = {column.name: column for column in given.columns} if given else {}
    inferred = {column.name: column for column in before.columns} if before else {}
    for name in (*settings.kinds, *settings.roles):
        column = known.get(name, Column(name, Kind.INFERRED, inferred[name].role if name in inferred else Role.NONE))
        kind = Kind(settings.kinds.get(name, column.kind.value))
        if kind is not column.kind:
            column = Column(name, kind, column.role, reason="you said so")
        known[name] = replace(column, role=Role(settings.roles.get(name, column.role.value)))
    return Schema(tuple(column for name, column in known.items() if name in names))


def understand_tables(
    real: Source, releases: Sequence[Source], declared: Schema, settings: Settings, names: Collection[str] | None = None
) -> UnderstoodTables:
    """Read columns of the real table and of releases, all of them or those named."""
    wanted = [name for name in real.dtypes if names is None or name in names]
    source = _part(real, wanted)
    said = Schema(tuple(column for column in declared.columns if column.name in wanted))
    secrets, keys = ([name for name in each if name in wanted] for each in (settings.secrets, settings.keys))
    schema = infer_columns(source, said, (*secrets, *keys)).with_roles(secrets, keys)
    firm = {column.name for column in said.columns if column.kind is not Kind.INFERRED}
    values, problems = _read(source, schema.used)
    found = []
    for column in schema.columns:
        try:
            found.append(settle_column(column, values, real.name, firm) if column.name in values else column)
        except SeethroughError as error:
            problems[column.name] = str(error)
            found.append(column)
    complete = Schema(tuple(found))
    released = [_read_release(each, complete, problems) for each in releases]
    changed = {*settings.kinds, *settings.roles, *settings.secrets, *settings.keys}
    rows = tuple(
        replace(
            _row(column, values, released), problem=problems.get(column.name, ""), is_changed=column.name in changed
        )
        for column in complete.columns
    )
    return UnderstoodTables(complete, rows)


def _part(source: Source, names: Sequence[str]) -> Source:
    frame = source.frame.select(source.column(name) for name in names)
    return replace(source, frame=frame, dtypes={name: source.dtypes[name] for name in names})


def _read(source: Source, columns: Sequence[Column]) -> tuple[dict[str, Values], dict[str, str]]:
    """Read columns in one pass; where that fails, one by one, with a sentence for each that cannot be read."""
    try:
        return read_columns(source, columns, "the schema") if columns else {}, {}
    except DataError:
        values: dict[str, Values] = {}
        problems: dict[str, str] = {}
        for column in columns:
            try:
                values |= read_columns(_part(source, [column.name]), [column], "the schema")
            except DataError as error:
                problems[column.name] = str(error)
        return values, problems


def _read_release(source: Source, schema: Schema, problems: dict[str, str]) -> dict[str, Values]:
    there = [column for column in schema.used if column.name in source.dtypes and column.name not in problems]
    values, refused = _read(_part(source, [column.name for column in there]), there) if there else ({}, {})
    problems.update(refused)
    return values


def _row(column: Column, values: Mapping[str, Values], released: Sequence[Mapping[str, Values]]) -> ColumnUnderstood:
    mine = values.get(column.name)
    theirs = [each.get(column.name) for each in released]
    return ColumnUnderstood(
        column.name,
        column.kind.value,
        column.role.value,
        LEFT_OUT if mine is None else say_values(column, mine),
        "" if mine is None else say_released(column, mine, theirs),
        column.reason,
    )


def say_values(column: Column, values: Values) -> str:
    """Say what a column holds: its range or the number of its levels, and how many values are missing."""
    if isinstance(values, ColumnLevels):
        levels = len(column.levels)
        gaps = np.array([level is None for level in values.levels])
        return f"{levels:,} {'level' if levels == 1 else 'levels'}, {int(gaps[values.codes].sum()):,} missing"
    known = values[~np.isnan(values)]
    missing = f"{len(values) - len(known):,} missing"
    return f"{_range(column, known)}, {missing}" if len(known) else missing


def say_released(column: Column, mine: Values, theirs: Sequence[Values | None]) -> str:
    """Say how what releases have of a column differs from the real table."""
    if not theirs:
        return ""
    if any(each is None for each in theirs):
        return ABSENT
    if isinstance(mine, ColumnLevels):
        found = {level for each in theirs if isinstance(each, ColumnLevels) for level in each.present}
        return _compare_levels(set(column.levels), found)
    numbers = np.concatenate([np.asarray(each) for each in theirs if not isinstance(each, ColumnLevels)])
    return _compare_ranges(column, mine[~np.isnan(mine)], numbers[~np.isnan(numbers)])


def _compare_levels(ours: set[str], found: set[str]) -> str:
    unseen, absent = len(found - ours), len(ours - found)
    said = [f"{unseen:,} unseen {'level' if unseen == 1 else 'levels'}"] if unseen else []
    said += [f"{absent:,} {'level' if absent == 1 else 'levels'} missing"] if absent else []
    return ", ".join(said) or "same levels"


def _compare_ranges(column: Column, ours: Floats, found: Floats) -> str:
    if not len(found) or not len(ours):
        return "no values"
    if (ours.min(), ours.max()) == (found.min(), found.max()):
        return "same range"
    return _range(column, found)


def _range(column: Column, values: Floats) -> str:
    low, high = (_end(column, float(end)) for end in (values.min(), values.max()))
    return f"{low}–{high}"  # noqa: RUF001  a range is written so


def _end(column: Column, end: float) -> str:
    if column.kind is not Kind.DATE:
        return f"{end:,.0f}" if end == round(end) and abs(end) < 1e15 else f"{end:.6g}"
    try:
        return f"{_EPOCH + timedelta(days=end):%Y-%m-%d}"
    except OverflowError:
        return f"{end:.6g}"
