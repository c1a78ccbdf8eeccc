"""Several files of one real table: which of them leaks more, and what they show together."""
