"""Intervals, resampling, receiver operating characteristics."""
