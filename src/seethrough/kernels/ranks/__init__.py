"""Ranks and linkage in rank space."""
