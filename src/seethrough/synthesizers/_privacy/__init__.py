"""Privacy budgets and their accounting."""
