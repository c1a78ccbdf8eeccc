"""Tables: frames of pandas, Polars and Arrow, and synthetic tables that have something to do with real ones."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from fuzz.case import Case
from fuzz.material import columns
from fuzz.material.names import draw_names

SIZES = (0, 1, 2, 3, 5, 8, 12, 20, 30, 45, 60)
Cells = dict[str, list[Any]]
"""A table as lists of values by column."""


@dataclass(frozen=True)
class Population:
    """Columns from which several tables are drawn; `gaps` is the share of missing values of each."""

    case: Case
    draws: Mapping[str, columns.Draw]
    gaps: Mapping[str, float]

    def rows(self, count: int) -> Cells:
        """Draw a table."""
        found = {name: draw(count) for name, draw in self.draws.items()}
        rng = self.case.random
        for name, values in found.items():
            if self.gaps[name]:
                found[name] = [None if rng.random() < self.gaps[name] else value for value in values]
        return found


def draw_population(case: Case, most: int = 6) -> Population:
    """Draw names and kinds of columns; half of all populations have nothing odd about their values."""
    names = draw_names(case, case.random.randint(1, most) if case.chance(0.97) else 40)
    odd = case.pick((0.0, 0.0, 0.2, 0.6, 1.0))
    gaps = case.pick((0.0, 0.0, 0.1, 0.5))
    kinds = {name: case.pick(columns.ODD if case.chance(odd) else columns.COMMON) for name in names}
    return Population(
        case,
        {name: kind(case.random) for name, kind in kinds.items()},
        {name: gaps if case.chance(0.5) else 0.0 for name in names},
    )


def draw_size(case: Case) -> int:
    """Draw a number of rows, mostly between 5 and 60."""
    return case.pick(SIZES) if case.chance(0.3) else case.random.randint(5, 60)


def take(cells: Cells, rows: list[int]) -> Cells:
    """Take rows by their numbers."""
    return {name: [values[row] for row in rows] for name, values in cells.items()}


def derive(case: Case, population: Population, real: Cells) -> Cells:
    """Make a table that a generator might release, or one that has to be refused."""
    count = len(next(iter(real.values())))
    rng = case.random
    match case.pick(("fresh", "fresh", "copy", "resampled", "shuffled columns", "independent columns", "one row")):
        case "copy":
            return dict(real)
        case "resampled" if count:
            return take(real, [rng.randrange(count) for _ in range(draw_size(case))])
        case "shuffled columns":
            return {name: real[name] for name in rng.sample(list(real), len(real))}
        case "independent columns":
            return {name: rng.sample(values, count) for name, values in real.items()}
        case "one row" if count:
            return take(real, [rng.randrange(count)] * draw_size(case))
    return _spoil(case, population.rows(draw_size(case)))


def _spoil(case: Case, cells: Cells) -> Cells:
    """Take a column away, add one, rename one, or put other values into one; mostly nothing."""
    name, rows = case.pick(list(cells)), len(next(iter(cells.values())))
    match case.pick(("", "", "", "", "less", "more", "renamed", "texts", "missing", "unseen")):
        case "less":
            return {each: values for each, values in cells.items() if each != name}
        case "renamed":
            return {each.upper() if each == name else each: values for each, values in cells.items()}
        case "more":
            return cells | {"more of it": cells[name]}
        case "texts":
            return cells | {name: [None if value is None else str(value) for value in cells[name]]}
        case "missing" | "unseen" as how:
            return cells | {name: [None if how == "missing" else f"{columns.CANARY} unseen"] * rows}
    return cells


def as_frame(case: Case, cells: Cells, library: str) -> Any:
    """Make a frame; what a library cannot hold becomes text."""
    if case.rows is not None:
        cells = {name: values[: case.rows] for name, values in cells.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        match library:
            case "pandas":
                return _pandas(case, cells)
            case "arrow":
                return _arrow(case, cells)
        return _polars(case, cells)


def _polars(case: Case, cells: Cells) -> pl.DataFrame:
    found = pl.DataFrame([_polars_column(name, values) for name, values in cells.items()])
    if case.chance(0.15) and found.width:
        name = case.pick(found.columns)
        series = found[name]
        if series.dtype == pl.String:
            found = found.with_columns(series.cast(pl.Categorical).alias(name))
        elif series.dtype in (pl.Int64, pl.Float64):
            kind = case.pick((pl.Float32, pl.Int8, pl.UInt64, pl.Int32, pl.String))
            found = found.with_columns(series.cast(kind, strict=False).alias(name))
    return found


def _polars_column(name: str, values: list[Any]) -> pl.Series:
    try:
        return pl.Series(name, values)
    except Exception:  # noqa: BLE001 - whatever it has against these values
        return pl.Series(name, [None if value is None else str(value) for value in values], dtype=pl.String)


def _pandas(case: Case, cells: Cells) -> pd.DataFrame:
    found = pd.DataFrame({name: _pandas_column(case, values) for name, values in cells.items()})
    if case.chance(0.1):
        found.index = pd.Index([f"r{row}" for row in range(len(found))])
    if case.chance(0.05) and len(found.columns):
        found.columns = pd.Index([*found.columns[:-1], case.pick((0, 1.5, ("a", "b"), found.columns[0]))])
    return found


def _pandas_column(case: Case, values: list[Any]) -> "pd.Series[Any]":
    if case.chance(0.7):
        kind: Any = None
    else:
        kind = case.pick(("object", "category", "string", "Int64", "Float64", "boolean", "float32", "Sparse[float]"))
    try:
        return pd.Series(values, dtype=kind)
    except Exception:  # noqa: BLE001 - whatever it has against these values
        return pd.Series(values, dtype=object)


def _arrow(case: Case, cells: Cells) -> pa.Table:
    arrays = [_arrow_column(case, values) for values in cells.values()]
    names = [name.encode(errors="replace").decode() for name in cells]
    if case.chance(0.03) and names:
        names[-1] = names[0]
    return pa.Table.from_arrays(arrays, names=names)


def _arrow_column(case: Case, values: list[Any]) -> Any:
    try:
        found = pa.array(values)
        return found.dictionary_encode() if case.chance(0.1) else found
    except Exception:  # noqa: BLE001 - whatever it has against these values
        return pa.array([None if value is None else str(value) for value in values], pa.string())
