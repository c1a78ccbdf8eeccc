"""Several releases of one real table: their matrix, how they compare, and what they show together."""
