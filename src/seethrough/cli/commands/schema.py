"""`seethrough schema`: how a table is understood, as a file to edit."""

from pathlib import Path
from typing import Annotated

import typer

from seethrough.cli import options


def schema(
    real: Annotated[Path, typer.Argument(help="The real table: CSV, Parquet or Arrow.")],
    given: Annotated[
        Path | None, typer.Option("--schema", help="What is known already: TOML, or SDV metadata in JSON.")
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Print the schema as JSON.")] = False,
) -> None:
    """Infer the schema of a table and print it as TOML, to edit and to pass to `seethrough audit --schema`."""
    from seethrough.api.audit import infer_schema
    from seethrough.data import schema_files

    found = infer_schema(real, schema=given, separator=separator, encoding=encoding)
    typer.echo(schema_files.schema_to_json(found) if json else schema_files.schema_to_toml(found))
