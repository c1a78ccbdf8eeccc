"""How many fewer rows or files would do."""

from dataclasses import replace

import numpy as np

from seethrough.auditing.levers.fewer import fewer_files, fewer_rows, random_rows
from seethrough.data.release import NamedTable
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade

BUDGET = Budget(threads=1)


def test_rows_are_halved_until_the_leak_is_slight(leaking_release, arsenal, rules):
    found = fewer_rows(leaking_release, arsenal, rules, BUDGET)
    assert (found.unit, found.released) == ("rows", 300)
    assert [count for count, _, _ in found.tried] == [150, 75, 37][: len(found.tried)]
    for count, _, grade in found.tried:
        assert (grade < Grade.CLEAR) == (count == found.enough)
    leaks = [leak for _, leak, _ in found.tried]
    assert leaks == sorted(leaks, reverse=True)


def test_a_part_of_the_rows_lies_within_a_larger_part_whatever_their_order(leaking_release):
    table = leaking_release.synthetic[0].table
    few, many = (set(random_rows(table, count, 0).columns[0]) for count in (20, 60))
    assert few <= many
    turned = table.take(np.arange(len(table))[::-1])
    assert set(random_rows(turned, 20, 0).columns[0]) == few


def test_files_need_to_be_several(leaking_release, arsenal, rules, badges):
    assert fewer_files(leaking_release, arsenal, rules, BUDGET) is None
    harmless = NamedTable("other", badges(300, 9))
    files = replace(leaking_release, synthetic=(harmless, leaking_release.synthetic[0]))
    found = fewer_files(files, arsenal, rules, BUDGET)
    # The first file has nothing of anybody.
    assert (found.unit, found.released, found.enough) == ("files", 2, 1)


def test_nobody_outside_nothing_told(leaking_release, arsenal, rules):
    assert fewer_rows(replace(leaking_release, holdout=None), arsenal, rules, BUDGET) is None
