"""Every cell of a study of record, beside its figures: so that more can be computed from it than its page shows."""

from pathlib import Path

from seethrough.report.machine.table_files import write
from seethrough.study.cells.results import Results


def write_cells(results: Results, folder: Path) -> None:
    """Write the cells of a study as Parquet, without the columns that other kinds of study fill."""
    filled = [name for name in results.cells.columns if results.cells[name].null_count() < results.cells.height]
    path = folder / "cells.parquet"
    write(results.cells.select(filled), path, "parquet")
    path.chmod(0o644)  # what a study writes is its owner's alone; this is published
