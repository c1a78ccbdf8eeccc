"""A report as JSON, for machines."""

from seethrough.results.report import Report
from seethrough.text.printable import json_text


def render(report: Report) -> str:
    """Give the JSON form as text that can be written as UTF-8; a number that is not finite raises ValueError."""
    return json_text(report.to_dict(), sort_keys=True, allow_nan=False) + "\n"
