"""Relaxed rows, with a probability for each value of each column, and how they are fitted to 3-way marginals."""
