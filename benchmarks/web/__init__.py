"""The tool in the browser: how long it takes to begin, to answer, to take files in, and what it holds."""

from benchmarks.findings import Finding
from benchmarks.web import door, runs, worked_examples

PARTS = (door, runs, worked_examples)
"""Modules with `report() -> list[Finding]`, in the order of the page."""


def report() -> list[Finding]:
    """Measure all parts."""
    return [finding for part in PARTS for finding in part.report()]
