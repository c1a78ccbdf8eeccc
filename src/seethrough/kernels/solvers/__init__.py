"""Least squares and least absolute deviations."""
