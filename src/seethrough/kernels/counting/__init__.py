"""Counting cells, combinations and rare values."""
