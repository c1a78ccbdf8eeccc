"""`seethrough schema`: how a table is understood, as a file to edit; or the JSON Schema of reports."""

from pathlib import Path
from typing import Annotated

import typer

from seethrough.cli import options


def schema(
    real: Annotated[Path | None, typer.Argument(help="The real table: CSV, Parquet or Arrow.")] = None,
    given: Annotated[
        Path | None, typer.Option("--schema", help="What is known already: TOML, or SDV metadata in JSON.")
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Print the schema as JSON.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Print the JSON Schema of report.json instead.")] = False,
) -> None:
    """Infer the schema of a table and print it as TOML, to edit and to pass to `seethrough audit --schema`."""
    from seethrough.api.audit import infer_schema
    from seethrough.data import schema_files
    from seethrough.errors import ConfigError
    from seethrough.report.machine.report_schema import schema_text

    if (real is None) is not report:
        raise ConfigError("name the real table, or give --report for the JSON Schema of report.json, and not both")
    if real is None:
        typer.echo(schema_text(), nl=False)
        return
    found = infer_schema(real, schema=given, separator=separator, encoding=encoding)
    typer.echo(schema_files.schema_to_json(found) if json else schema_files.schema_to_toml(found))
