"""Schema files, in TOML and as SDV metadata, edited: understood and written again without loss, or one sentence."""

import json
import tomllib
from pathlib import Path
from typing import Any

import seethrough as st
from fuzz.case import Broken, Case, Ending
from fuzz.judging import expect_sentence
from fuzz.material.edits import as_toml, edit, places
from fuzz.material.tables import as_frame, draw_population, draw_size
from fuzz.targets.damaged_files import SDV, people
from seethrough.data.schema_files import schema_from_toml, schema_to_toml
from seethrough.data.toml_text import toml_key
from seethrough.errors import SeethroughError

EDITS = (0, 1, 1, 2, 4)


def prepare(_session: Path) -> None:
    """Nothing is shared."""


def play(case: Case) -> Ending:
    """Edit a schema, read a table with it, and write what came of it."""
    frame = people()
    if case.chance(0.5):
        population = draw_population(case)
        frame = as_frame(case, population.rows(draw_size(case)), "polars")
    kind = case.pick(("TOML", "TOML", "SDV"))
    path = case.folder / ("schema.toml" if kind == "TOML" else "metadata.json")
    try:
        path.write_text(_sdv(case) if kind == "SDV" else _toml(case, frame), encoding="utf-8")
        found = st.infer_schema(frame, schema=path)
        again = schema_from_toml(schema_to_toml(found), "again")
        if _meaning(st.infer_schema(frame, schema=again)) != _meaning(found):
            raise Broken("a schema that was written and read again is another")
        if case.chance(0.1):
            st.audit(frame, frame, checks=["ks"], schema=path, threads=1)
    except SeethroughError as error:
        expect_sentence(error)
        return Ending(type(error).__name__, kind, 1)
    return Ending("a result", kind, 1)


def _meaning(schema: st.Schema) -> list[Any]:
    return [
        (each.name, each.kind, each.role, each.levels, each.ordered, each.low, each.high) for each in schema.columns
    ]


def _sdv(case: Case) -> str:
    form = json.loads(json.dumps(SDV))
    _edit_some(case, form)
    return json.dumps(form)


def _toml(case: Case, frame: Any) -> str:
    """Edit the schema of a table."""
    form = tomllib.loads(schema_to_toml(st.infer_schema(frame)))
    _edit_some(case, form)
    columns = form.get("columns")
    lines = [f"format = {as_toml(form['format'])}"] if "format" in form else []
    for name, fields in columns.items() if isinstance(columns, dict) else ():
        lines.append(f"[columns.{toml_key(name)}]")
        if case.chance(0.1):
            lines.append(case.pick(MORE))
        lines += [f"{toml_key(key)} = {as_toml(value)}" for key, value in _items(fields)]
    return "\n".join(lines)


MORE = ('role = "secret"', 'role = "id"', 'kind = "date"', "range = [0, 1]", "edges = [0, 1, 2]", "whole = true")
MORE += (
    'levels = ["a"]',
    "ordered = true",
    "optional = true",
    'missing = ["-"]',
    'format = "%Y"',
    "range = [inf, nan]",
)
MORE += (
    'kind = "numeric"',
    "range = [1, 0]",
    "levels = []",
    'missing = [0, ""]',
    'format = "%Q"',
    "edges = [1e308, -1]",
)


def _items(fields: Any) -> Any:
    return fields.items() if isinstance(fields, dict) else [("kind", fields)]


def _edit_some(case: Case, form: Any) -> None:
    for _ in range(case.pick(EDITS)):
        there = list(places(form))
        if there:
            holder, key, _path = case.pick(there)
            edit(case, holder, key)
