"""Passes over a release in chunks: what people ask of it, computed exactly however it is cut."""
