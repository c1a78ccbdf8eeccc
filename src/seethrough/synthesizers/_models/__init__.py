"""Models that generators share: domains, networks, relaxed rows, modes."""
