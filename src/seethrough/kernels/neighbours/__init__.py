"""Points, distances and exact nearest neighbours."""
