"""Kinds of parts that a plan may have."""
