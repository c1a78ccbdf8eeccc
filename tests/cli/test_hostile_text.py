"""Nothing that a table, a file name or a program holds acts on the terminal, whatever command shows it."""

import os
import re
import sys

import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli import main

ESCAPE = "\x1b]0;owned\x1b\\\x1b[2J\x9b31m\u202e\u200b\u2066"
LONG = "n" * 10_000
OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\r?\x1b\[(1A\x1b\[)?2K|\r(?=\x1b\[1A)")
"""Colours, and what a progress bar does to its own line."""
PROGRAM = """
import shutil, sys
print("\\x1b]0;owned\\x07 \\x9b2J \\u202e", "o" * 10_000, flush=True)
sys.exit(3)
"""


@pytest.fixture
def run(monkeypatch, tmp_path):
    """A command line as in a terminal: with colours, and what it printed in both streams."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)

    def invoke(*words):
        found = CliRunner().invoke(main.app, list(map(str, words)), color=True)
        assert found.exit_code in {0, 1, 2, 3, 4}, (found.exit_code, found.output, found.exception)
        return found.stdout + found.stderr

    return invoke


def assert_harmless(shown, *, is_long=False):
    text = OURS.sub("", shown)
    acts = {each for each in text if not each.isprintable()} - {"\n"}
    assert not acts, text
    assert is_long or LONG not in text


def frame(seed=0, rows=60):
    texts = [f"=1+1{ESCAPE}{at % 3}" for at in range(rows)]
    return pl.DataFrame(
        {
            f"text{ESCAPE}": texts,
            f"line\nseethrough: verified{LONG}": [(at * 7 + seed) % 11 for at in range(rows)],
            "number": [float((at * 13 + seed) % 17) for at in range(rows)],
            f"secret{ESCAPE}": [("yes", "no")[(at + seed) % 2] for at in range(rows)],
        }
    )


SECRET = f"secret{ESCAPE}"


@pytest.fixture
def files(tmp_path):
    """Hostile tables in files of hostile names, one of them not UTF-8 where the system allows it."""
    named = {part: tmp_path / f"{part}{ESCAPE}\nverified.csv" for part in ("real", "synthetic", "holdout")}
    for seed, path in enumerate(named.values()):
        frame(seed).write_csv(path)
    return named


def tables(files):
    return [word for part, path in files.items() for word in (f"--{part}", path)]


@pytest.mark.parametrize("more", [["--verbose", "--timings", "--show-values"], ["--external", "--json"]])
def test_an_audit_shows_hostile_names_and_does_not_obey_them(run, files, tmp_path, more):
    shown = run(
        "audit", *tables(files), "--secret", SECRET, "--checks", "crp,dcr,mdcr", "--out", tmp_path / "out", *more
    )
    assert_harmless(shown, is_long="--json" in more)
    for name in ("report.html", "report.md", "report.json"):
        text = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert {each for each in text if not each.isprintable()} <= set("\n\xa0\u2009\u202f"), name
        assert name == "report.json" or LONG not in text


@pytest.mark.parametrize(
    "words",
    [
        ["audit", "--secret", f"absent{ESCAPE}{LONG}"],
        ["audit", "--keys", f"absent{ESCAPE}"],
        ["audit", "--checks", f"absent{ESCAPE}{LONG}"],
        ["audit", "--param", f"absent{ESCAPE}={LONG}"],
        ["audit", "--fail-if", f"absent{ESCAPE} > {LONG}"],
        ["audit", "--seed", f"{ESCAPE}{LONG}"],
        ["audit", f"--absent{ESCAPE}{LONG}"],
        ["audit", "--schema", f"absent{ESCAPE}{LONG}"],
        ["audit", "--encoding", f"absent{ESCAPE}{LONG}"],
        ["audit", "--card", f"absent{ESCAPE}"],
        ["attack", f"absent{ESCAPE}{LONG}"],
        ["attack", "linkage", "--secret", f"absent{ESCAPE}{LONG}"],
        [f"absent{ESCAPE}{LONG}"],
        ["explain", f"absent{ESCAPE}{LONG}"],
        ["study", "run", f"absent{ESCAPE}{LONG}.toml"],
        ["study", "status", "--store", f"absent{ESCAPE}"],
        ["study", "export", f"absent{ESCAPE}", "--store", f"absent{ESCAPE}"],
        ["verify", f"absent{ESCAPE}{LONG}"],
        ["schema", f"absent{ESCAPE}{LONG}"],
        ["split", f"absent{ESCAPE}{LONG}", "--out", "o"],
        ["synthesize", "--synthesizer", f"absent{ESCAPE}{LONG}", "--real", "r.csv", "--rows", "3", "--out", "o.csv"],
        ["synthesize", "--real", "r.csv", "--rows", f"x{ESCAPE}"],
    ],
    ids=lambda words: " ".join(words[:2])[:30].encode("ascii", "ignore").decode(),
)
def test_what_is_refused_is_shown_and_not_obeyed(run, files, words):
    needs_tables = words[0] == "audit" or words[:2] == ["attack", "linkage"]
    assert_harmless(run(*words, *(tables(files) if needs_tables else ())))


def test_every_other_command_shows_hostile_names_alike(run, files, tmp_path):
    real, synthetic, holdout = files.values()
    given = ["--real", real, "--synthetic", synthetic]
    people = frame().drop(SECRET)
    people.write_csv(tmp_path / f"people{ESCAPE}.csv")
    people_file = tmp_path / f"people{ESCAPE}.csv"
    for words in (
        ["schema", real],
        ["schema", real, "--json"],
        ["split", real, "--out", tmp_path / f"split{ESCAPE}"],
        ["attack", "dcr", "--people", people_file, "--synthetic", synthetic, "--secret", SECRET],
        ["attack", "dcr", "--people", people_file, "--synthetic", synthetic, "--secret", SECRET, "--json"],
        ["attack", "membership", "--people", people_file, "--synthetic", synthetic, "--id", "number"],
        ["attack", "linkage", *given, "--secret", SECRET, "--out", tmp_path / f"out{ESCAPE}.csv"],
        ["reverse-map", *given, "--out", tmp_path / f"mapped{ESCAPE}"],
        [
            "synthesize",
            "--synthesizer",
            "indhist",
            "--real",
            real,
            "--rows",
            "20",
            "--out",
            tmp_path / f"a{ESCAPE}.csv",
        ],
        ["game", "--real", real, "--secret", SECRET, "--rows", "20", "--sizes", "20", "--games", "1", "--workers", "1"],
        ["verify", tmp_path / "report.json", *given, "--holdout", holdout],
    ):
        shown = run(*words)
        assert shown
        assert_harmless(shown, is_long=words[0] == "schema" or "--json" in words)


@pytest.mark.skipif(os.name != "posix", reason="programs are run on POSIX only")
def test_the_output_of_a_program_is_shown_and_not_obeyed(run, files, tmp_path):
    (tmp_path / "generator.py").write_text(PROGRAM, encoding="utf-8")
    program = f"run='{sys.executable}' generator.py {{input}} {{output}}"
    shown = run(
        *("synthesize", "--synthesizer", "command", "--param", program, "--real", files["real"]),
        *("--rows", "20", "--out", tmp_path / "made.csv"),
    )
    assert "ended with exit code 3; it said last:" in shown
    assert_harmless(shown)


def test_a_plan_is_shown_and_not_obeyed(run, files, tmp_path):
    plan = tmp_path / "plan.toml"
    hostile = "\\u001b]0;owned\\u0007\\u009b2J\\u202e"
    plan.write_text(f'format = 1\nname = "{hostile}{LONG}"\ntitle = "{hostile}"\nwrong{hostile[:0]} = "{hostile}"\n')
    assert_harmless(run("study", "run", plan))
    plan.write_text(f'format = 1\nname = "fine"\ntitle = "{hostile}"\nsource = "{hostile}"\n"{hostile}" = 1\n')
    assert_harmless(run("study", "run", plan))
