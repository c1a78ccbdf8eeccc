"""The command and the Python of the page "Take away" are run, and give the numbers of the audit that they stand for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import seethrough as st
from seethrough.web.pages.equivalent import EquivalentAudit, TablePaths, name_paths, quote_powershell

NAME = "it's a, odd name"
"""Of a column: a quote, a comma, blanks."""


def people(seed, rows=60):
    numbers = pl.DataFrame({"row": range(rows)}).with_columns(
        age=(pl.col("row") * (7 + seed)) % 70 + 20,
        sex=pl.when(pl.col("row") % (2 + seed) == 0).then(pl.lit("F")).otherwise(pl.lit("M")),
        job=pl.concat_str(pl.lit("job "), ((pl.col("row") * (3 + seed)) % 5).cast(pl.String)),
    )
    return numbers.drop("row").with_columns(
        pl.when(pl.col("age") % (3 + seed) == 0).then(pl.lit(">50K")).otherwise(pl.lit("<=50K")).alias(NAME)
    )


@pytest.fixture
def folder(tmp_path):
    real = people(0)
    real.write_csv(tmp_path / "the real.csv")
    pl.concat([real[:30], people(2)[:30]]).write_csv(tmp_path / "-synth.csv")
    people(1).write_csv(tmp_path / "out$side.csv")
    return tmp_path


def audit_in(folder):
    return st.audit(
        folder / "the real.csv",
        folder / "-synth.csv",
        folder / "out$side.csv",
        secret=NAME,
        keys=["age", "sex"],
        checks=["gcap", "crp"],
        params={"gcap": {"multi": "mean"}},
        seed=5,
    )


@pytest.fixture
def same(folder):
    report = audit_in(folder)
    (real, synth, outside) = name_paths(("the real.csv", "-synth.csv", "out$side.csv"))
    return report, EquivalentAudit.of(report, TablePaths(real, (synth,), outside))


def numbers_in(form):
    outcomes = [{key: value for key, value in each.items() if key != "seconds"} for each in form["outcomes"]]
    attacks = [{key: value for key, value in each.items() if key != "seconds"} for each in form["attacks"]]
    return form["verdict"], form["findings"], outcomes, attacks


def run_in(folder, words, **more):
    path = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(words, cwd=folder, env=path, check=True, capture_output=True, timeout=300, **more)
    return json.loads((folder / "audit" / "report.json").read_text(encoding="utf-8"))


@pytest.mark.skipif(os.name == "nt", reason="there is no sh")
def test_the_command_gives_the_same_numbers(folder, same):
    report, equivalent = same
    command = equivalent.sh().replace("seethrough audit", f"{sys.executable} -m seethrough audit", 1)
    again = run_in(folder, ["sh", "-c", command])
    assert numbers_in(again) == numbers_in(json.loads(report.to_json()))


def test_the_python_gives_the_same_numbers(folder, same):
    report, equivalent = same
    again = run_in(folder, [sys.executable, "-c", equivalent.python()])
    assert numbers_in(again) == numbers_in(json.loads(report.to_json()))


def test_a_shell_reads_every_word_as_it_was_meant(same):
    _, equivalent = same
    said = subprocess.run(
        ["sh", "-c", equivalent.sh().replace("seethrough audit", "printf '%s\\n'", 1)], check=True, capture_output=True
    )
    assert said.stdout.decode().splitlines() == [
        *("--real", "the real.csv", "--synthetic", "./-synth.csv", "--holdout", "out$side.csv"),
        *("--secret", NAME, "--keys", "age,sex", "--checks", "gcap,crp", "--param", "gcap.multi=mean"),
        *("--seed", "5", "--out", "audit"),
    ]


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("train.csv", "train.csv"),
        ("a,b", "'a,b'"),
        ("it's", "'it''s'"),
        ("it\u2019s", "'it\u2019\u2019s'"),
        ("$x `y", "'$x `y'"),
        ("", "''"),
    ],
)
def test_powershell_takes_quoted_words_as_they_are(word, quoted):
    assert quote_powershell(word) == quoted


def test_keys_that_hold_a_comma_are_left_to_the_schema():
    paths = TablePaths("r.csv", ("s.csv",))
    assert "--keys" not in EquivalentAudit(paths, keys=("a,b",), needs_schema=True).sh()
    assert "--schema schema.toml" in EquivalentAudit(paths, keys=("a,b",), needs_schema=True).sh()
    assert "keys=['a,b']" in EquivalentAudit(paths, keys=("a,b",), needs_schema=True).python()


def test_what_is_usual_is_not_said():
    plain = EquivalentAudit(TablePaths("r.csv", ("s.csv",))).sh()
    assert " ".join(plain.replace("\\", "").split()) == (
        "seethrough audit --real r.csv --synthetic s.csv --seed 0 --out audit"
    )
