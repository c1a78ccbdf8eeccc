"""Checks that run an attack on a release."""
