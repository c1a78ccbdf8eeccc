"""A report as JSON, for machines."""

import json

from seethrough.results.report import Report


def render(report: Report) -> str:
    """Give the JSON form as text that can be written as UTF-8; a number that is not finite raises ValueError."""
    text = json.dumps(report.to_dict(), allow_nan=False, ensure_ascii=False, indent=2, sort_keys=True)
    # Half a surrogate pair (from an undecodable file name) has no UTF-8 form; its backslash form is a JSON escape.
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"
