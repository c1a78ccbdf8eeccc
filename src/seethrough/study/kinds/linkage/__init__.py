"""Linkage over several files as a study."""
