"""Dates as days since 1970, in UTC."""

from datetime import date, datetime

import polars as pl
import pytest

from seethrough.data.reading.release_tables import infer_schema, read_release
from seethrough.data.schema import Column, Kind, Schema
from seethrough.errors import SchemaMismatch


def days(values, other=None, schema=None):
    frame = pl.DataFrame({"d": values, "n": [1.5] * len(values)})
    release = read_release(
        frame, [pl.DataFrame({"d": other, "n": [1.5] * len(other)}) if other else frame], schema=schema
    )
    return release.synthetic[0].table.column("d").tolist()


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["1970-01-02", "1970-01-13"], "%Y-%m-%d"),
        (["1970-01-02 00:00:00", "1970-01-13 00:00:00"], "%Y-%m-%d %H:%M:%S%.f"),
        (["1970-01-02T00:00:00", "1970-01-13T00:00:00.000"], "%Y-%m-%dT%H:%M:%S%.f"),
        (["1970-01-02T02:00:00+02:00", "1970-01-13T00:00:00Z"], "%Y-%m-%dT%H:%M:%S%.f%#z"),
        (["02/01/1970", "13/01/1970"], "%d/%m/%Y"),
        (["01/02/1970", "01/13/1970"], "%m/%d/%Y"),
        (["2.1.1970", "13.1.1970"], "%d.%m.%Y"),
        (["1970/01/02", "1970/01/13"], "%Y/%m/%d"),
        (["02/01/1970 00:00", "13/01/1970 00:00"], "%d/%m/%Y %H:%M"),
    ],
)
def test_common_forms_are_recognised(values, form):
    column = infer_schema(pl.DataFrame({"d": values}))["d"]
    assert (column.kind, column.format) == (Kind.DATE, form)
    assert (column.low, column.fill, column.high) == (1, 6.5, 12)


def test_the_time_of_day_is_a_fraction():
    assert days(["1970-01-02 06:00:00", "1969-12-31 12:00:00"]) == [1.25, -0.5]


def test_typed_dates_and_moments_mean_the_same():
    assert days([date(1970, 1, 2), date(1970, 1, 3)]) == [1, 2]
    assert days([datetime(1970, 1, 2), datetime(1970, 1, 3, 12)]) == [1, 2.5]
    zoned = pl.Series([datetime(1970, 1, 2), datetime(1970, 1, 3)]).dt.replace_time_zone("Asia/Tokyo")
    assert days(zoned) == [0.625, 1.625]


def test_other_tables_may_write_dates_in_iso_form():
    assert days(["02/01/1970", "13/01/1970"], ["1970-01-02 00:00:00", "03/01/1970"]) == [1, 2]
    assert days([date(1970, 1, 2), date(1970, 1, 3)], ["1970-01-02", "NA"])[0] == 1


def test_an_ambiguous_form_is_said():
    reason = infer_schema(pl.DataFrame({"d": ["01/02/2020", "03/04/2020"]}))["d"].reason
    assert "%d/%m/%Y" in reason
    assert "also readable as %m/%d/%Y" in reason


def test_a_declared_form_wins():
    schema = Schema((Column("d", Kind.DATE, format="%m/%d/%Y"),))
    assert days(["01/02/1970", "01/03/1970"], schema=schema) == [1, 2]
    schema = Schema((Column("d", Kind.DATE, format="%Y%m%d"),))
    assert days([19700102, 19700103], schema=schema) == [1, 2]


def test_two_digit_years_are_not_taken_for_years_of_antiquity():
    assert infer_schema(pl.DataFrame({"d": ["01/02/20", "03/04/21"]}))["d"].kind is not Kind.DATE


def test_one_value_that_is_no_date_makes_text():
    assert infer_schema(pl.DataFrame({"d": ["2020-01-01", "soon", "2020-01-03"]}))["d"].kind is Kind.CATEGORICAL


def test_a_value_that_is_no_date_in_another_table_is_named():
    with pytest.raises(SchemaMismatch, match=r"synthetic: column 'd' should hold dates .* row 2 holds another value"):
        days(["2020-01-01", "2020-01-02"], ["2020-01-01", "soon"])
