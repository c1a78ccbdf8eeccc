"""Releases larger than memory: read in chunks, here or on the workers of a cluster."""
