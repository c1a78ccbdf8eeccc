"""Attribute-inference games as a study."""
