"""Results of attacks on secrets."""
