"""A way to link that another package offers is a command of its own, by its entry point."""

import json
import os
import subprocess
import sys

import pytest

from seethrough.data import samples

MODULE = '''"""Farthest: links by the largest difference of ranks."""

from dataclasses import dataclass
from typing import ClassVar

from seethrough.attacks.linkage.maximum_knowledge import MaximumKnowledge


@dataclass(frozen=True)
class Farthest:
    name: ClassVar[str] = "farthest"
    criterion: str = "max"

    @property
    def criterion_name(self):
        return self.criterion

    def link(self, view):
        return MaximumKnowledge(self.criterion).link(view)
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "farthest.py").write_text(MODULE)
    installed = tmp_path / "farthest-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: farthest\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[seethrough.linkage_attacks]\nfarthest = farthest:Farthest\n")
    found = samples.acs_release()
    columns = ["age", "education", "sex", "race"]
    found.real[:60].select(columns).write_csv(tmp_path / "real.csv")
    found.synthetic[:60].select(columns).write_csv(tmp_path / "synthetic.csv")
    return tmp_path


def run(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "seethrough", "attack", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_way_to_link_of_another_package_has_a_command(folder):
    assert "farthest" in run(folder, "--help").stdout
    given = ("--real", "real.csv", "--synthetic", "synthetic.csv", "--json")
    found, same = run(folder, "farthest", *given), run(folder, "linkage", *given, "--param", "criterion=max")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["identity"] == json.loads(same.stdout)["identity"]
    other = run(folder, "farthest", *given, "--param", "criterion=sum")
    assert json.loads(other.stdout)["criterion"] == "sum"
