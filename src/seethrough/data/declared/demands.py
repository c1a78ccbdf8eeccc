"""What a schema has to declare before anything may be released with a privacy guarantee."""

from collections.abc import Mapping

from seethrough.data.files.sources import Source
from seethrough.data.schema import Column, Kind, Schema, list_names
from seethrough.errors import ConfigError, SchemaMismatch

_NAMED = 6
"""So many columns are named; more would hide the advice."""
_NEEDS = {
    "column": 'declare, or give role = "ignore" to,',
    "kind": "declare kind, and levels or range, of",
    "levels": "declare levels of",
    "range": "declare range of",
}


def demand_declared(source: Source, schema: Schema | None, generator: str) -> Schema:
    """Give the schema back where it declares every column of a table; refuse with what to declare otherwise."""
    declared = schema or Schema(())
    known = {column.name: column for column in declared.columns}
    for column in declared.used:
        if column.name not in source.dtypes:
            raise SchemaMismatch(f"{source.name} has no column {column.name!r}, which the schema declares")
    needs = [told for need in _NEEDS if (told := _listed(need, source, known))]
    if needs:
        raise ConfigError(
            f"{generator} has a privacy guarantee, so what a release may hold comes from a schema and not from the "
            f"records of {source.name}: {'; '.join(needs)}. `seethrough schema` writes a schema to start from; keep in "
            "it what was known before anybody saw the records, and pass it as the schema"
        )
    if not declared.used:
        raise ConfigError(f"the schema uses no column of {source.name}: all are identifiers or ignored")
    return declared


def _need(column: Column | None) -> str:
    """Say what a column needs; nothing where it is declared, or is not used."""
    if column is None:
        return "column"
    if not column.is_used:
        return ""
    if column.kind is Kind.INFERRED:
        return "kind"
    if column.kind.has_levels:
        return "" if column.declared and column.levels else "levels"
    return "" if column.declared and column.low is not None and column.high is not None else "range"


def _listed(need: str, source: Source, known: Mapping[str, Column]) -> str:
    """Name the columns that have a need; nothing where there is none."""
    names = [name for name in source.dtypes if _need(known.get(name)) == need]
    return f"{_NEEDS[need]} {list_names(names, _NAMED)}" if names else ""
