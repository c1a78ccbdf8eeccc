"""One check explained on one person, and whether it applies to these tables."""
