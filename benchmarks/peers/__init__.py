"""Other programs, each in an environment of its own, on the same rows as ours in the same run."""
