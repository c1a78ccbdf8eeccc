"""One generator a file."""
