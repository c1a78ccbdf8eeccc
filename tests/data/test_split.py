"""Splitting: who is in, values as they were, and a card that knows its tables."""

import csv
import gzip
import io
import json
import stat

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import binomtest

import seethrough as st
from seethrough.data.files.sources import open_source
from seethrough.data.split.audit_set import draw_audit_set
from seethrough.data.split.content_digest import content_digest
from seethrough.data.split.split_card import read_card
from seethrough.errors import ConfigError, DataError

ROWS = 300


def frame(rows=ROWS):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "code": [f"{row:05d}" for row in range(rows)],
            "x": rng.normal(size=rows),
            "town": rng.choice(["a", "b"], rows),
        }
    )


def test_everybody_is_in_one_part_and_only_the_audit_set_can_be_out():
    drawn = draw_audit_set(np.arange(1000), 0.4, 5)
    assert drawn.audited.sum() == 400
    assert drawn.is_in[~drawn.audited].all()
    assert 0 < (~drawn.is_in).sum() < 400


def test_coins_are_fair():
    heads = sum(
        int(draw.is_in[draw.audited].sum()) for draw in (draw_audit_set(np.arange(250), 0.4, s) for s in range(200))
    )
    assert binomtest(heads, 200 * 100).pvalue > 0.001


def test_rows_of_one_person_stay_together():
    persons = np.random.default_rng(1).integers(0, 300, 2000)
    persons = np.unique(persons, return_inverse=True)[1]
    drawn = draw_audit_set(persons, 0.5, 5)
    for person in range(persons.max() + 1):
        assert len({*zip(drawn.audited[persons == person], drawn.is_in[persons == person], strict=True)}) == 1


@pytest.mark.parametrize("share", [0, -0.1, 1.1])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ConfigError, match="audit share"):
        st.split(frame(), audit_share=share)


def test_too_few_people_are_refused():
    with pytest.raises(DataError, match="has 40; at least 80 are needed"):
        st.split(frame(100))


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("plain.csv", None, "utf-8"),
        ("packed.csv.gz", None, "utf-8"),
        ("semi.txt", ";", "windows-1252"),
        ("marked.csv", None, "utf-8-sig"),
        ("wide.csv", None, "utf-16"),
    ],
)
def test_records_of_a_text_file_are_kept_letter_by_letter(tmp_path, name, text, encoding):
    separator, line_end = text or ",", "\r\n" if text else "\n"
    records = [
        separator.join([f"{row:05d}", '"two\nlines"' if row % 3 else '"a ""b"""', "1,50" if text else "1.50", " é "])
        for row in range(ROWS)
    ]
    # A blank line is no row, and the last record has no line end.
    whole = line_end.join([separator.join(["id", "note", "x", "y"]), *records[:10], "", *records[10:]])
    content = whole.encode(encoding)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    parts = st.split(tmp_path / name, seed=1)
    train, holdout, card = parts.write(tmp_path / "parts")
    assert train.name == f"train{name[name.index('.') :]}"
    found = {}
    for path in (train, holdout):
        data = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
        decoded = data.decode(encoding)
        if encoding == "utf-8-sig":
            assert data.startswith(b"\xef\xbb\xbf")
        lines = decoded.split(line_end)
        assert lines[0] == separator.join(["id", "note", "x", "y"])
        found[path.name] = [row[0] for row in csv.reader(io.StringIO(decoded, newline=""), delimiter=separator)][1:]
        for record in (record for record in records if record[:5] in found[path.name]):
            assert record + line_end in decoded
    assert sorted([*found[train.name], *found[holdout.name]]) == [f"{row:05d}" for row in range(ROWS)]
    told = read_card(card)
    for part, path in ((told.train, train), (told.holdout, holdout)):
        assert part.digest == content_digest(open_source(path, "any"))
        assert part.rows == len(found[path.name])


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".stream"])
def test_typed_files_keep_their_types(tmp_path, suffix):
    whole = frame().with_columns(
        pl.col("x").cast(pl.Float32), day=pl.date(2020, 1, 1), town=pl.col("town").cast(pl.Categorical)
    )
    path = tmp_path / f"real{suffix}"
    {".parquet": whole.write_parquet, ".arrow": whole.write_ipc, ".stream": whole.write_ipc_stream}[suffix](path)
    train, holdout, _ = st.split(path, seed=1).write(tmp_path / "parts")
    read = {".parquet": pl.read_parquet, ".arrow": pl.read_ipc, ".stream": pl.read_ipc_stream}[suffix]
    assert (train.suffix, read(train).schema) == (suffix, whole.schema)
    assert pl.concat([read(train), read(holdout)]).sort("code").equals(whole)


@pytest.mark.parametrize("kind", [pl.DataFrame, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow, pl.DataFrame.lazy])
def test_frames_come_back_as_what_they_were(kind):
    parts = st.split(kind(frame()), seed=1)
    expected = {pl.DataFrame: pl.DataFrame, pl.DataFrame.to_pandas: pd.DataFrame, pl.DataFrame.to_arrow: pa.Table}
    assert isinstance(parts.train, expected.get(kind, pl.DataFrame))
    for part, told in ((parts.train, parts.card.train), (parts.holdout, parts.card.holdout)):
        assert content_digest(open_source(part, "any")) == told.digest
        assert len(part) == told.rows


def test_the_same_seed_gives_the_same_split_and_none_another_each_time():
    first, second = st.split(frame(), seed=4), st.split(frame(), seed=4)
    assert first.train.equals(second.train)
    assert first.card.members == second.card.members
    assert not st.split(frame()).train.equals(st.split(frame()).train)


def test_the_card_names_the_rows_of_the_audit_set_that_are_in(tmp_path):
    parts = st.split(frame(), seed=4)
    drawn = draw_audit_set(np.arange(ROWS), 0.4, 4)
    inside = parts.train["code"].to_list()
    named = [int(inside[row - 1]) for row in parts.card.members]
    assert named == np.flatnonzero(drawn.audited & drawn.is_in).tolist()
    _, _, card = parts.write(tmp_path)
    assert read_card(card) == parts.card.__class__(
        **{**vars(parts.card), "train": read_card(card).train, "holdout": read_card(card).holdout}
    )
    assert stat.S_IMODE(card.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {
        "train.parquet",
        "holdout.parquet",
        "holdout.parquet.card.json",
    }


def test_a_split_is_not_written_over(tmp_path):
    parts = st.split(frame(), seed=4)
    _, holdout, _ = parts.write(tmp_path)
    before = holdout.read_bytes()
    with pytest.raises(ConfigError, match="is there already"):
        st.split(frame(), seed=5).write(tmp_path)
    assert holdout.read_bytes() == before


def test_a_digest_is_that_of_the_content_whatever_the_format(tmp_path):
    whole = pl.DataFrame({"a": [1, None, 3], "b": ["x", "", "yz"]})
    whole.write_csv(tmp_path / "a.csv")
    whole.write_parquet(tmp_path / "a.parquet")
    digests = {content_digest(open_source(path, "any")) for path in (tmp_path / "a.csv", tmp_path / "a.parquet", whole)}
    assert len(digests) == 1
    others = [whole.reverse(), whole.rename({"a": "c"}), whole.with_columns(b=pl.Series(["xy", "", "z"]))]
    assert len(digests | {content_digest(open_source(other, "any")) for other in others}) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("{}", "is not the card of a split"),
        (json.dumps({"kind": "seethrough split", "format": 9}), "has format 9; 1 is supported"),
        (json.dumps({"kind": "seethrough split", "format": 1}), "is damaged"),
    ],
)
def test_what_is_no_card_is_refused_in_one_sentence(tmp_path, text, said):
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_card(tmp_path / "card.json")
