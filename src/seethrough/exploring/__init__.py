"""Looking at one release after its audit: single people, attackers, columns, groups, a map, levers, costs.

`Exploration` (exploration.py) keeps the tables and the benches of an audit, so that an answer is a look-up or one row
against all. What it answers are the frozen values of `answers/`. Rows count from 0 here; pages count from 1.
"""
