"""What a check, an attack or a generator has to offer, and what its parameters are."""
