"""The maximum-knowledge attacker against one or several released files."""
