"""What a Python user calls: frames or paths in, a report out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from io import StringIO
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from seethrough import __version__, auditing, catalog
from seethrough.contracts.check import Check
from seethrough.data import reading
from seethrough.data.schema import Schema
from seethrough.kernels.budget import GIB, Budget
from seethrough.report import files, html, machine, markdown, records
from seethrough.results import Report

if TYPE_CHECKING:
    import polars as pl

Names = str | Sequence[str]


@dataclass(frozen=True, eq=False, repr=False)
class AuditReport(Report):
    """A report that can show itself. Index it by the name of a check: `report["gcap"].risk`."""

    def to_json(self, path: str | Path | None = None) -> str:
        """Give the JSON form, and write it where a path is given."""
        return _written(machine.render(self), path)

    def to_html(self, path: str | Path | None = None) -> str:
        """Give the standalone HTML page, and write it where a path is given."""
        return _written(html.render(self), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Give the report as Markdown, and write it where a path is given."""
        return _written(markdown.render(self), path)

    def records(self) -> "pl.DataFrame":
        """List the real records with their risk by each check."""
        return records.frame(self)

    def save(self, folder: str | Path) -> tuple[Path, ...]:
        """Write report.html, report.json and records.parquet to a folder."""
        return files.write(self, Path(folder))

    def __repr__(self) -> str:
        """Show the summary that the command line prints."""
        from rich.console import Console

        from seethrough.report import terminal

        page = StringIO()
        terminal.render(self, Console(file=page, width=100, force_terminal=False, no_color=True))
        return page.getvalue()

    def _repr_html_(self) -> str:
        # A frame of its own keeps the styles of the page and of the notebook apart.
        page = escape(html.render(self), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:44rem;border:0" sandbox></iframe>'


def audit(  # noqa: PLR0913  what a caller may say about an audit
    real: Any,
    synthetic: Any,
    holdout: Any = None,
    *,
    secret: Names = (),
    keys: Names = (),
    schema: Schema | str | Path | None = None,
    checks: Names | Sequence[Check] = (),
    preset: str = "full",
    params: catalog.Params = MappingProxyType({}),
    seed: int = 0,
    memory: int = 4 * GIB,
    threads: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    tell: Callable[[auditing.Progress], None] | None = None,
) -> AuditReport:
    """Audit one or several synthetic tables.

    Parameters
    ----------
    real, synthetic, holdout
        A path to CSV, Parquet or Arrow, or a frame of pandas, Polars, Arrow or DuckDB. `synthetic` may be a list of
        them, or a mapping from names to them. `holdout` are real records that were kept out of the synthesis.
    secret, keys
        Columns to be guessed, and columns an attacker knows; without keys, all others.
    schema
        A schema, or a TOML or SDV metadata file; what it leaves out is inferred from the real table.
    checks, preset
        Names of checks, or check objects; otherwise those of the preset: "fast", "full" or "attacks".
    params
        Parameters of checks, as `{"dcr": {"dimensions": 3}}`; values of their type, or texts.
    seed
        Decides every random number.
    memory, threads
        Bytes for temporary arrays, and threads; they change no result.
    separator, encoding
        Of CSV files, where they are not to be found out.
    tell
        Called with the progress.
    """
    begun = perf_counter()
    chosen = catalog.configured(_chosen(checks, preset), params)
    release = reading.read_release(
        real,
        _several(synthetic),
        holdout,
        schema=schema,
        secrets=_names(secret),
        keys=_names(keys),
        separator=separator,
        encoding=encoding,
    )
    read = perf_counter() - begun
    report = auditing.audit(
        release,
        chosen,
        seed=seed,
        version=__version__,
        budget=Budget(memory, threads) if threads else Budget(memory),
        **({"tell": tell} if tell else {}),
    )
    timings = replace(report.timings, reading=read, total=report.timings.total + read)
    return AuditReport(**(vars(report) | {"timings": timings}))


def infer_schema(real: Any, schema: Schema | str | Path | None = None) -> Schema:
    """Infer the schema of a table; `schema` gives what is known already."""
    return reading.infer_schema(real, schema=schema)


def _names(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _several(synthetic: Any) -> Any:
    return synthetic if isinstance(synthetic, list | tuple | dict) else [synthetic]


def _chosen(checks: Names | Sequence[Check], preset: str) -> tuple[Check, ...]:
    if isinstance(checks, str):
        return catalog.choose((checks,))
    named = tuple(check for check in checks if isinstance(check, str))
    given = tuple(check for check in checks if not isinstance(check, str))
    if given:
        return (*(catalog.choose(named) if named else ()), *given)
    return catalog.choose(named, preset)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text
