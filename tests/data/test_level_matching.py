"""Levels written otherwise are read as those of people, and two levels of people never become one."""

import unicodedata

import polars as pl
import pytest

from seethrough.data.reading.folding import LOOK_ALIKES, fold_texts, skeletons
from seethrough.data.reading.level_matching import match_levels
from seethrough.data.reading.release_tables import read_release

PEOPLE = ("Private", "Self-emp", "State-gov")


@pytest.mark.parametrize(
    "written",
    [
        str.upper,
        lambda level: f"x_{level}",
        lambda level: f"job: {level}!",
        lambda level: f"  {level}",
        lambda level: level.ljust(12, "_"),
        lambda level: level.replace("t", "t\u200b"),
        lambda level: f"\ufeff{level}\u00ad",
        lambda level: level.replace("a", "\u0430").replace("e", "\u0435"),
        lambda level: "".join(chr(ord(letter) + 0xFEE0) for letter in level),
        lambda level: level.replace("-", "\u2011"),
        lambda level: level.replace("-", " "),
    ],
)
def test_levels_that_look_alike_are_met(written):
    released = [written(level) for level in PEOPLE]
    assert match_levels(PEOPLE, released) == {
        theirs: level for theirs, level in zip(released, PEOPLE, strict=True) if theirs != level
    }


def test_two_levels_of_people_never_become_one():
    assert match_levels(("a", "A"), ("\u0430",)) == {}
    assert match_levels(("<=50K", ">50K"), ("50K",)) == {}
    assert match_levels(("<=50K", ">50K"), ("<=50k__", ">50k__")) == {"<=50k__": "<=50K", ">50k__": ">50K"}


def test_a_sign_or_a_digit_is_part_of_a_number():
    assert match_levels(("1", "2"), ("-1", "-2")) == {}
    assert match_levels(("1", "2"), ("11", "12")) == {}
    assert match_levels(("1", "2"), ("10", "20")) == {}
    assert match_levels(("1.5", "15"), ("1,5",)) == {}
    assert match_levels(("1", "2"), ("001", "002")) == {"001": "1", "002": "2"}
    assert match_levels(("1", "2"), ("c1", "c2")) == {"c1": "1", "c2": "2"}


def test_levels_that_people_have_stay_and_strange_ones_are_not_guessed():
    assert match_levels(PEOPLE, ("Private", "Pirate", "PRIVATE")) == {"PRIVATE": "Private"}
    assert match_levels(PEOPLE, ("north", "south", "east")) == {}


def test_letters_that_are_replaced_look_like_latin_ones():
    for letter, latin in LOOK_ALIKES.items():
        name = unicodedata.name(letter)
        is_capital = "CAPITAL" in name
        assert not latin.isalpha() or latin.isupper() == is_capital
    assert fold_texts(["\u0420\u0430\u0440\u0435r"]) == ["paper"]
    assert skeletons(["A-1 b.\u200b2"]) == ["a1b2"]


def test_a_release_is_read_with_the_levels_of_the_real_table_and_a_note():
    real = pl.DataFrame({"job": ["Private", "State-gov"] * 20, "n": [float(value) + 0.5 for value in range(40)]})
    released = real.with_columns(
        pl.col("job").str.to_uppercase(), pl.concat_str(pl.lit("\u200b"), pl.col("n").cast(pl.String)).alias("n")
    )
    release = read_release(real, [released])
    [table] = release.synthetic
    assert (table.table.column("job") == release.train.table.column("job")).all()
    assert (table.table.column("n") == release.train.table.column("n")).all()
    [note] = table.notes
    assert note.startswith("synthetic: column 'job': 2 values are written otherwise than in real")
