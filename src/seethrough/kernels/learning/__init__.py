"""Classifiers and their scores."""
