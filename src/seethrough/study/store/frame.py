"""Results as a data frame: one row for each cell, from the store alone."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from seethrough.errors import ConfigError, StoreError, suggest_names
from seethrough.study.cells.results import Results
from seethrough.study.kinds.registry import study_kinds
from seethrough.study.plan.plan import parts_of
from seethrough.study.store.store import Store, parse_result

_PLACES = (
    *("kind", "data", "synthesizer", "size", "number", "what", "name"),
    *("status", "value", "error", "seconds", "result"),
)
_FIRST: Mapping[str, Any] = {
    "kind": pl.String,
    "data": pl.String,
    "synthesizer": pl.String,
    "size": pl.Int64,
    "number": pl.Int64,
    "what": pl.String,
    "name": pl.String,
    "status": pl.String,
    "value": pl.Float64,
}
_LAST: Mapping[str, Any] = {"error": pl.String, "seconds": pl.Float64}


def cell_columns() -> dict[str, Any]:
    """Give the columns of the frame with their types: those of every cell, and what the kinds add, else null."""
    found = dict(_FIRST)
    for kind in study_kinds().values():
        for name, dtype in kind.columns.items():
            if name in _LAST or found.setdefault(name, dtype) != dtype:
                raise ConfigError(f"the study kind {kind.name} has a column {name!r} of another type than others have")
    return {**found, **_LAST}


def load(path: str | Path, name: str, form: str | None = None) -> Results:
    """Load what a store has of a study; without a form, the only one there is, or the full one."""
    with Store.read(Path(path)) as store:
        number, form = _found(store, name, form)
        query = "SELECT title, source, seed, figures, plan FROM study WHERE id = ?"
        with _as_a_run_writes_it(store, name):
            ((title, source, seed, figures, text),) = store.rows(query, number)
            cells, named = _frame(store, number), tuple(json.loads(figures))
            return Results(name, form, title, source, seed, named, cells, parts_of(text, form))


@contextmanager
def _as_a_run_writes_it(store: Store, name: str) -> Iterator[None]:
    """Refuse a store in which something of a study has another type or is torn."""
    try:
        yield
    except StoreError:
        raise
    except (pl.exceptions.PolarsError, ConfigError, ValueError, TypeError) as error:
        raise StoreError(f"{store.path} is damaged: study {name} is not as a run writes it") from error


def _found(store: Store, name: str, form: str | None) -> tuple[int, str]:
    there = store.rows("SELECT id, form FROM study WHERE name = ? ORDER BY form", name)
    fitting = [each for each in there if form in {None, each[1]}]
    if not fitting:
        all_studies = store.rows("SELECT name, form FROM study ORDER BY name")
        names = ", ".join(f"{each[0]} ({each[1]})" for each in all_studies)
        asked = f"{name} ({form})" if form else name
        known = {str(each[0]) for each in all_studies} - {name}
        hint = suggest_names(name, known, f"it has {names or 'none'}")
        raise StoreError(f"{store.path} has no study {asked}; {hint}")
    return int(fitting[0][0]), str(fitting[0][1])


def _frame(store: Store, number: int) -> pl.DataFrame:
    query = """
        SELECT p.kind, p.data, p.synthesizer, p.size, p.number, p.what, p.name, c.status, c.value, c.error, c.seconds,
            c.result
        FROM place p LEFT JOIN cell c ON c.key = p.key WHERE p.study = ? ORDER BY p.position
    """
    columns = cell_columns()
    rows = [_row(dict(zip(_PLACES, row, strict=True)), columns, store.path) for row in store.rows(query, number)]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _row(found: dict[str, Any], columns: Mapping[str, Any], path: Path) -> dict[str, Any]:
    cell = " ".join(str(found[name]) for name in ("data", "synthesizer", "number", "name"))
    result = parse_result(found.pop("result"), cell, path)
    if "seconds" in result:  # those of the attack; the cell as a whole has its own
        result["attack_seconds"] = result.pop("seconds")
    own = {key: value for key, value in result.items() if key in columns}
    status = found["status"] or "missing"
    return {**dict.fromkeys(columns), **own, **found, "status": status}
