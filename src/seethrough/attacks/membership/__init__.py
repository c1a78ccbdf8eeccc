"""Membership attacks: ratings, one file each."""
