"""What a worker knows of its audit: files, settings, how columns were understood, outcomes, the picked person."""
