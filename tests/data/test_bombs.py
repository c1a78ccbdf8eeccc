"""Small files that unpack to very much: refused in a sentence, at limits that are stated."""

import gzip

import polars as pl
import pytest

from seethrough.data.files import sources, text_files
from seethrough.data.files.sources import open_source
from seethrough.data.files.toml_files import LARGEST, parse_toml
from seethrough.errors import ConfigError, DataError
from seethrough.system.memory import physical_memory


def test_a_packed_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "LARGEST_UNPACKED", 1 << 21)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * (1 << 20)))
    with pytest.raises(DataError, match="unpacks to more than"):
        open_source(tmp_path / "t.csv.gz", "real")


@pytest.mark.parametrize("text", ["a" * (1 << 20), ",".join(f"c{at}" for at in range(100_000)) + "\n1,2\n"])
def test_a_header_without_end_is_refused(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(DataError, match="its header does not end within 262,144 characters"):
        open_source(tmp_path / "t.csv", "real")


def test_a_long_second_line_is_no_long_header(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x" * (1 << 20) + ",1\ny,2\n")
    assert open_source(tmp_path / "t.csv", "real").frame.collect().shape == (2, 2)


def test_too_many_columns_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_COLUMNS", 5)
    frame = pl.DataFrame({f"c{at}": [1] for at in range(6)})
    frame.write_parquet(tmp_path / "t.parquet")
    for given in (frame, tmp_path / "t.parquet"):
        with pytest.raises(DataError, match="has 6 columns; at most 5 are read"):
            open_source(given, "real")


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_rows_that_memory_cannot_hold_are_refused(tmp_path, monkeypatch, suffix):
    frame = pl.DataFrame({"a": [1] * 1000, "b": [2] * 1000})
    path = tmp_path / f"t.{suffix}"
    (frame.write_parquet if suffix == "parquet" else frame.write_ipc)(path)
    assert open_source(path, "real").frame.collect().shape == (1000, 2)
    monkeypatch.setattr(sources, "physical_memory", lambda: 15_999)
    with pytest.raises(DataError, match="has 1,000 rows of 2 columns, which need"):
        open_source(path, "real")


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical])
def test_long_texts_that_memory_cannot_hold_are_refused(tmp_path, monkeypatch, suffix, dtype):
    texts = pl.Series("a", ["x" * 2000, "y" * 4000]).cast(dtype).gather([0, 1] * 5000)
    frame = pl.DataFrame({"short": ["z"] * 10_000, "^a$": texts})
    path = tmp_path / f"t.{suffix}"
    (frame.write_parquet if suffix == "parquet" else frame.write_ipc)(path)
    monkeypatch.setattr(sources, "physical_memory", lambda: 4 * 30_000_000)
    assert open_source(path, "real").frame.collect().shape == (10_000, 2)
    monkeypatch.setattr(sources, "physical_memory", lambda: 4 * 30_000_000 - 4)
    with pytest.raises(DataError) as refused:
        open_source(path, "real")
    assert str(refused.value) == (
        f"t.{suffix}: its long texts (3,000 bytes on average in column '^a$') unpack to 0.0 GiB; at most 0.0 GiB, "
        "a quarter of this machine's memory, are read"
    )


def test_short_texts_may_be_as_many_as_there_are(tmp_path, monkeypatch):
    pl.DataFrame({"a": ["z" * 1024] * 1000}).write_parquet(tmp_path / "t.parquet")
    monkeypatch.setattr(sources, "physical_memory", lambda: 1000 * 8)
    assert open_source(tmp_path / "t.parquet", "real").frame.collect().shape == (1000, 1)


def test_the_memory_of_the_machine_is_known_or_said_to_be_unknown():
    found = physical_memory()
    assert found is None or found > 1 << 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 100_000 + "]" * 100_000, "nested too deep"),
        (".".join(["a"] * 5000) + " = 1", "nested too deep"),
        ("[" + ".".join(['"a"'] * 5000) + "]", "nested too deep"),
        ("#" * (LARGEST + 1), "at most"),
        ("a =", "is not TOML"),
    ],
)
def test_toml_beyond_all_use_is_refused(text, said):
    with pytest.raises(ConfigError, match=said):
        parse_toml(text, "t.toml")


def test_numbers_of_a_long_list_are_no_long_key():
    listed = ", ".join(f"{at}.5" for at in range(3000))
    assert len(parse_toml(f"a = [\n{listed}\n]", "t.toml")["a"]) == 3000
