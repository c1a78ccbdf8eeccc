"""What an adversary has, read without a real table."""

import polars as pl
import pytest

from seethrough.data.reading.attack_tables import read_attack
from seethrough.errors import DataError, SchemaMismatch

SYNTHETIC = pl.DataFrame({"town": ["a", "b", "a", "c"] * 5, "age": [30, 41, 52, 63] * 5, "ill": ["no", "yes"] * 10})
PEOPLE = pl.DataFrame({"age": [30, 52, 99], "town": ["b", "new", "a"]})


def test_known_and_released_share_their_codes():
    found = read_attack(PEOPLE, [SYNTHETIC], "ill")
    assert [column.name for column in found.people.table.schema.used] == ["town", "age"]
    assert found.people.table.column("town").tolist() == [2, 4, 1]  # an unseen level comes after a, b, c
    assert found.released[0].table.column("town").tolist()[:4] == [1, 2, 1, 3]
    assert found.levels == ("no", "yes")
    assert found.truth is None
    assert found.notes == ()


def test_a_secret_among_what_is_known_is_ignored_with_a_note():
    found = read_attack(PEOPLE.with_columns(ill=pl.Series(["yes", "no", "no"])), [SYNTHETIC], "ill")
    assert "ill" not in [column.name for column in found.people.table.schema.used]
    assert found.truth is None
    assert "which is ignored" in found.notes[0]


def test_truth_is_kept_apart(tmp_path):
    path = tmp_path / "truth.csv"
    path.write_text("x,ill\n1,yes\n2,\n3,maybe\n")
    found = read_attack(PEOPLE, [SYNTHETIC], "ill", path)
    assert found.truth.tolist() == [2, 0, 3]  # missing is 0, a value that the release lacks comes after its own
    assert "ill" not in [column.name for column in found.people.table.schema.used]


def test_columns_that_not_all_have_are_left_out_with_a_note():
    more = SYNTHETIC.drop("age").with_columns(hat=pl.lit("h"))
    found = read_attack(PEOPLE, [SYNTHETIC, more], "ill")
    assert [column.name for column in found.released[1].table.schema.used] == ["town", "ill"]
    assert any("synthetic 2 has columns that not all tables have, left out: hat" in note for note in found.notes)
    assert any("people has columns that not all tables have, left out: age" in note for note in found.notes)


@pytest.mark.parametrize(
    ("people", "synthetic", "said"),
    [
        (PEOPLE, [SYNTHETIC.drop("ill")], "synthetic has no column 'ill', which is to be guessed"),
        (PEOPLE.rename({"age": "x", "town": "y"}), [SYNTHETIC], "no column in common"),
        (PEOPLE, [SYNTHETIC[:0]], "synthetic has no rows"),
        (PEOPLE[:0], [SYNTHETIC], "people has no rows"),
        (PEOPLE, [], "at least one synthetic table"),
    ],
)
def test_what_does_not_fit_is_said(people, synthetic, said):
    with pytest.raises((SchemaMismatch, DataError), match=said):
        read_attack(people, synthetic, "ill")


def test_truth_of_other_people_is_refused():
    with pytest.raises(SchemaMismatch, match="truth has 2 rows and people 3"):
        read_attack(PEOPLE, [SYNTHETIC], "ill", pl.DataFrame({"ill": ["no", "no"]}))
    with pytest.raises(SchemaMismatch, match="truth has no column 'ill'"):
        read_attack(PEOPLE, [SYNTHETIC], "ill", PEOPLE)


def test_a_schema_may_declare_more_than_the_tables_share(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text('format = 1\n[columns.age]\nkind = "categorical"\n[columns.shoe]\nkind = "numeric"\n')
    found = read_attack(PEOPLE, [SYNTHETIC], "ill", schema=path)
    assert found.people.table.schema["age"].levels == ("30", "41", "52", "63")
