"""Schemas as files: our TOML form in and out, SDV metadata in.

The TOML form has `format = 1` and one table per column, such as `[columns.sex]`, with the keys kind, role, levels,
ordered, range, edges, whole, decimals, optional, missing and format; what is left out, the real table decides.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from seethrough.data.files.json_files import parse_json
from seethrough.data.files.toml_files import parse_toml
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.sdv_metadata import schema_from_sdv
from seethrough.data.toml_text import toml_key, toml_value
from seethrough.errors import ConfigError, suggest_names
from seethrough.text.printable import json_text

FORMAT = 1
"""Grows whenever a reader of the TOML form has to change."""

_KEYS = ("kind", "role", "levels", "ordered", "range", "edges", "whole", "decimals", "optional", "missing", "format")
MOST_DECIMALS = 15
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = 86_400.0
T = TypeVar("T")


def read_schema(path: str | Path) -> Schema:
    """Read a schema from TOML, or from SDV metadata where the file is JSON."""
    path = Path(path)
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a schema: a TOML file in UTF-8 is expected") from error
    if path.suffix.lower() == ".json" or content.lstrip().startswith("{"):
        return _read_sdv(content, path.name)
    return schema_from_toml(content, path.name)


def _read_sdv(content: str, file: str) -> Schema:
    return schema_from_sdv(parse_json(content, file), file)


def schema_from_toml(content: str, file: str) -> Schema:
    """Read the TOML form; `file` names it in messages."""
    found = parse_toml(content, file)
    if found.get("format") != FORMAT:
        raise ConfigError(f"{file} says format {found.get('format', 'nothing')!r}; format = {FORMAT} is expected")
    if strange := sorted(found.keys() - {"format", "columns"}):
        hint = suggest_names(strange[0], ("format", "columns"), "format and columns are expected")
        raise ConfigError(f"{file} has an unknown key {strange[0]!r}; {hint}")
    columns = found.get("columns")
    if not isinstance(columns, dict) or not columns:
        raise ConfigError(f"{file} declares no columns; a table such as [columns.age] is expected")
    return Schema(tuple(_column(name, fields, f"{file}: column {name!r}") for name, fields in columns.items()))


def _column(name: str, fields: object, where: str) -> Column:
    if not isinstance(fields, dict):
        raise ConfigError(f"{where} is {fields!r}; a table with a kind is expected")
    if strange := sorted(fields.keys() - set(_KEYS)):
        hint = suggest_names(strange[0], _KEYS, f"{', '.join(_KEYS)} are expected")
        raise ConfigError(f"{where} has an unknown key {strange[0]!r}; {hint}")
    role = _role(fields, where)
    kind = _kind(fields, role, where)
    _refuse_misplaced(fields, kind, where)
    edges = _edges(fields, where)
    low, high = (edges[0], edges[-1]) if edges and "range" not in fields else _range(fields, where)
    return Column(
        name,
        kind,
        role,
        levels=_texts(fields, "levels", where),
        ordered=_typed(fields, "ordered", bool, False, where),
        low=low,
        high=high,
        missing=_texts(fields, "missing", where),
        format=_typed(fields, "format", str, "", where) or None,
        declared=bool(fields.keys() & {"levels", "range", "edges"}),
        optional=_typed(fields, "optional", bool, False, where),
        edges=edges,
        whole=_typed(fields, "whole", bool, False, where),
        decimals=_decimals(fields, where),
    )


def _kind(fields: Mapping[str, object], role: Role, where: str) -> Kind:
    if "kind" not in fields:
        return Kind.CATEGORICAL if role in {Role.ID, Role.IGNORE} else Kind.INFERRED
    try:
        return Kind(fields["kind"])
    except ValueError as error:
        known = [kind.value for kind in Kind]
        hint = suggest_names(str(fields["kind"]), known, f"one of {', '.join(known)} is expected")
        raise ConfigError(f"{where} has kind {fields['kind']!r}; {hint}") from error


def _role(fields: Mapping[str, object], where: str) -> Role:
    try:
        return Role(fields.get("role", ""))
    except ValueError as error:
        expected = ", ".join(role.value for role in Role if role.value)
        raise ConfigError(f"{where} has role {fields['role']!r}; one of {expected} is expected") from error


def _refuse_misplaced(fields: Mapping[str, object], kind: Kind, where: str) -> None:
    fitting = {"levels", "ordered"} if kind.has_levels else {"range", "edges", "whole"}
    fitting = set() if kind is Kind.INFERRED else fitting | ({"decimals"} if kind is Kind.NUMERIC else set())
    for key in fields.keys() - fitting - {"kind", "role", "missing", "optional"}:
        if key != "format" or kind is not Kind.DATE:
            raise ConfigError(f"{where} is {kind.value}, for which {key} has no meaning")


def _typed(fields: Mapping[str, object], key: str, wanted: type[T], default: T, where: str) -> T:
    value = fields.get(key, default)
    if not isinstance(value, wanted):
        raise ConfigError(f"{where} has {key} = {value!r}; a {wanted.__name__} is expected")
    return value


def _texts(fields: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    values = _typed(fields, key, list, [], where)
    if not all(isinstance(value, str | int | float) for value in values):
        raise ConfigError(f"{where} has {key} = {values!r}; a list of texts or numbers is expected")
    return tuple(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


def _range(fields: Mapping[str, object], where: str) -> tuple[float | None, float | None]:
    if "range" not in fields:
        return None, None
    ends = fields["range"]
    numbers = [_end(value) for value in ends] if isinstance(ends, list) else []
    match numbers:
        case [float(low), float(high)] if low <= high:
            return low, high
    raise ConfigError(f"{where} has range = {ends!r}; [low, high] is expected, two numbers or two dates")


def _edges(fields: Mapping[str, object], where: str) -> tuple[float, ...]:
    given = _typed(fields, "edges", list, [], where)
    edges = [end for value in given if (end := _end(value)) is not None]
    if len(edges) != len(given) or len(edges) == 1 or any(a >= b for a, b in pairwise(edges)):
        raise ConfigError(f"{where} has edges = {given!r}; at least two numbers or dates in rising order are expected")
    return tuple(edges)


def _decimals(fields: Mapping[str, object], where: str) -> int | None:
    found = fields.get("decimals")
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= MOST_DECIMALS:
        raise ConfigError(f"{where} has decimals = {found!r}; a whole number from 0 to {MOST_DECIMALS} is expected")
    return found


def _end(value: object) -> float | None:
    match value:
        case bool():
            return None
        case int() | float():
            return float(value) + 0.0
        case datetime():
            moment = value if value.tzinfo else value.replace(tzinfo=UTC)
            return (moment - _EPOCH).total_seconds() / _DAY
        case date():
            return float((value - _EPOCH.date()).days)
    return None


def schema_to_toml(schema: Schema) -> str:
    """Write the TOML form, with the reason for each column as a comment above it."""
    return "\n".join([f"format = {FORMAT}\n", *(_column_text(column) for column in schema.columns)])


def schema_to_json(schema: Schema) -> str:
    """Write the same as JSON, with the reasons as values."""
    columns = {column.name: _fields(column) | {"reason": column.reason} for column in schema.columns}
    return json_text({"format": FORMAT, "columns": columns})


def _fields(column: Column) -> dict[str, object]:
    fields: dict[str, object] = {"kind": column.kind.value}
    if column.role is not Role.NONE:
        fields["role"] = column.role.value
    if column.kind.has_levels:
        fields |= {"levels": column.levels} if column.levels else {}
        fields |= {"ordered": True} if column.ordered else {}
    elif column.low is not None and column.high is not None:
        fields["range"] = tuple(_written_end(end, column.kind) for end in (column.low, column.high))
        fields |= {"edges": tuple(_written_end(end, column.kind) for end in column.edges)} if column.edges else {}
        fields |= {"whole": True} if column.whole else {}
        fields |= {"decimals": column.decimals} if column.decimals is not None else {}
    fields |= {"optional": True} if column.optional else {}
    if column.missing:
        fields["missing"] = column.missing
    if column.format and column.kind is Kind.DATE:
        fields["format"] = column.format
    return fields


def _column_text(column: Column) -> str:
    comment = "".join(character if character.isprintable() else " " for character in column.reason)
    lines = [f"# {comment}"] if comment else []
    lines += [f"[columns.{toml_key(column.name)}]"]
    lines += [f"{key} = {toml_value(value)}" for key, value in _fields(column).items()]
    return "\n".join(lines) + "\n"


def _written_end(end: float, kind: Kind) -> object:
    """Write whole days of a date column as dates, all else as the number it is."""
    first, last = (date.min - _EPOCH.date()).days, (date.max - _EPOCH.date()).days
    if kind is Kind.DATE and end.is_integer() and first <= end <= last:
        return date.fromordinal(_EPOCH.date().toordinal() + int(end))
    return end
