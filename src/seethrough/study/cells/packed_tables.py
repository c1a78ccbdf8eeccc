"""Tables as bytes without pickle: arrays without objects, the schema as JSON."""

import io
import json
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table


def pack(table: Table) -> bytes:
    """Write a table as bytes."""
    page = io.BytesIO()
    told = json.dumps([describe_column(column) for column in table.schema.used]).encode()
    arrays = {f"column {number}": values for number, values in enumerate(table.columns)}
    np.savez(page, schema=np.frombuffer(told, np.uint8), **arrays)  # type: ignore[arg-type]
    return page.getvalue()


def unpack(packed: bytes) -> Table:
    """Read a table from bytes."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as found:
        columns = [_read_column(each) for each in json.loads(found["schema"].tobytes())]
        return Table(Schema(tuple(columns)), tuple(found[f"column {number}"] for number in range(len(columns))))


def describe_column(column: Column) -> dict[str, Any]:
    """Give all that the schema says of a column as plain values, without the reason for it."""
    return {**asdict(column), "kind": column.kind.value, "role": column.role.value, "reason": ""}


def _read_column(told: dict[str, Any]) -> Column:
    lists = {field.name: tuple(told[field.name]) for field in fields(Column) if isinstance(told[field.name], list)}
    return Column(**{**told, **lists, "kind": Kind(told["kind"]), "role": Role(told["role"])})
