"""Limits that a release has to keep (`--fail-if`), and what continuous integration reads of a report."""
