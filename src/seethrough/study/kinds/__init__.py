"""Kinds of experiments that a plan may ask for: a sub-package each, with its own cells, figures and comparison."""
