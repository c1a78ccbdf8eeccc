"""Metrics as a study."""
