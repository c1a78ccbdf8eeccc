"""CSV files: what is read, and the one sentence said about what cannot be."""

import gzip
from csv import field_size_limit, writer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.data.files.sources import CsvOptions, open_source
from seethrough.errors import ConfigError, DataError


def rows(path, **options):
    source = open_source(path, "real", CsvOptions(**options))
    return source.collect(source.frame).rows()


@pytest.fixture
def csv(tmp_path):
    def write(content, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(csv, separator):
    assert rows(csv(f"a{separator}b\n1{separator}x\n2{separator}y\n")) == [("1", "x"), ("2", "y")]


def test_the_separator_may_be_given(csv):
    assert rows(csv("a:b\n1:x\n"), separator=":") == [("1", "x")]


def test_a_separator_of_two_characters_is_refused(csv):
    with pytest.raises(ConfigError, match="one character"):
        rows(csv("a,b\n1,2\n"), separator="::")


def test_a_comma_inside_quotes_does_not_separate(csv):
    assert rows(csv('a;b\n"1,2,3";x\n"4,5,6";y\n')) == [("1,2,3", "x"), ("4,5,6", "y")]


@pytest.mark.parametrize(
    ("encoding", "bom"),
    [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")],
)
def test_unicode_encodings_are_found(csv, encoding, bom):
    assert rows(csv(bom + "größe,名前\n1,é\n".encode(encoding))) == [("1", "é")]


def test_windows_1252_is_found_with_a_note(csv):
    source = open_source(csv("a,b\n1,€\n2,é\n".encode("cp1252")), "real")
    assert source.collect(source.frame).rows() == [("1", "€"), ("2", "é")]
    assert "windows-1252" in source.notes[0]


def test_a_byte_that_is_not_utf8_is_found_however_late_it_comes(csv):
    assert rows(csv(b"a,b\n" + b"1,x\n" * 300_000 + b"2,\xe9\n"))[-1] == ("2", "é")


def test_the_encoding_may_be_given(csv):
    assert rows(csv("a,b\n1,ж\n".encode("koi8-r")), encoding="koi8-r") == [("1", "ж")]


def test_an_encoding_that_does_not_exist_is_refused(csv):
    with pytest.raises(ConfigError, match="klingon"):
        rows(csv("a\n1\n"), encoding="klingon")


def test_an_encoding_that_does_not_fit_is_refused(csv):
    with pytest.raises(DataError, match=r"t\.csv.*not valid utf-8"):
        rows(csv(b"a\n\xe9\n"), encoding="utf-8")


def test_gzip_is_found_by_its_first_bytes(csv):
    assert rows(csv(gzip.compress(b"a,b\n1,2\n", mtime=0), "t.txt")) == [("1", "2")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_read(csv, line_end):
    assert rows(csv(line_end.join(["a,b", "1,2", "3,4", ""]))) == [("1", "2"), ("3", "4")]


def test_a_decimal_comma_is_read_where_it_does_not_separate(csv):
    assert rows(csv("a;b;c\n1,5;x,y;1\n2;1,2;2\n")) == [("1.5", "x,y", "1"), ("2", "1,2", "2")]


def test_quoted_fields_may_span_lines(csv):
    assert rows(csv('a,b\n"x\ny",\n2,3\n')) == [("x\ny", None), ("2", "3")]


def test_rows_without_any_value_are_not_blank_lines(csv):
    assert rows(csv('a,b\n,\n\n"x\n\n",1\n')) == [(None, None), ("x\n\n", "1")]


cells = st.text('ab1,;"\n .é', max_size=5)


@given(st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=8))
def test_what_the_csv_module_writes_is_read_back(tmp_path_factory, table):
    path = tmp_path_factory.getbasetemp() / "written.csv"
    with path.open("w", newline="") as file:
        writer(file).writerows([["x", "y", "z"], *table])
    assert [[cell or "" for cell in row] for row in rows(path)] == table


def test_blank_lines_are_left_out_with_a_note(csv):
    source = open_source(csv("a,b\n1,2\n\n3,\n\n"), "real")
    assert source.collect(source.frame).rows() == [("1", "2"), ("3", None)]
    assert source.notes == ("t.csv: 2 blank lines left out",)


def test_a_blank_line_in_a_single_column_is_a_missing_value(csv):
    assert rows(csv("a\n1\n\n3\n")) == [("1",), (None,), ("3",)]


def test_a_separator_at_the_end_of_every_line_adds_no_column(csv):
    assert rows(csv("a,b,\n1,2,\n3,4,\n")) == [("1", "2"), ("3", "4")]


def test_glob_characters_in_a_name_are_plain_characters(csv):
    assert rows(csv("a,b\n1,2\n", "t[1]*.csv")) == [("1", "2")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"t\.csv is empty"),
        (b"\xef\xbb\xbf", r"t\.csv .*header"),
        (b"\n1,2\n", r"t\.csv begins with an empty line"),
        (b"a,b,a\n1,2,3\n", r"t\.csv has two columns named 'a'"),
        (b"a, a\n1,2\n", r"t\.csv has two columns named 'a'"),
        (b"a,b\n1,2\n3,4,5\n6,7\n", r"t\.csv: line 3 has 3 fields where the header has 2"),
        (b"a,b,c\n1,2,3\n4,5\n6,7,8\n", r"t\.csv: line 3 has 2 fields where the header has 3"),
        (b'a,b,c\n"1\n1",2,3\n4,5\n6,7,8\n', r"t\.csv: line 4 has 2 fields where the header has 3"),
        (b"a,b,c\n1,2,3\n4", r"t\.csv ends in the middle: line 3 has 1 field where the header has 3"),
        (b'a,b\n1,2\n3,"x', r"t\.csv ends in the middle: a quotation mark on line 3"),
        (b'a,b\n1,2\n"x,3\n4,5\n6,7\n', r"t\.csv ends in the middle: a quotation mark on line 3"),
        (b'a,b\n1,5"\n2,4\n', r"t\.csv is not sound CSV: a quotation mark"),
        (b"a,b\n\x00\x01\x02,3\n", r"t\.csv is not a text file"),
        (bytes(range(256)) * 20, r"t\.csv is not a text file"),
        (b'a,"' + b"x" * 200_000, r"t\.csv: its header cannot be read as CSV"),
        (b"PK\x03\x04rest", r"t\.csv is a zip archive or a spreadsheet"),
        (b"a,b\n1,\x81\xe9\n", r"t\.csv is text neither in UTF-8 nor in windows-1252"),
        (gzip.compress(b"a,b\n1,2\n" * 10_000, mtime=0)[:-12], r"t\.csv ends in the middle: its gzip"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-8] + bytes(8), r"t\.csv is damaged"),
        (
            b"\x1f\x8b\x08\x80" + gzip.compress(b"a,b\n1,2\n", mtime=0)[4:],
            r"t\.csv cannot be read: invalid gzip header",
        ),
    ],
)
def test_one_sentence_says_what_is_wrong(csv, content, message):
    with pytest.raises(DataError, match=message) as raised:
        rows(csv(content))
    assert "\n" not in str(raised.value)


def test_a_cell_may_be_longer_than_the_csv_module_allows(csv):
    usual = field_size_limit()
    found = rows(csv("a,b\n1," + "x" * 200_000 + "\n2,y\n"))
    assert [len(row[1]) for row in found] == [200_000, 1]
    assert field_size_limit() == usual, "the limit of the process is left as it was"


@pytest.mark.parametrize("encoding", ["zlib", "base64", "rot13", "undefined"])
def test_an_encoding_that_is_not_for_text_is_refused(csv, encoding):
    with pytest.raises(ConfigError, match="is not known"):
        rows(csv("a,b\n1,2\n"), encoding=encoding)
