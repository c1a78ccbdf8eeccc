"""Searching for what breaks Seethrough: generated tables, command lines, damaged files, edited reports and more.

    make fuzz SECONDS=600                          every target in turn, for so long
    python -m fuzz tables --cases 1000 --seed 3    so many cases of one target
    python -m fuzz tables --seed 3 --case 4711     one case again, with everything it says

A case is decided by target, seed and number alone, so that a failure is replayed by one command. What is expected of
every case stands in the module of its target; how cases are run is in `workers.py`, figures are kept by `record.py`.
"""
