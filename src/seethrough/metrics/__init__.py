"""One metric a file."""
