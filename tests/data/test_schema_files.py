"""Schemas as files."""

import json
from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.data.reading.release_tables import infer_schema
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.schema_files import read_schema, schema_from_toml, schema_to_toml
from seethrough.errors import ConfigError

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0)


@st.composite
def columns(draw, name):
    kind = draw(st.sampled_from([kind for kind in Kind if kind is not Kind.INFERRED]))
    shared = {
        "role": draw(st.sampled_from(Role)),
        "missing": tuple(draw(st.lists(texts, max_size=3))),
        "reason": draw(texts),
    }
    if kind.has_levels:
        return Column(
            name, kind, levels=tuple(draw(st.lists(texts, max_size=4))), ordered=draw(st.booleans()), **shared
        )
    low, high = sorted(draw(st.tuples(numbers, numbers)))
    form = draw(texts) or None if kind is Kind.DATE else None
    return Column(name, kind, low=low, high=high, format=form, **shared)


@st.composite
def schemas(draw):
    names = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    return Schema(tuple(draw(columns(name)) for name in names))


def states_a_domain(column):
    return bool(column.levels) if column.kind.has_levels else column.low is not None


@given(schemas())
def test_what_is_written_is_read_back(schema):
    written = schema_to_toml(schema)
    found = schema_from_toml(written, "schema.toml")
    bare = [{**vars(column), "reason": "", "declared": states_a_domain(column)} for column in schema.columns]
    assert [vars(column) for column in found.columns] == bare
    assert schema_from_toml(schema_to_toml(found), "schema.toml") == found


def test_the_reason_stands_above_the_column():
    written = schema_to_toml(Schema((Column("a b", Kind.NUMERIC, low=0, high=1.5, reason="numbers\nof a sort"),)))
    assert written == 'format = 1\n\n# numbers of a sort\n[columns."a b"]\nkind = "numeric"\nrange = [0, 1.5]\n'


def test_ranges_of_dates_are_dates():
    column = schema_from_toml('format = 1\n[columns.d]\nkind = "date"\nrange = [1970-01-02, 1970-01-03T12:00:00]', "s")[
        "d"
    ]
    assert (column.low, column.high) == (1, 2.5)
    assert str(date(1970, 1, 2)) in schema_to_toml(Schema((column,)))


def test_levels_may_be_written_as_numbers_and_booleans():
    assert schema_from_toml('format = 1\n[columns.a]\nkind = "categorical"\nlevels = [1, 2.5, true, "x"]', "s")[
        "a"
    ].levels == ("1", "2.5", "true", "x")


def test_an_identifier_needs_no_kind():
    assert schema_from_toml('format = 1\n[columns.a]\nrole = "id"', "s")["a"].role is Role.ID


def test_a_role_alone_leaves_the_kind_to_the_real_table():
    declared = schema_from_toml('format = 1\n[columns.a]\nrole = "secret"\nmissing = ["?"]', "s")
    frame = pl.DataFrame({"a": ["x", "y", "?"] * 4, "b": [0.5 * i for i in range(12)]})
    found = infer_schema(frame, schema=declared)
    assert (found["a"].kind, found["a"].role, found["a"].levels) == (Kind.BINARY, Role.SECRET, ("x", "y"))
    assert found["b"].kind is Kind.NUMERIC


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("kind: numeric", r"s\.toml is not TOML"),
        ("[columns.a]\nkind = 'numeric'", r"s\.toml says format 'nothing'; format = 1 is expected"),
        ("format = 2", r"s\.toml says format 2; format = 1 is expected"),
        ("format = 1\ncolumn = 3", r"s\.toml has an unknown key 'column'"),
        ("format = 1", r"s\.toml declares no columns"),
        ("format = 1\n[columns]\na = 3", r"s\.toml: column 'a' is 3; a table with a kind is expected"),
        ("format = 1\n[columns.a]\nkind = 'ordinal'", r"column 'a' has kind 'ordinal'; one of numeric, categorical"),
        ("format = 1\n[columns.a]\nrange = [1, 2]", r"column 'a' is inferred, for which range has no meaning"),
        ("format = 1\n[columns.a]\nkind = []", r"column 'a' has kind \[\]"),
        ("format = 1\n[columns.a]\nkind = 'numeric'\nmin = 1", r"column 'a' has an unknown key 'min'; kind, role"),
        ("format = 1\n[columns.a]\nkind = 'numeric'\nrole = 'boss'", r"column 'a' has role 'boss'; one of secret, key"),
        (
            "format = 1\n[columns.a]\nkind = 'numeric'\nrange = [2, 1]",
            r"column 'a' has range = \[2, 1\]; \[low, high\]",
        ),
        ("format = 1\n[columns.a]\nkind = 'numeric'\nrange = 3", r"column 'a' has range = 3"),
        (
            "format = 1\n[columns.a]\nkind = 'numeric'\nlevels = ['x']",
            r"column 'a' is numeric, for which levels has no",
        ),
        ("format = 1\n[columns.a]\nkind = 'binary'\nformat = '%Y'", r"column 'a' is binary, for which format has no"),
        ("format = 1\n[columns.a]\nkind = 'binary'\nlevels = 'x'", r"column 'a' has levels = 'x'; a list is expected"),
        ("format = 1\n[columns.a]\nkind = 'binary'\nlevels = [[]]", r"a list of texts or numbers is expected"),
        ("format = 1\n[columns.a]\nkind = 'binary'\nordered = 1", r"column 'a' has ordered = 1; a bool is expected"),
    ],
)
def test_one_sentence_says_what_is_wrong(tmp_path, content, message):
    path = tmp_path / "s.toml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=message) as raised:
        read_schema(path)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    path = tmp_path / "s.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"s\.toml cannot be read as a schema"):
        read_schema(path)


SDV_COLUMNS = {
    "guest": {"sdtype": "id", "regex_format": "[A-Z]{5}"},
    "room": {"sdtype": "categorical", "order": ["low", "high"]},
    "fee": {"sdtype": "numerical", "computer_representation": "Float", "range_min": 0, "range_max": 10.5},
    "member": {"sdtype": "boolean"},
    "arrival": {"sdtype": "datetime", "datetime_format": "%d %b %Y"},
    "email": {"sdtype": "email", "pii": True},
    "city": {"sdtype": "city", "pii": False},
}


def sdv(tmp_path, version, **content):
    path = tmp_path / "metadata.json"
    path.write_text(json.dumps({"METADATA_SPEC_VERSION": version, **content}))
    return path


@pytest.mark.parametrize("version", ["SINGLE_TABLE_V1", "SINGLE_TABLE_V2", "V1", "V2"])
def test_sdv_metadata_is_read(tmp_path, version):
    table = {"columns": SDV_COLUMNS, "primary_key": "guest"}
    content = table if version.startswith("SINGLE") else {"tables": {"guests": table}, "relationships": []}
    schema = read_schema(sdv(tmp_path, version, **content))
    assert [column.name for column in schema.columns] == list(SDV_COLUMNS)
    assert [column.name for column in schema.used] == ["room", "fee", "member", "arrival", "city"]
    assert [column.kind.value for column in schema.used] == ["categorical", "numeric", "binary", "date", "categorical"]
    assert schema["room"].levels == ("low", "high")
    assert schema["room"].ordered
    assert (schema["fee"].low, schema["fee"].high) == (0, 10.5)
    assert schema["arrival"].format == "%d %b %Y"


@pytest.mark.parametrize(
    ("version", "content", "message"),
    [
        ("V1", {"tables": {"a": {}, "b": {}}}, r"metadata\.json describes 2 tables \(a, b\); exactly one is expected"),
        ("V0", {"columns": SDV_COLUMNS}, r"metadata\.json says METADATA_SPEC_VERSION 'V0'"),
        ("V2", {"tables": {"a": {}}}, r"metadata\.json describes no columns"),
        ("SINGLE_TABLE_V1", {"columns": {"a": {}}}, r"metadata\.json: column 'a' has no sdtype"),
    ],
)
def test_sdv_metadata_that_is_wrong_is_refused(tmp_path, version, content, message):
    with pytest.raises(ConfigError, match=message):
        read_schema(sdv(tmp_path, version, **content))


def test_json_that_is_none_is_refused(tmp_path):
    (tmp_path / "m.json").write_text("{")
    with pytest.raises(ConfigError, match=r"m\.json is not JSON"):
        read_schema(tmp_path / "m.json")


def test_metadata_nested_too_deep_gets_a_sentence(tmp_path):
    path = tmp_path / "metadata.json"
    path.write_text('{"columns": ' + "[" * 50_000)
    with pytest.raises(ConfigError, match="nested too deep"):
        read_schema(path)
