"""docs/adding.md, followed to the letter: its package is built in a folder, with entry points, its commands are run."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adding.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
COMMANDS = re.search(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1].splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The package as pip would install it, and tables for the commands."""
    folder = tmp_path_factory.mktemp("adding")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    installed = folder / "our_plugins-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: our-plugins\nVersion: 1.0\n")
    groups = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in own.items()) for group, own in groups.items()
    ]
    (installed / "entry_points.txt").write_text("\n".join(lines))
    for seed, name in enumerate(("real", "synthetic", "holdout")):
        people(seed).write_csv(folder / f"{name}.csv")
    people(0).drop("ill").write_csv(folder / "people.csv")
    return folder


def people(seed):
    rng = np.random.default_rng(seed)
    columns = {name: rng.choice(list("uvwxyz"), 60) for name in ("job", "town", "car")}
    return pl.DataFrame({**columns, "age": rng.integers(20, 60, 60), "ill": rng.choice(["no", "yes"], 60)})


TOGETHER = """
import contextlib, io, json, sys
from seethrough.cli.main import app
said = {}
for command in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        app(command[1:], standalone_mode=False)
    said[" ".join(command)] = printed.getvalue()
print(json.dumps(said))
"""
"""Runs commands one after the other in a process that has loaded the program once."""


def follow(folder, command):
    """Run a command of the page; give what it prints."""
    program, *rest = shlex.split(command)
    return start(folder, "-m", program, *rest)


def start(folder, *words):
    found = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, f"{words}\n{found.stdout}\n{found.stderr}"
    return found.stdout


def test_every_command_of_the_page_works(folder):
    own = [shlex.split(command) for command in COMMANDS if command.startswith("seethrough ")]
    printed = json.loads(start(folder, "-c", TOGETHER, json.dumps(own)))
    said = {" ".join(command.split()[1:3]): text for command, text in printed.items()}
    assert "near-rows" in said["list"]
    assert "vote" in said["list"]
    assert "How many real records have a synthetic row within reach?" in said["explain near-rows"]
    assert "our_plugins.vote" in said["explain vote"]
    assert "known columns vote on the secret" in " ".join(said["explain vote"].split())
    checks = {each["check"]: each for each in json.loads(said["audit --real"])["outcomes"]}
    assert checks["near-rows"]["params"]["reach"] == 0.1
    assert checks["vote"]["params"]["least"] == 2
    assert json.loads(said["attack vote"])["attack"] == "vote"
    assert len(pl.read_csv(folder / "swapped.csv")) == 50
    assert '"vote"' in said["game --real"]
    assert '"swapped:share=0"' in said["game --real"]
    assert "swapped:share=0.5" in (folder / "figures" / "variety-table.csv").read_text()


def test_the_tests_of_the_page_pass(folder):
    assert "pytest tests" in COMMANDS
    assert "8 passed" in follow(folder, "pytest tests -p no:cacheprovider")


def test_the_attack_is_known_where_the_package_is_installed_and_nowhere_else(folder, tmp_path):
    assert re.search(r"^ +vote ", follow(folder, "seethrough attack --help"), re.MULTILINE)
    found = subprocess.run(
        [sys.executable, "-m", "seethrough", "attack", "vote"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert "No such command 'vote'" in found.stderr
