"""The JSON Schema of report.json, one file for each format."""

import json
from importlib.resources import files
from typing import Any

from seethrough.results.report import FORMAT


def schema_text() -> str:
    """Give the JSON Schema (draft 2020-12) of the format that this version writes, as text."""
    place = files("seethrough.report.machine") / f"report.v{FORMAT}.schema.json"
    return place.read_text(encoding="utf-8")


def report_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of report.json, in the format that this version writes."""
    found: dict[str, Any] = json.loads(schema_text())
    return found
