"""Requests of membership attacks beyond neighbour lists; nothing here says who was in the data."""
