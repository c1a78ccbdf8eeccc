"""The attacker's view: what is guessed of a secret from some columns, of one person and of many."""
