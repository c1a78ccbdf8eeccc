"""Parts of the deep generators; need the extra `deep`."""
