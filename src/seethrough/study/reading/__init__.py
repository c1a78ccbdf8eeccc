"""Reading of a plan: every value has a type, every label a meaning, and every message names the place."""
