"""Limits that a release has to keep: `--fail-if`."""
