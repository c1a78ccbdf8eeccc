"""What a synthetic table is still good for."""
