"""What exists and can be added: the catalog of checks, attacks and generators, and their labels."""
