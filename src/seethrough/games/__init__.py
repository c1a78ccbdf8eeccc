"""Deal a view to an attack, keep the secret, compare."""
