"""Write a report to a folder: complete or not at all."""

import os
import shutil
import tempfile
from pathlib import Path

from seethrough.errors import ConfigError
from seethrough.report.html import audit_page
from seethrough.report.machine import json_form, records
from seethrough.report.markdown import audit_document
from seethrough.results.report import Report

DOCUMENTS = ("report.html", "report.json", "report.md")
RECORDS = "records.parquet"


def write(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write all files beside the folder, then move them in; return where they are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        private = Path(tempfile.mkdtemp(prefix=".seethrough-", dir=folder))
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {error.strerror}") from error
    try:
        names = _written(report, private)
        for name in names:
            os.chmod(private / name, 0o600)  # they speak of people: nobody else reads them unasked
        return tuple((private / name).replace(folder / name) for name in names)
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(private, ignore_errors=True)


def _written(report: Report, folder: Path) -> tuple[str, ...]:
    texts = audit_page.render(report), json_form.render(report), audit_document.render(report)
    for name, text in zip(DOCUMENTS, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    if report.provenance.is_external:
        return DOCUMENTS
    records.frame(report).write_parquet(folder / RECORDS)
    return (*DOCUMENTS, RECORDS)
