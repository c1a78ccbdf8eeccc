"""What is needed is little, has a lower bound that is tested, and is justified where contributors look."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from lowest_versions import lowest_versions

ROOT = Path(__file__).resolve().parents[2]


def test_every_dependency_has_a_lower_bound_and_nothing_else():
    pins = lowest_versions(ROOT / "pyproject.toml")
    assert {pin.partition("==")[0] for pin in pins} >= {"numpy", "polars", "typer", "pytest", "dask"}
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9.]+", pin) for pin in pins)


def test_the_script_prints_them():
    script = Path(__file__).with_name("lowest_versions.py")
    found = subprocess.run(
        [sys.executable, script, ROOT / "pyproject.toml"], capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines() == lowest_versions(ROOT / "pyproject.toml")


def test_contributors_read_why_each_dependency_is_there():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z0-9-]+)`", page, re.MULTILINE))
    assert rows == {each.partition(">=")[0] for each in told["dependencies"]}
