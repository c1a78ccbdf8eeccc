"""A report as JSON, text and HTML."""
