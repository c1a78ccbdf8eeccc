"""A kill of two commands at a fixed share of their time; `python -m fuzz kills` has more at random moments.

Studies are killed in tests/study/test_killing.py.
"""

import os
import tempfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to find the processes")
CASES = (0, 4)
"""SIGTERM of an audit, SIGHUP of a program's run."""


def test_kills_lose_and_leave_nothing(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    from fuzz.case import Case
    from fuzz.watching import own_folder, play
    from fuzz.worker import load

    kills = load("kills")
    kills.prepare(tmp_path, ("audit", "synthesize"))
    for number in CASES:
        with own_folder(tmp_path) as folder:
            played = play(kills, Case("kills", 1, number, folder, tmp_path), None)
        assert not played.broken, f"python -m fuzz kills --seed 1 --case {number}\n{played.trace}"
