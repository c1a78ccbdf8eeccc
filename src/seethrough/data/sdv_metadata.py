"""SDV metadata as a schema: versions SINGLE_TABLE_V1, V1, SINGLE_TABLE_V2 and V2."""

from collections.abc import Mapping

from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.errors import ConfigError

_VERSIONS = ("SINGLE_TABLE_V1", "V1", "SINGLE_TABLE_V2", "V2")
_KINDS = {
    "numerical": Kind.NUMERIC,
    "categorical": Kind.CATEGORICAL,
    "boolean": Kind.BINARY,
    "datetime": Kind.DATE,
}


def schema_from_sdv(metadata: object, file: str) -> Schema:
    """Read metadata of one table; `file` names it in messages."""
    if not isinstance(metadata, dict):
        raise ConfigError(f"{file} is not SDV metadata: a JSON object is expected")
    version = metadata.get("METADATA_SPEC_VERSION", "nothing")
    if version not in _VERSIONS:
        raise ConfigError(f"{file} says METADATA_SPEC_VERSION {version!r}; one of {', '.join(_VERSIONS)} is expected")
    table = _only_table(metadata, file)
    columns = table.get("columns")
    if not isinstance(columns, dict) or not columns:
        raise ConfigError(f"{file} describes no columns")
    keys = table.get("primary_key")
    identifiers = keys if isinstance(keys, list) else [keys]
    return Schema(
        tuple(_column(name, each, name in identifiers, f"{file}: column {name!r}") for name, each in columns.items())
    )


def _only_table(metadata: Mapping[str, object], file: str) -> Mapping[str, object]:
    if "tables" not in metadata:
        return metadata
    tables = metadata["tables"]
    if not isinstance(tables, dict) or len(tables) != 1:
        found = f"{len(tables)} tables ({', '.join(tables)})" if isinstance(tables, dict) else "no tables"
        raise ConfigError(f"{file} describes {found}; exactly one is expected")
    (table,) = tables.values()
    if not isinstance(table, dict):
        raise ConfigError(f"{file} describes a table as {table!r}; an object with columns is expected")
    return table


def _column(name: str, fields: object, is_primary_key: bool, where: str) -> Column:
    if not isinstance(fields, dict) or not isinstance(fields.get("sdtype"), str):
        raise ConfigError(f"{where} has no sdtype; numerical, categorical, boolean, datetime or id is expected")
    sdtype: str = fields["sdtype"]
    kind = _KINDS.get(sdtype, Kind.CATEGORICAL)
    if is_primary_key or sdtype == "id":
        return Column(name, kind, Role.ID, reason="SDV metadata: identifier, left out")
    if sdtype not in _KINDS and fields.get("pii", True):
        return Column(name, kind, Role.ID, reason=f"SDV metadata: personal information ({sdtype}), left out")
    return _described(Column(name, kind, reason=f"SDV metadata: {sdtype}"), fields, where)


def _described(column: Column, fields: Mapping[str, object], where: str) -> Column:
    """Add levels, range or format, as far as the metadata gives them."""
    order, form = fields.get("order"), fields.get("datetime_format")
    is_ordered = isinstance(order, list) and column.kind.has_levels
    ends = (fields.get("range_min"), fields.get("range_max"))
    low, high = (_number(end, where) if column.kind is Kind.NUMERIC else None for end in ends)
    return Column(
        column.name,
        column.kind,
        levels=tuple(map(str, order)) if isinstance(order, list) and is_ordered else (),
        ordered=is_ordered,
        low=low,
        high=high,
        format=form if isinstance(form, str) and column.kind is Kind.DATE else None,
        reason=column.reason,
    )


def _number(value: object, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{where} has an end of its range {value!r}; a number is expected")
    return float(value)
