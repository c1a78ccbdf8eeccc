"""The page on generators: its table is complete, its examples run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.plugins import catalog

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "synthesizers" / "README.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
FILES = dict(re.findall(r"```(?:python|toml)\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the page shows, and a real table."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    people = samples.acs_release().real[:300]
    people.write_csv(tmp_path / "real.csv")
    people.select("sex", "age", "employed").write_csv(tmp_path / "people.csv")
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    return tmp_path


def test_the_table_has_every_generator():
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(.*?)`", row)} >= set(catalog.all_synthesizers())


def test_the_examples_are_all_there():
    assert set(FILES) == {"declared.toml", "my_generator.py", "my_objects.py"}
    assert len(COMMANDS) == 6


def test_the_examples_run(folder):
    for command in COMMANDS:
        words = shlex.split(command)
        if words[0] == "python3":
            subprocess.run([sys.executable, *words[1:]], check=True)
            continue
        found = CliRunner().invoke(app, words[1:])
        assert found.exit_code == 0, found.output
        if words[1] == "synthesize":
            assert len(pl.read_csv("synth.csv")) == 200
        else:
            assert any(name in found.stdout for name in ("mine", "callable:object=my_objects:fit"))


def test_what_is_not_declared_is_demanded(folder):
    words = ["synthesize", "--synthesizer", "privbayes", "--epsilon", "1", "--param", "k=1"]
    words += ["--schema", "declared.toml", "--rows", "50", "--out", "synth.csv"]
    found = CliRunner().invoke(app, [*words, "--real", "people.csv"])
    assert found.exit_code == 0, found.output
    assert "unknown: from the operating system" in found.stdout
    refused = CliRunner().invoke(app, [*words, "--real", "real.csv"])
    assert refused.exit_code == 2
    named = re.search(r"to, (.*?)\.", refused.stderr.replace("\n", " "))[1]
    assert "education" in named
    assert "sex" not in named


def test_the_python_example_runs(folder):
    block = next(text for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "st.synthesize" in text)
    (folder / "people.csv").rename("real.csv")
    names = {}
    exec(block, names)
    assert len(names["made"].frame) == 1000
    assert (folder / "synth.csv.card.json").exists()
