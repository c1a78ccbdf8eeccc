"""What to do next: rules that turn findings into advice, and the little that has to be measured for them.

A rule is a function from values to at most one line, tested by itself; docs/advice.md has them as a table.
"""
