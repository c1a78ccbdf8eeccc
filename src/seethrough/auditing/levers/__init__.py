"""Levers: what could be changed in a release, and what each change does to its leak and to its utility."""
