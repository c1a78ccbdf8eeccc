"""Tables too large to hold: however they are cut, they are what they are in one piece."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import seethrough
from seethrough.data.files.sources import open_source
from seethrough.data.reading import chunks
from seethrough.data.reading.attack_tables import read_attack
from seethrough.data.reading.columns import read_columns, read_piece
from seethrough.data.schema import Column, Kind
from seethrough.errors import DataError, NotApplicable, SchemaMismatch

RNG = np.random.default_rng(0)
ROWS = 600
RELEASE = pl.DataFrame(
    {
        "town": RNG.choice(["a", "b", "c"], ROWS),
        "rooms": RNG.integers(1, 5, ROWS),
        "age": RNG.normal(40, 10, ROWS).round(1),
        "member": RNG.integers(0, 2, ROWS).astype(bool),
        "ill": RNG.choice(["no", "yes"], ROWS),
    }
)
PEOPLE = RELEASE[:40].drop("ill")


@pytest.fixture
def cut(monkeypatch):
    """Read tables above 200 rows in pieces of any size."""

    def to(rows, large=200):
        monkeypatch.setattr(chunks, "LARGE", large)
        monkeypatch.setattr(chunks, "PIECE", rows)

    return to


def joined(found):
    tables = list(found.tables)
    return {
        column.name: np.concatenate([table.column(column.name) for table in tables]).tolist()
        for column in tables[0].schema.used
    }


@pytest.mark.parametrize(
    ("suffix", "rows", "of"),
    [
        *(("parquet", rows, of) for rows, of in ((1, 120), (7, 150), (199, 600), (600, 600), (10_000, 600))),
        *(("csv", rows, of) for rows, of in ((7, 120), (199, 600), (600, 600), (10_000, 600))),
    ],
)
def test_pieces_of_any_size_are_the_table(suffix, rows, of, cut, tmp_path):
    path, release = tmp_path / f"release.{suffix}", RELEASE[:of]
    release.write_parquet(path, row_group_size=50) if suffix == "parquet" else release.write_csv(path)
    whole = read_attack(PEOPLE, [path], "ill")
    assert isinstance(whole.tables, tuple)
    cut(rows, of // 3)
    parts = read_attack(PEOPLE, [path], "ill")
    assert len(list(parts.tables)) >= max(of // rows, 1)
    assert joined(parts) == joined(whole)
    assert joined(parts) == joined(whole), "they may be gone through more than once"
    assert parts.people.table.digest == whole.people.table.digest
    assert parts.levels == whole.levels
    assert parts.notes[-1] == (
        f"release.{suffix} has {of} rows: it is read in pieces; what columns are is learnt from one row in 3"
    )


@pytest.mark.parametrize("attack", ["recon", "recon:robust", "dcr", "infer"])
def test_attacks_do_not_see_the_cuts(attack, cut):
    how, _, variant = attack.partition(":")
    params = {"variant": variant} if variant else {}
    found = [seethrough.attack(how, PEOPLE, RELEASE, secret="ill", params=params)]
    for rows in (90, 1000):
        cut(rows)
        found.append(seethrough.attack(how, PEOPLE, [RELEASE[:250], RELEASE[250:]], secret="ill", params=params))
    assert found[1].guesses == found[2].guesses
    if attack == "recon":  # the others scale numbers by their range, which comes from the sample
        assert found[0].guesses == found[1].guesses


def test_levels_that_the_sample_misses(cut):
    town, ill = RELEASE["town"].to_list(), RELEASE["ill"].to_list()
    town[1], town[4], town[5], ill[2] = "known", "new", "newer", "perhaps"  # none of them is a third row
    release = RELEASE.with_columns(town=pl.Series(town), ill=pl.Series(ill))
    cut(100)
    found = read_attack(PEOPLE.with_columns(town=pl.Series(["known"] * 40)), [release], "ill")
    assert found.levels == ("no", "perhaps", "yes")
    codes = joined(found)
    assert codes["ill"][2] == 2
    assert codes["town"][1] == found.people.table.column("town")[0] == 4
    assert codes["town"][4] == codes["town"][5] == 5  # nobody known has them, so they need not be told apart
    assert 5 not in codes["town"][6:]


def test_one_renaming_holds_for_all_pieces(cut):
    other = RELEASE.with_columns(pl.col("member").cast(pl.Int8)).sort("member")
    cut(50)
    found = read_attack(PEOPLE, [RELEASE, other], "ill")
    expected = [*(2 if each else 1 for each in RELEASE["member"]), *(2 if each else 1 for each in other["member"])]
    assert joined(found)["member"] == expected
    assert any("0 and 1 are read as false and true" in note for note in found.notes)


def test_a_bad_value_is_found_in_its_row(cut, tmp_path):
    ages = RELEASE["age"].cast(pl.String).to_list()
    ages[431] = "old"
    path = tmp_path / "release.csv"
    RELEASE.with_columns(age=pl.Series(ages)).write_csv(path)
    cut(100)
    with pytest.raises(SchemaMismatch, match=r"column 'age' should hold numbers .*, but row 432 holds another value$"):
        seethrough.attack("recon", PEOPLE, path, secret="ill")


def test_a_file_cut_off_on_the_way_is_an_error(cut, tmp_path):
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path, row_group_size=100, compression="uncompressed", statistics=False)
    cut(100)
    found = read_attack(PEOPLE, [path], "ill")
    path.unlink()
    with pytest.raises(DataError, match=r"release\.parquet cannot be read"):
        list(found.tables)


def test_attacks_that_need_all_rows_say_when_they_are_too_many(cut):
    cut(100)
    with pytest.raises(NotApplicable, match=r"needs all released rows at once, and the first 300 exceed .* in pieces"):
        seethrough.attack("dcr", PEOPLE, RELEASE, secret="ill", memory=3000)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.none() | st.integers(-(2**62), 2**62) | st.integers(-9, 9), max_size=30), st.booleans())
def test_whole_numbers_are_read_as_their_texts(values, small):
    values = [value if value is None or not small else value % 7 for value in values]
    source = open_source(pl.DataFrame({"x": pl.Series(values, dtype=pl.Int64), "y": ["a"] * len(values)}), "t")
    columns = [Column("x", Kind.CATEGORICAL, missing=("3",)), Column("y", Kind.CATEGORICAL)]
    slow, quick = (read(source, columns, "") for read in (read_columns, read_piece))
    for name in ("x", "y"):
        slow_texts, quick_texts = ([found[name].levels[code] for code in found[name].codes] for found in (slow, quick))
        assert quick_texts == slow_texts
