"""What a Python user calls: one file a subject, all in one dialect (docs/api.md)."""
