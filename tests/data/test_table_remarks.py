"""What is remarked about a table has its name once, whoever shows it."""

import pytest

import seethrough as st
from seethrough.data.release import NamedTable


@pytest.fixture
def tables(tmp_path):
    """Files of which each is remarked upon: blank lines, and an encoding."""
    rows = "".join(f"{at},{'xyz'[at % 3]},{'pq'[at % 2]}\n" for at in range(40))
    for name in ("real", "first", "second"):
        (tmp_path / f"{name}.csv").write_bytes(f"number,été,secret\n{rows}\n".encode("windows-1252"))
    return [tmp_path / f"{name}.csv" for name in ("real", "first", "second")]


def twice(notes):
    return [note for note in notes for name in ("real.csv", "first.csv", "second.csv") if note.count(name) > 1]


def test_notes_of_several_releases_have_their_name_once(tables):
    real, *released = tables
    for notes in (st.reverse_map(real, released).notes, st.link(real, released, secret="secret").notes):
        assert len([note for note in notes if "blank" in note]) == 3
        assert len([note for note in notes if "windows-1252" in note]) == 3
        assert twice(notes) == []


def test_a_name_that_begins_a_word_is_not_taken_for_the_name():
    table = NamedTable("real", None, ("realistic", "real: x", "real y"))
    assert table.remarks("more") == ["real: realistic", "real: x", "real y", "real: more"]
