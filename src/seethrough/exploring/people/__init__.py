"""People: who they are, what is near them, which checks flag them, as a table and in groups."""
