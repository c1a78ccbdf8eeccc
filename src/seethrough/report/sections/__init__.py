"""The sections of a report, each one value that every medium renders."""
