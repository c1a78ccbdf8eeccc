"""Workers as the server sees them: one process, and all of them with the line of runs."""
