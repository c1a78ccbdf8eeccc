"""Audits on this machine: where they are kept, what is remembered of each, and how they go."""
