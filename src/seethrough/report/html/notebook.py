"""A report in a notebook: its first screen, in a frame that keeps the styles of the page and of the notebook apart.

The frame may run the one script that the page names by its digest, which sorts tables, and nothing else; it has an
origin of its own, so that it reaches nothing of the notebook.
"""

from html import escape

from seethrough.report.html import audit_page
from seethrough.report.sections import document
from seethrough.results.report import Report

_FRAME = '<iframe srcdoc="{}" style="width:100%;height:40rem;border:0" sandbox="allow-scripts"></iframe>'


def render(report: Report) -> str:
    """Give the first screen of a report for a notebook; `to_html` has the whole page."""
    page = audit_page.render_document(document.first_screen(report))
    return _FRAME.format(escape(page, quote=True))
