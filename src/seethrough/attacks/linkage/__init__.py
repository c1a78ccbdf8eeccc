"""Attacks that link real records to released rows."""
