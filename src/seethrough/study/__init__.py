"""Studies: plans of experiments that expand into cells, computed once each and kept in a store.

From the bottom up; imports point down this list:

- cells: one result of a study, the group it is computed in, its key, what became of it; a study's results as a frame
- reading: strict reading of what a plan says, and of generators, attacks and checks by label
- kinds: the kinds of experiments that a plan may ask for; one folder each, found without a list (kinds/protocol.py)
- plan: a plan, its tables, and how both expand into cells; the plans that ship
- store: the SQLite file that keeps results, and what it has of a study
- run: who computes cells (this process, several, a cluster), and how far that is
"""
