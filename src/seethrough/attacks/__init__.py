"""Strategies; the folder names the game that they play."""
