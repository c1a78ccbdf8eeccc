"""Figures of studies, drawn."""
