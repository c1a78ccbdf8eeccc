"""Write a report to a folder: complete or not at all."""

import os
import shutil
import tempfile
from pathlib import Path

from seethrough.errors import ConfigError
from seethrough.report import html, machine, records
from seethrough.results import Report

NAMES = ("report.html", "report.json", "records.parquet")


def write(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write all files beside the folder, then move them in; return where they are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        private = Path(tempfile.mkdtemp(prefix=".seethrough-", dir=folder))
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {error.strerror}") from error
    try:
        (private / "report.html").write_text(html.render(report), encoding="utf-8")
        (private / "report.json").write_text(machine.render(report), encoding="utf-8")
        records.frame(report).write_parquet(private / "records.parquet")
        for name in NAMES:
            os.chmod(private / name, 0o600)  # they speak of people: nobody else reads them unasked
        return tuple((private / name).replace(folder / name) for name in NAMES)
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(private, ignore_errors=True)
