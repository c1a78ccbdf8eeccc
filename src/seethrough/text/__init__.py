"""Text from users, files and programs, made fit to be shown; it knows nothing of what it is about."""
