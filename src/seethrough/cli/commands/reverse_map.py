"""`seethrough reverse-map`: synthetic tables expressed by real values."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from seethrough.api.link import ReverseMapping

PROTECTS = (
    "Every column of a mapped table is a permutation of the real column: its marginals are exact.",
    "A mapped table can be released in place of the synthetic one. It protects no better: the ranks are the same, so "
    "linkage by ranks finds the same rows (`seethrough attack linkage` tells what that discloses).",
    "It does not protect single values: all of them are real, also those that only one person has. Leave out or "
    "coarsen columns where a value by itself tells who it is.",
    "Permutations and noise are for the releaser: with them the real table can be put together again.",
)


BINARY = frozenset({".parquet", ".pq", ".arrow", ".feather", ".ipc"})


def reverse_map(  # noqa: PLR0913, PLR0917  one parameter for each option
    real: Annotated[Path, typer.Option(help="The real table: CSV, Parquet or Arrow.")],
    synthetic: Annotated[list[Path], typer.Option(help="A synthetic table made from it; may be repeated.")],
    out: Annotated[Path, typer.Option(help="Folder for mapped-1, permutation-1, noise-1 and so on.")],
    form: Annotated[str | None, typer.Option("--format", help="parquet or csv. Default: as the real table.")] = None,
    schema: Annotated[Path | None, typer.Option(help="Schema in TOML, or SDV metadata in JSON.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides ties, and rows where sizes differ.")] = 0,
    separator: Annotated[str | None, typer.Option(help="What separates CSV fields, if not found out.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Encoding of CSV files, if not found out.")] = None,
) -> None:
    """Express synthetic tables as permutations of the real columns, and a small noise."""
    from seethrough.api import link as linkage
    from seethrough.errors import ConfigError

    form = form or ("parquet" if real.suffix.lower() in BINARY else "csv")
    if form not in {"parquet", "csv"}:
        raise ConfigError(f"--format {form!r} is neither parquet nor csv")
    found = linkage.reverse_map(real, synthetic, schema=schema, seed=seed, separator=separator, encoding=encoding)
    written = found.save(out, "csv" if form == "csv" else "parquet")
    _show(found)
    for path in written:
        typer.echo(f"wrote {path}", err=True)


def _show(found: "ReverseMapping") -> None:
    from rich.console import Console

    from seethrough.report.terminal import mapping as mapping_terminal

    mapping_terminal.render(found.summary(), PROTECTS, Console())
