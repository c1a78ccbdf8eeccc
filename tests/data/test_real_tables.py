"""Real tables, where they are at hand."""

import numpy as np
import polars as pl
import pytest

from seethrough.data.reading.release_tables import infer_schema, read_release
from seethrough.data.schema import Kind


@pytest.fixture
def real_tables(shared_folder):
    return shared_folder / "data"


def test_codes_of_the_census_are_categories_and_ages_are_numbers(real_tables):
    schema = infer_schema(real_tables / "acs_employment_ma_2018.csv.gz")
    assert len(schema.used) == 17
    assert (schema["AGEP"].kind, schema["AGEP"].low, schema["AGEP"].high) == (Kind.NUMERIC, 0, 95)
    assert schema["RELP"].levels == tuple(map(str, range(18)))
    assert schema["SEX"].kind is Kind.BINARY


def test_csv_and_parquet_of_one_survey_share_their_codes(real_tables):
    release = read_release(
        real_tables / "acs_employment_ma_2018.csv.gz", [real_tables / "acs_employment_ma_2015_2017.parquet"]
    )
    earlier = release.synthetic[0]
    assert (len(release.train.table), len(earlier.table)) == (70_131, 207_546)
    assert any(note.endswith("left out: year") for note in earlier.notes)
    raw = pl.read_parquet(real_tables / "acs_employment_ma_2015_2017.parquet")["SEX"].to_numpy()
    np.testing.assert_array_equal(earlier.table.column("SEX"), raw)


def test_not_in_universe_is_missing_where_numbers_are_meant(real_tables):
    schema = infer_schema(real_tables / "nist_acs_ma2019.csv.gz")
    assert [column.name for column in schema.columns if column.missing] == ["INDP", "PINCP", "POVPIP"]
    assert {column.missing for column in schema.columns if column.missing} == {("N",)}
    assert schema["DREM"].levels == ("1", "2", "N")


def test_missing_values_become_missing_numbers(real_tables):
    path = real_tables / "rand_hie_first_year.csv.gz"
    table = read_release(path, [path]).train.table
    raw = pl.read_csv(path)
    for name in ("ghindx", "lnmeddol", "educdec"):
        assert np.isnan(table.column(name)).sum() == raw[name].null_count()


def test_text_with_marks_for_unknown_is_kept_as_it_is(real_tables):
    schema = infer_schema(real_tables / "adult.csv.gz")
    assert "?" in schema["workclass"].levels
    assert schema["income"].levels == ("<=50K", ">50K")


def test_leading_zeros_make_categories(real_tables):
    column = infer_schema(real_tables / "pums2024_fl_38col.parquet")["PUMA"]
    assert column.kind is Kind.CATEGORICAL
    assert column.levels[0] == "00101"
