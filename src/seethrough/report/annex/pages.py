"""The annex as a page and as Markdown, and both in a folder: complete or not at all."""

from pathlib import Path

from seethrough.report.annex.custodian import FILE, CustodianFacts, template
from seethrough.report.annex.questions import build
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.results.report import Report
from seethrough.results.whole_files import whole_files

PAGE, DOCUMENT = "annex.html", "annex.md"


def render_page(report: Report, custodian: CustodianFacts) -> str:
    """Give the annex as a standalone HTML page."""
    return audit_page.render_document(build(report, custodian))


def render_markdown(report: Report, custodian: CustodianFacts) -> str:
    """Give the annex as Markdown."""
    return audit_document.render_document(build(report, custodian))


def write(report: Report, folder: Path, custodian: CustodianFacts) -> tuple[Path, ...]:
    """Write both; where an answer is missing and nobody was asked yet, the file that asks for it too."""
    texts = {PAGE: render_page(report, custodian), DOCUMENT: render_markdown(report, custodian)}
    if custodian.missing and not (folder / FILE).exists():
        texts[FILE] = template()
    with whole_files(folder) as hidden:
        for name, text in texts.items():
            (hidden / name).write_text(text, encoding="utf-8")
    return tuple(folder / name for name in texts)
