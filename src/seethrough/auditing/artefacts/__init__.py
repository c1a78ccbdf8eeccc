"""Traces of real rows in a release: copies, identifiers, order, rare combinations."""
