"""Levers as they are typed and printed."""

import pytest

from seethrough.auditing.levers.grammar import (
    Coarsen,
    DropColumn,
    DropNearCopies,
    FewerFiles,
    FewerRows,
    OtherEpsilon,
    OtherGenerator,
    RegenerateWithout,
    parse_lever,
)
from seethrough.errors import ConfigError

LEVERS = [
    ("fewer rows 500", FewerRows(rows=500)),
    ("fewer rows 50%", FewerRows(share=0.5)),
    ("fewer rows 12.5%", FewerRows(share=0.125)),
    ("fewer files 2", FewerFiles(2)),
    ("coarsen age to 5", Coarsen("age", 5)),
    ("coarsen way to work to 3", Coarsen("way to work", 3)),
    ("drop column zip code", DropColumn("zip code")),
    ("drop column near copies", DropColumn("near copies")),
    ("drop near copies", DropNearCopies()),
    ("regenerate without 10", RegenerateWithout(10)),
    ("generator privbayes:epsilon=1", OtherGenerator("privbayes:epsilon=1")),
    ("epsilon 0.5", OtherEpsilon(0.5)),
]


@pytest.mark.parametrize(("text", "lever"), LEVERS)
def test_a_lever_is_read_and_printed_alike(text, lever):
    assert parse_lever(text) == lever
    assert str(lever) == text
    assert parse_lever(f" {text} ") == lever


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("less rows 5", "there is no lever 'less rows 5'; there are: fewer rows 500"),
        ("fewer rows 0%", "no part of the rows"),
        ("fewer rows 100%", "no part of the rows"),
        ("fewer rows 1", "fewer rows 1 is too few"),
        ("coarsen age to 1", "coarsen age to 1 is too few"),
        ("epsilon 0", "not a number above 0"),
        ("epsilon 1e999", "not a number above 0"),
        ("regenerate without 0", "too few"),
        ("drop column ", "there is no lever"),
        ("", "there is no lever"),
    ],
)
def test_what_is_no_lever_is_refused_in_one_sentence(text, said):
    with pytest.raises(ConfigError, match=said):
        parse_lever(text)


def test_a_share_of_rows_is_at_least_one_row():
    assert FewerRows(share=0.25).count(10) == 2
    assert FewerRows(share=0.001).count(10) == 1
    assert FewerRows(rows=7).count(10) == 7
