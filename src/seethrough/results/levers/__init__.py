"""Levers as results: what each of them does to the leak and to utility."""
