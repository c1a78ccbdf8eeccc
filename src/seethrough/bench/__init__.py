"""The bench, and what can be requested of it: one file for each family of requests."""
