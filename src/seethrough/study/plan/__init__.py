"""Plans: what is to be computed."""
