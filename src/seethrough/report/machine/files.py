"""Write a report to a folder: complete or not at all."""

from pathlib import Path

from seethrough.report.html import audit_page
from seethrough.report.machine import json_form, records
from seethrough.report.machine.input_files import INPUTS, AuditInputs
from seethrough.report.markdown import audit_document
from seethrough.results.report import Report
from seethrough.results.whole_files import whole_files

DOCUMENTS = ("report.html", "report.json", "report.md")
RECORDS = "records.parquet"


def write(report: Report, folder: Path, inputs: AuditInputs | None = None) -> tuple[Path, ...]:
    """Write all files, for their owner alone as they speak of people; return where they are."""
    with whole_files(folder) as hidden:
        names = _written(report, hidden, inputs)
    if INPUTS not in names and not report.provenance.is_external:
        (folder / INPUTS).unlink(missing_ok=True)  # of an audit that was here before
    return tuple(folder / name for name in names)


def _written(report: Report, folder: Path, inputs: AuditInputs | None) -> tuple[str, ...]:
    texts = audit_page.render(report), json_form.render(report), audit_document.render(report)
    for name, text in zip(DOCUMENTS, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    if report.provenance.is_external:
        return DOCUMENTS
    records.frame(report).write_parquet(folder / RECORDS)
    if inputs is None:
        return (*DOCUMENTS, RECORDS)
    (folder / INPUTS).write_text(inputs.to_json(), encoding="utf-8")
    return (*DOCUMENTS, RECORDS, INPUTS)
