"""Results as a data frame: one row for each cell, from the store alone."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from seethrough.errors import StoreError
from seethrough.study.plan.plan import game_rows
from seethrough.study.store.store import Store

_PLACES = (
    *("kind", "data", "synthesizer", "size", "number", "what", "name"),
    *("status", "value", "error", "seconds", "result"),
)
SCHEMA: Mapping[str, Any] = {
    "kind": pl.String,
    "data": pl.String,
    "synthesizer": pl.String,
    "size": pl.Int64,
    "number": pl.Int64,
    "what": pl.String,
    "name": pl.String,
    "status": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "raw": pl.Float64,
    "n": pl.Int64,
    "base_rate": pl.Float64,
    "mre": pl.Float64,
    "tvd": pl.Float64,
    "any_exact": pl.Float64,
    "all_exact": pl.Float64,
    "right": pl.Float64,
    "narrow_right": pl.Float64,
    "confused": pl.Float64,
    "width": pl.Float64,
    "truth": pl.List(pl.Int64),
    "guess": pl.List(pl.Int64),
    "scores": pl.List(pl.List(pl.Float64)),
    "attack_seconds": pl.Float64,
    "error": pl.String,
    "seconds": pl.Float64,
}
"""Columns of the frame; what a kind of cell does not have is null."""


@dataclass(frozen=True, eq=False)
class Results:
    """The cells of one study that a store has, and what the study says about itself."""

    name: str
    form: str
    title: str
    source: str
    seed: int
    figures: tuple[str, ...]
    cells: pl.DataFrame
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """How many rows the tables of games have, n, by the name of the data."""


def load(path: str | Path, name: str, form: str | None = None) -> Results:
    """Load what a store has of a study; without a form, the only one there is, or the full one."""
    with Store.read(Path(path)) as store:
        number, form = _found(store, name, form)
        query = "SELECT title, source, seed, figures, plan FROM study WHERE id = ?"
        title, source, seed, figures, text = store.rows(query, number)[0]
        cells, named = _frame(store, number), tuple(json.loads(figures))
        return Results(name, form, title, source, seed, named, cells, game_rows(text, form))


def _found(store: Store, name: str, form: str | None) -> tuple[int, str]:
    there = store.rows("SELECT id, form FROM study WHERE name = ? ORDER BY form", name)
    fitting = [each for each in there if form in {None, each[1]}]
    if not fitting:
        names = ", ".join(f"{each[0]} ({each[1]})" for each in store.rows("SELECT name, form FROM study ORDER BY name"))
        asked = f"{name} ({form})" if form else name
        raise StoreError(f"{store.path} has no study {asked}; it has {names or 'none'}")
    return int(fitting[0][0]), str(fitting[0][1])


def _frame(store: Store, number: int) -> pl.DataFrame:
    query = """
        SELECT p.kind, p.data, p.synthesizer, p.size, p.number, p.what, p.name, c.status, c.value, c.error, c.seconds,
            c.result
        FROM place p LEFT JOIN cell c ON c.key = p.key WHERE p.study = ? ORDER BY p.position
    """
    rows = [_row(dict(zip(_PLACES, row, strict=True))) for row in store.rows(query, number)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _row(found: dict[str, Any]) -> dict[str, Any]:
    told = json.loads(found.pop("result") or "{}")
    if "seconds" in told:
        told["attack_seconds"] = told.pop("seconds")
    own = {key: value for key, value in told.items() if key in SCHEMA}
    status = found["status"] or "missing"
    return {**dict.fromkeys(SCHEMA), **own, **found, "status": status}
