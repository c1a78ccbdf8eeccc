"""`seethrough study export`: every cell of a study as a table."""

from pathlib import Path
from typing import Annotated

import typer

from seethrough.cli import options
from seethrough.cli.commands.study.options import STORE, Form, Store, StudyName, study_name
from seethrough.cli.output import name_written


def export(
    plan: StudyName,
    out: Annotated[Path | None, typer.Option(help="The file to write; NAME.csv or NAME.parquet if not given.")] = None,
    kind: Annotated[
        str, typer.Option("--format", help="csv or parquet. Default: as the file's name ends, else csv.")
    ] = "",
    store: Store = STORE,
    form: Form = None,
    raw: options.Raw = False,
) -> None:
    """Write every cell of a study as a table."""
    from seethrough.report.machine.table_files import write
    from seethrough.study.store.frame import load

    kind = kind or ("parquet" if out is not None and out.suffix == ".parquet" else "csv")
    results = load(store, study_name(plan), form)
    name_written([write(results.cells, out or Path(f"{plan}.{kind}"), kind, is_raw=raw)])
