"""The pages after the run: a person, the scores, single checks, the attacker's view, people, columns, the map."""
