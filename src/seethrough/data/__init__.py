"""Tables, schemas and how they are read."""
