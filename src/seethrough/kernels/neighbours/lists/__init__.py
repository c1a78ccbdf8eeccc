"""What a search for lists of neighbours holds: clusters of points to leave out, and lists that grow."""
