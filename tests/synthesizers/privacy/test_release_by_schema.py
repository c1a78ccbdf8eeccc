"""What a release with a guarantee looks like is decided by the declared schema, whatever single records look like."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.data.schema_files import schema_from_toml
from seethrough.data.writing import write_files
from seethrough.errors import ConfigError, SchemaMismatch

DECLARED = """
format = 1
[columns.sex]
kind = "binary"
levels = ["Male", "FEMALE"]
[columns.smokes]
kind = "binary"
levels = ["TRUE", "false"]
optional = true
[columns.grade]
kind = "categorical"
levels = [3, 1, 2]
[columns.age]
kind = "numeric"
range = [0, 99]
whole = true
optional = true
[columns.income]
kind = "numeric"
range = [0, 10.5]
decimals = 2
optional = true
[columns.born]
kind = "date"
range = [1920-01-01, 2020-12-31]
format = "%d/%m/%Y"
whole = true
[columns.seen]
kind = "date"
range = [2020-01-01, 2020-12-31]
whole = true
[columns.person]
role = "id"
"""
SCHEMA = schema_from_toml(DECLARED, "declared.toml")
TYPES = {
    "sex": pl.String,
    "smokes": pl.String,
    "grade": pl.Int64,
    "age": pl.Int64,
    "income": pl.Float64,
    "born": pl.String,
    "seen": pl.Date,
}
LEVELS = {"sex": {"Male", "FEMALE"}, "smokes": {"TRUE", "false", None}, "grade": {1, 2, 3}}
QUICK = {
    "privbayes": "privbayes:k=1",
    "rap-softmax": "rap-softmax:rounds=3,relaxed_rows=20,batch=32",
    "random": "random:form=uniform",
    "pate-gan": "pate-gan:teachers=3,rounds=2,teacher_steps=1,student_steps=1,batch=8,device=cpu",
}
PLAIN = {
    "sex": ["Male", "FEMALE"] * 20,
    "smokes": ["TRUE", "false", "TRUE", "TRUE"] * 10,
    "grade": ["1", "2", "3", "2"] * 10,
    "age": ["40", "50", "61", "20"] * 10,
    "income": ["1.5", "2.25", "3.125", "0.5"] * 10,
    "born": ["01/02/1950", "03/04/1960"] * 20,
    "seen": ["2020-05-06", "2020-07-08"] * 20,
    "person": [f"p{place}" for place in range(40)],
}
ODD = {
    "another case": {"smokes": "True"},
    "spelt as a fraction": {"grade": "1.0", "age": "33.0"},
    "a fraction among whole numbers": {"age": "33.5"},
    "many decimals": {"income": "1.123456789"},
    "no decimals": {"income": "2"},
    "a missing value": {"age": "", "smokes": "NA", "income": None},
    "beyond the range": {"age": "1000", "income": "-3", "born": "01/02/1850"},
    "an ISO date": {"born": "1950-02-25"},
    "blanks around": {"sex": " Male ", "grade": " 2"},
}


def with_record(odd, place=0):
    return {name: [*texts[:place], odd.get(name, texts[place]), *texts[place + 1 :]] for name, texts in PLAIN.items()}


def tables(tmp_path):
    """Neighbouring tables, from CSV and as frames; the frames have types that single records decide."""
    first = {"plain": PLAIN, "one removed": {name: texts[1:] for name, texts in PLAIN.items()}}
    for name, texts in (first | {name: with_record(odd) for name, odd in ODD.items()}).items():
        path = tmp_path / f"{name}.csv"
        pl.DataFrame(texts).write_csv(path)
        yield name, path
        yield f"{name}, as a frame", pl.read_csv(path, infer_schema_length=None)
        yield f"{name}, columns turned", pl.DataFrame(texts).select(reversed(list(texts)))


@pytest.mark.parametrize("generator", QUICK)
def test_types_names_and_texts_are_those_of_the_schema(generator, tmp_path):
    if generator == "pate-gan":
        pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it")
    for name, real in tables(tmp_path):
        made = st.synthesize(QUICK[generator], real, 60, schema=SCHEMA, seed=1)
        frame = made.frame
        assert dict(frame.schema) == TYPES, name
        assert list(frame.columns) == list(TYPES), name
        for column, levels in LEVELS.items():
            assert set(frame[column]) <= levels, (name, column)
        assert frame["age"].drop_nulls().is_between(0, 99).all()
        assert frame["income"].drop_nulls().is_between(0, 10.5).all()
        texts = frame["income"].drop_nulls().cast(pl.String)
        assert (texts.str.split(".").list.last().str.len_chars() <= 2).all()
        assert frame["seen"].is_between(date(2020, 1, 1), date(2020, 12, 31)).all()
        assert frame["born"].str.to_date("%d/%m/%Y").is_between(date(1920, 1, 1), date(2020, 12, 31)).all()
        assert made.card.privacy.read_columns == ()
        assert "number of records and the schema count as public" in made.card.privacy.neighbours


@pytest.mark.parametrize("generator", ["privbayes", "rap-softmax"])
@pytest.mark.parametrize(
    "odd",
    [
        {"smokes": "True", "sex": " Male "},
        {"grade": "1.0", "age": "40.0"},
        {"income": "1.50", "born": "1950-02-01"},
        {"person": "somebody else"},
    ],
)
def test_a_record_that_means_the_same_makes_the_same_file(generator, odd, tmp_path):
    written = []
    for name, texts in (("plain", PLAIN), ("odd", with_record(odd))):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "real.csv"
        pl.DataFrame(texts).write_csv(path)
        table, card = st.synthesize(QUICK[generator], path, 50, schema=SCHEMA, seed=3).write(
            path.with_name("synth.csv")
        )
        written.append((table.read_bytes(), json.loads(card.read_text())))
    assert written[0] == written[1]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_the_file_is_a_function_of_the_schema_and_what_was_drawn(suffix, tmp_path):
    """`random` draws from the schema alone: neighbouring tables give the same bytes for the same random numbers."""
    files = set()
    for place, (_, real) in enumerate(tables(tmp_path)):
        made = st.synthesize(QUICK["random"], real, 30, schema=SCHEMA, seed=5)
        write_files(made.polars, tmp_path / f"{place}{suffix}", {})
        files.add((tmp_path / f"{place}{suffix}").read_bytes())
    assert len(files) == 1


@pytest.mark.parametrize("name", ["privbayes", "rap-softmax", "pate-gan", "random"])
def test_what_is_not_declared_is_demanded(name):
    if name == "pate-gan":
        pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it")
    real = pl.DataFrame(PLAIN)
    with pytest.raises(
        ConfigError, match=r"has a privacy guarantee.*declare, or give role = \"ignore\" to, age, born, gra"
    ):
        st.synthesize(QUICK[name], real, 10)
    for field, said in (("levels", "declare levels of grade"), ("range", "declare range of age")):
        lines, column = DECLARED.splitlines(), "grade" if field == "levels" else "age"
        begin = lines.index(f"[columns.{column}]")
        at = next(place for place in range(begin, len(lines)) if lines[place].startswith(field))
        part = schema_from_toml(
            "\n".join(lines[:at] + lines[at + 1 :]).replace("whole = true\noptional", "optional"), "x"
        )
        with pytest.raises(ConfigError, match=said):
            st.synthesize(QUICK[name], real, 10, schema=part)
    unknown = replace(SCHEMA, columns=SCHEMA.columns[:-1])
    with pytest.raises(ConfigError, match="to, person"):
        st.synthesize(QUICK[name], real, 10, schema=unknown)
    with pytest.raises(ConfigError, match="declare levels of"):
        st.synthesize(QUICK[name], real, 10, schema=st.infer_schema(real))


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"sex": "other"}, "levels that are not among the declared ones, in sex"),
        ({"sex": None}, "missing values where the schema allows none, in sex"),
        ({"born": None, "grade": None}, "allows none, in born, grade"),
        ({"age": "old"}, "'age' should hold numbers"),
        ({"born": "1.2.1950"}, "'born' should hold dates written %d/%m/%Y"),
    ],
)
def test_what_the_domain_has_no_place_for_is_refused(odd, said):
    with pytest.raises(SchemaMismatch, match=said):
        st.synthesize(QUICK["privbayes"], pl.DataFrame(with_record(odd)), 10, schema=SCHEMA)


def test_values_beyond_the_range_are_moved_and_counted_for_the_owner_alone(tmp_path):
    many = {**PLAIN, "age": ["-5", "100", "200", *PLAIN["age"][3:]], "income": ["11", *PLAIN["income"][1:]]}
    made = st.synthesize("privbayes:k=1", pl.DataFrame(many), 10, schema=SCHEMA)
    said = "real: column 'age': 3 values lie beyond the declared range and were moved to its nearer end"
    assert said in made.private_notes
    assert any("'income': 1 value lies" in note for note in made.private_notes)
    _, card = made.write(tmp_path / "synth.csv")
    assert "beyond" not in card.read_text()
    clamped = {**many, "age": ["0", "99", "99", *PLAIN["age"][3:]], "income": ["10.5", *PLAIN["income"][1:]]}
    first, second = (
        st.synthesize("privbayes:k=1", pl.DataFrame(x), 99, schema=SCHEMA, seed=2) for x in (many, clamped)
    )
    assert first.frame.equals(second.frame)
    assert second.private_notes == ()


def test_an_inferred_schema_that_was_written_and_read_declares_everything(tmp_path):
    from seethrough.data.schema_files import schema_to_toml

    path = tmp_path / "declared.toml"
    real = pl.DataFrame(with_record({"age": None}))
    path.write_text(schema_to_toml(st.infer_schema(real)))
    made = st.synthesize("privbayes:k=1", real, 10, schema=path)
    assert made.card.privacy.read_columns == ()
    assert np.isin(made.frame["sex"].unique().to_list(), ["Male", "FEMALE"]).all()
