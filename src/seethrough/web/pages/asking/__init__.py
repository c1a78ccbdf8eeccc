"""What a view is asked: who is meant, which release, and how addresses say it."""
