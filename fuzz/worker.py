"""A process that runs cases: `python -m fuzz.worker FOLDER`, told by lines of JSON what to run.

Each case is announced before it begins and told when it has ended, so that whoever watches knows which case a crash
or an endless loop belongs to.
"""

import importlib.metadata
import json
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from fuzz.case import Case, Target
from fuzz.watching import Spill, own_folder, play

MEMORY = 8 << 30
"""Bytes of addresses that a process may have."""


def main(folder: Path) -> None:
    """Serve until standard input ends."""
    _limit_memory()
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    # No package is installed meanwhile, and looking through all of them takes a third of a small audit.
    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)
    spill, sessions = Spill(), dict[str, Path]()
    os.environ["HOME"] = str(folder)
    for line in sys.stdin:
        asked = json.loads(line)
        target = load(asked["target"])
        if asked["target"] not in sessions:
            # A fresh one, since a process that died may have left its own half-written.
            sessions[asked["target"]] = Path(tempfile.mkdtemp(dir=folder))
            target.prepare(sessions[asked["target"]])
        spill.take()
        _run(asked, target, sessions[asked["target"]], spill, answers)
        answers.write(json.dumps({"done": True}) + "\n")


def _limit_memory() -> None:
    """Let a case that asks for too much memory fail instead of the machine."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _run(asked: dict[str, Any], target: Target, session: Path, spill: Spill, answers: TextIO) -> None:
    for number in range(asked["first"], asked["first"] + asked["count"]):
        answers.write(json.dumps({"begun": number}) + "\n")
        with own_folder(session) as own:
            case = Case(asked["target"], asked["seed"], number, own, session, asked.get("rows"))
            played = play(target, case, spill)
        answers.write(json.dumps({"played": asdict(played)}) + "\n")


def load(name: str) -> Target:
    """Find a target by its name, or any module that is one."""
    own = (Path(__file__).parent / "targets" / f"{name}.py").exists()
    found: Any = import_module(f"fuzz.targets.{name}" if own else name)
    return found  # type: ignore[no-any-return]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
