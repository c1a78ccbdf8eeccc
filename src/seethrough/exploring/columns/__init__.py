"""Columns and the map: how tables are distributed, what goes together, where rows are in the plane."""
