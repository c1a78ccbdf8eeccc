"""Calibration of the verdict as a study: how often audits raise a false alarm, and how often they find a leak."""
