"""`seethrough reverse-map`: synthetic tables expressed by real values."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options
from seethrough.cli.output import name_written

if TYPE_CHECKING:
    from seethrough.api.reverse_map import ReverseMapping

PROTECTS = (
    "Every column of a mapped table is a permutation of the real column: its marginals are exact.",
    "A mapped table can be released in place of the synthetic one. It protects no better: the ranks are the same, so "
    "linkage by ranks finds the same rows (`seethrough attack linkage` measures what that discloses).",
    "It does not protect single values: all of them are real, also those that only one person has. Leave out or "
    "coarsen columns where a single value identifies a person.",
    "Never publish permutation-* or noise-*: they reconstruct the real table.",
)
BINARY = frozenset({".parquet", ".pq", ".arrow", ".feather", ".ipc"})


def reverse_map(  # noqa: PLR0913, PLR0917  one parameter for each option
    real: options.Real,
    synthetic: options.Synthetic,
    out: Annotated[Path, typer.Option(help="Folder for mapped-1, permutation-1, noise-1 and so on.")],
    form: Annotated[str | None, typer.Option("--format", help="parquet or csv. Default: as the real table.")] = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    raw: options.Raw = False,
) -> None:
    """Express synthetic tables as permutations of the real columns, and a small noise."""
    from seethrough.api import reverse_map as api
    from seethrough.errors import ConfigError

    form = form or ("parquet" if real.suffix.lower() in BINARY else "csv")
    if form not in {"parquet", "csv"}:
        raise ConfigError(f"--format {form!r} is neither parquet nor csv")
    found = api.reverse_map(real, synthetic, schema=schema, seed=seed, separator=separator, encoding=encoding)
    written = found.save(out, "csv" if form == "csv" else "parquet", raw=raw)
    _show(found)
    name_written(written)


def _show(found: "ReverseMapping") -> None:
    from seethrough.report.terminal import mapping as mapping_terminal
    from seethrough.report.terminal.printing import open_console

    mapping_terminal.render(found.summary(), PROTECTS, open_console())
