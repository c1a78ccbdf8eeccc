"""Splitting a real table before a release is made, so that an audit has people outside."""
