"""An audit: checks run on a release and on its controls."""
