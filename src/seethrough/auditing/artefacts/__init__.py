"""Traces of real rows in a release: copies, identifiers, rows as text, order, rare values."""
