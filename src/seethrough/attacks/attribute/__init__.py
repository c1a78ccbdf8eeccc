"""Guess the secret of a record."""
