"""Releases: tables fitted to the real one."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.data.reading.release_tables import read_release
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.errors import ConfigError, DataError, SchemaMismatch, SeethroughError, showing_cells


def frame(**columns):
    rows = max(map(len, columns.values()))
    return pl.DataFrame({**columns, "v": [0.5 + row for row in range(rows)]}, strict=False)


def codes(real, synthetic, **options):
    """The codes of column `a` in both tables."""
    release = read_release(frame(a=real), [frame(a=synthetic)], **options)
    return tuple(named.table.column("a").tolist() for named in release.all)


def test_levels_are_numbered_from_one_and_missing_is_zero():
    assert codes(["y", "x", None], ["x", "", "y"]) == ([2, 1, 0], [1, 0, 2])


def test_levels_unseen_get_fresh_codes_the_same_in_all_tables():
    release = read_release(frame(a=["x", "y"]), [frame(a=["new", "x"]), frame(a=["newer", "new"])], frame(a=["z", "y"]))
    assert [named.table.column("a").tolist() for named in release.all] == [[1, 2], [3, 2], [4, 1], [5, 4]]
    assert release.train.table.schema["a"].levels == ("x", "y")


@pytest.mark.parametrize("other", [[1, 2, 3], [1.0, 2.0, 3.0], ["1", "2", "3"], [" 1.0 ", "2.", "+3"]])
def test_one_is_one_across_types(other):
    schema = Schema((Column("a", Kind.CATEGORICAL),))
    assert codes([1, 2, 3], other, schema=schema) == ([1, 2, 3], [1, 2, 3])
    assert codes(["1", "2", "3"], other, schema=schema) == ([1, 2, 3], [1, 2, 3])


def test_leading_zeros_are_kept_apart():
    assert codes(["007", "07", "7"], ["7", "007", "07"]) == ([1, 2, 3], [3, 1, 2])


def test_big_integers_stay_apart():
    big = 2**60
    schema = Schema((Column("a", Kind.CATEGORICAL),))
    assert codes([big, big + 1], [str(big + 1), str(big)], schema=schema) == ([1, 2], [2, 1])


@pytest.mark.parametrize("other", [[True, False], ["True", "FALSE"], ["true", "false"]])
def test_booleans_are_their_texts(other):
    assert codes([True, False], other) == ([2, 1], [2, 1])


def test_zero_and_one_match_booleans_with_a_note():
    release = read_release(frame(a=[True, False]), [frame(a=[0, 1])])
    assert release.synthetic[0].table.column("a").tolist() == [1, 2]
    assert release.synthetic[0].notes == (
        "synthetic: column 'a': 0 and 1 are read as false and true, as real has them",
    )
    assert codes(["0", "1"] * 10, [True, False]) == ([1, 2] * 10, [2, 1])


def test_numbers_come_as_floats_without_negative_zero():
    release = read_release(frame(a=[-0.0, 2.5, None]), [frame(a=["-0", "NA", "1e1"])])
    real, synthetic = (named.table.column("a") for named in release.all)
    assert real.dtype == np.float64
    np.testing.assert_array_equal(real, [0, 2.5, np.nan])
    np.testing.assert_array_equal(synthetic, [0, np.nan, 10])
    assert not np.signbit(real[:2]).any()
    assert not np.signbit(synthetic[0])


@pytest.mark.parametrize(("levels", "dtype"), [(255, np.uint8), (256, np.uint16)])
def test_codes_are_as_small_as_can_be(levels, dtype):
    texts = [f"level {number}" for number in range(levels - 1)] * 2
    release = read_release(frame(a=texts), [frame(a=["unseen"])])
    assert {named.table.column("a").dtype for named in release.all} == {np.dtype(dtype)}


def test_columns_are_matched_by_name_and_extra_ones_noted():
    real = pl.DataFrame({"a": ["x", "y"], "größe": [0.5, 1.5]})
    other = pl.DataFrame({"größe": [2.5], "more": [1], "a": ["y"]})
    named = read_release(real, [other]).synthetic[0]
    assert [column.tolist() for column in named.table.columns] == [[2], [2.5]]
    assert named.notes == ("synthetic has columns missing in real, left out: more",)


HOSTILE = ["^.*$", "*", "", "len", "text 0", "rows", "a\nb", 'say "x", y', "<script>", "=1+1", "literal"]


@pytest.mark.parametrize("separator", [",", ";"])
def test_any_text_may_be_a_name(tmp_path, separator):
    real = pl.DataFrame({name: [f"{at}.5", "x", ""] for at, name in enumerate(HOSTILE)})
    real.write_csv(tmp_path / "t.csv", separator=separator)
    table = read_release(real, [real]).train.table
    assert [column.levels for column in table.schema.used] == [(f"{at}.5", "x") for at in range(len(HOSTILE))]
    read = read_release(tmp_path / "t.csv", [tmp_path / "t.csv"]).train.table
    assert [column.levels for column in read.schema.used] == [column.levels for column in table.schema.used]
    with pytest.raises(SchemaMismatch, match="row 2 holds another value"):
        read_release(real, [real], schema=Schema((Column("*", Kind.NUMERIC, missing=("?",)),)))


def test_an_identifier_need_not_be_in_other_tables():
    real = pl.DataFrame({"id": [1, 2, 3], "a": [0.5, 1.5, 2.5]})
    release = read_release(real, [real.drop("id")])
    assert release.train.table.schema["id"].role is Role.ID
    with pytest.raises(SchemaMismatch, match="synthetic has no column 'id'"):
        read_release(real, [real.drop("id")], keys=["id"])


def test_a_missing_column_is_named():
    with pytest.raises(SchemaMismatch, match="holdout has no column 'a', which real has; it has b, v"):
        read_release(frame(a=[1, 2]), [frame(a=[1, 2])], frame(b=[1, 2]))


@pytest.mark.parametrize(
    ("real", "other", "found"), [(["x", "y"], [1, 2], "numbers where real has text"), ([1, 2] * 10, ["x", "y"], "text")]
)
def test_categories_of_another_type_are_refused(real, other, found):
    with pytest.raises(SchemaMismatch, match=f"synthetic: column 'a' is of another type: it holds {found}"):
        codes(real, other)


def test_categories_without_overlap_are_noted():
    release = read_release(frame(a=["x", "y"]), [frame(a=["p", "q"])])
    assert release.synthetic[0].notes == ("synthetic: column 'a' has no value in common with real",)


def test_text_where_numbers_belong_is_named_by_its_row_and_not_shown():
    long = "text " * 20
    with pytest.raises(SchemaMismatch) as raised:
        codes([0.5, 1.5, 2.5], ["1", "2", long])
    message = "synthetic: column 'a' should hold numbers as real has it, but row 3 holds another value"
    assert str(raised.value) == message
    with pytest.raises(SchemaMismatch, match="row 3 holds another value: 'text text") as shown, showing_cells(True):
        raise raised.value
    assert len(str(shown.value)) < 140


def test_booleans_where_numbers_belong_are_refused():
    with pytest.raises(SchemaMismatch, match="row 1 holds another value"):
        codes([0.5, 1.5], [True, False])


def test_a_token_for_missing_counts_in_all_tables():
    real, synthetic = codes([*range(0, 500, 10), "N"], ["N", "7"])
    assert np.isnan(real[-1])
    assert np.isnan(synthetic[0])


def test_levels_beyond_the_declared_ones_are_noted():
    schema = Schema((Column("a", Kind.CATEGORICAL, levels=("x",)),))
    release = read_release(frame(a=["x", "y"]), [frame(a=["y"])], schema=schema)
    assert release.train.notes == ("real: column 'a' has 1 values that are not among the declared levels",)
    assert release.train.table.column("a").tolist() == [1, 2]


def test_roles_reach_the_schema():
    schema = read_release(frame(a=[1, 2]), [frame(a=[1])], secrets=["a"], keys=["v"]).train.table.schema
    assert (schema.secrets, schema.keys) == (("a",), ("v",))


def test_a_key_that_is_not_there_is_refused():
    with pytest.raises(ConfigError, match="key column 'zip' is not in the real table; it has a, v"):
        codes([1, 2], [1], keys=["zip"])


def test_a_table_without_rows_is_refused(tmp_path):
    (tmp_path / "synth.csv").write_text("a,v\n")
    with pytest.raises(DataError, match=r"synth\.csv has no rows"):
        read_release(frame(a=[1, 2]), [tmp_path / "synth.csv"])


def test_a_real_file_with_a_header_only_is_refused(tmp_path):
    (tmp_path / "real.csv").write_text("a,v\n")
    with pytest.raises(DataError, match=r"real\.csv has no rows; at least two are needed"):
        read_release(tmp_path / "real.csv", [frame(a=[1])])


def test_tables_have_the_names_the_user_knows(tmp_path):
    real = frame(a=["x", "y"])
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        real.write_csv(tmp_path / folder / "synth.csv")
    paths = [tmp_path / "one" / "synth.csv", tmp_path / "two" / "synth.csv"]
    assert [named.name for named in read_release(real, paths[:1], real).all] == ["real", "holdout", "synth.csv"]
    assert [named.name for named in read_release(real, paths).synthetic] == list(map(str, paths))
    assert [named.name for named in read_release(real, [real, real]).synthetic] == ["synthetic 1", "synthetic 2"]
    assert [named.name for named in read_release(("census", real), {"tvae": real}).all] == ["census", "tvae"]


def test_a_schema_may_be_a_path(tmp_path):
    (tmp_path / "schema.toml").write_text('format = 1\n[columns.a]\nkind = "categorical"\n')
    schema = read_release(frame(a=[1, 2]), [frame(a=[1])], schema=tmp_path / "schema.toml").train.table.schema
    assert schema["a"].levels == ("1", "2")


cells = st.sampled_from(["x", "y", "1", "1.0", "007", "true", "NA", "", "é", "a b"])


@given(st.lists(st.tuples(cells, cells), min_size=3, max_size=20))
def test_a_copy_has_the_codes_of_its_original(rows):
    columns = dict(zip("ab", map(list, zip(*rows, strict=True)), strict=True))
    schema = Schema(tuple(Column(name, Kind.CATEGORICAL) for name in "ab"))
    release = read_release(frame(**columns), [frame(**columns)], schema=schema)
    assert release.train.table.digest == release.synthetic[0].table.digest
    meaning = [{"1.0": "1", "NA": "", "true": "true"}.get(text, text) for text in columns["a"]]
    coded = release.train.table.column("a").tolist()
    assert len(set(zip(meaning, coded, strict=True))) == len(set(meaning)) == len(set(coded))


@given(st.one_of(st.binary(max_size=60), st.text('ab1,;"\n\r\t .-/:é', max_size=60).map(str.encode)))
def test_any_bytes_are_read_or_refused_in_one_sentence(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(content)
    try:
        release = read_release(path, [path])
    except SeethroughError as error:
        refused = str(error)
    else:
        refused = ""
        assert release.train.table.digest == release.synthetic[0].table.digest
    assert "\n" not in refused


def test_columns_named_like_patterns_are_read():
    """Polars reads names such as ^a$ or * as patterns."""
    frame = pl.DataFrame({"^a$": [0.5, 1.5, 2.5] * 9, "*": [1, None, 3] * 9, "^.*$": ["x", "y", None] * 9})
    read = read_release(frame, [frame])
    assert [column.name for column in read.train.table.schema.columns] == list(frame.columns)


@pytest.mark.parametrize("value", [1e200, -1.7e308])
@pytest.mark.parametrize("side", [0, 1])
def test_a_number_beyond_what_can_be_squared_is_refused(value, side):
    frame = pl.DataFrame({"a": [0.5 * n for n in range(30)]})
    odd = frame.with_columns(a=pl.when(pl.int_range(pl.len()) == 3).then(value).otherwise(pl.col("a")))
    tables = [frame, frame]
    tables[side] = odd
    with pytest.raises(DataError, match=r"column 'a' holds a number beyond 1e\+100 in row 4"):
        read_release(tables[0], [tables[1]])
