"""Command lines with drawn commands, options, values and files: a documented exit code, and a sentence where refused.

Options come from the commands themselves, so that a new one is searched too. Expected: an exit code that is documented
(and never that of an error of the program), no traceback, a sentence on standard error where something is refused and
then no output, nothing half-written, no file of the user changed, none left elsewhere. Most run in this process; a
share runs as a process of its own, with standard output closed, full or going nowhere in some.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from typer.testing import CliRunner, Result

from fuzz.case import Broken, Case, Ending
from fuzz.judging import CANARY
from fuzz.material import command_words
from fuzz.targets import damaged_files
from seethrough.cli.main import app

DOCUMENTED = frozenset({0, 1, 2, 3, 71, 74})
"""Without 70, an error of the program, which nobody should meet."""
AS_PROCESS = 0.02
LEFT = frozenset({"seethrough-demo", "seethrough-studies.sqlite", "tmp"})
"""What commands write where nobody says where."""

EMPTY = sha256(b"").hexdigest()


def prepare(session: Path) -> None:
    """Write files of every kind, sound and otherwise."""
    damaged_files.prepare(session)
    command_words.write_files(session)


def play(case: Case) -> Ending:
    """Draw a command line, run it, and judge how it ended."""
    words = command_words.draw(case)
    before = _digests(case.session)
    name = " ".join(word for word in words[:2] if word.isidentifier() or word == "reverse-map") or "nothing"
    code, printed, complained = _run_as_process(case, words) if case.chance(AS_PROCESS) else _run_here(words)
    said = f"seethrough {' '.join(map(repr, words))}: exit code {code}, {complained[-400:]!r}"
    if code not in DOCUMENTED:
        raise Broken(f"exit code {code}: {complained[-300:]!r} of {name}")
    _judge_texts(code, printed, complained, said)
    if _digests(case.session, [file for file in before if before[file] == EMPTY]) != before:
        raise Broken(f"a file of the user was changed by {said}")
    _judge_files(case, code, said)
    return Ending(f"exit code {code}", name, 0)


def _run_here(words: list[str]) -> tuple[int, str, str]:
    found: Result = CliRunner().invoke(app, words, prog_name="seethrough")
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.stdout, found.stderr


def _run_as_process(case: Case, words: list[str]) -> tuple[int, str, str]:
    if any("\x00" in word for word in words):
        return _run_here(words)
    how = case.pick(("plain", "closed", "full", "nobody"))
    command = [sys.executable, "-W", "error", "-m", "seethrough", *words]
    if how == "closed":
        closing = "import os, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"
        command = [sys.executable, "-c", closing, *command]
    out = Path("/dev/full").open("wb") if how == "full" else None  # noqa: SIM115 - closed below
    reading, writing = os.pipe()
    os.close(reading)
    streams = {"plain": subprocess.PIPE, "closed": subprocess.PIPE, "full": out, "nobody": writing}
    try:
        found = subprocess.run(command, stdout=streams[how], stderr=subprocess.PIPE, check=False, timeout=200)
    finally:
        os.close(writing)
        if out:
            out.close()
    texts = [(text or b"").decode(errors="replace") for text in (found.stdout, found.stderr)]
    return found.returncode, texts[0], texts[1]


def _judge_texts(code: int, printed: str, complained: str, said: str) -> None:
    for text in (printed, complained):
        if "Traceback" in text or "Warning:" in text or "panicked" in text:
            raise Broken(f"a traceback or a warning: {said}")
        if "\x1b" in text or "\x00" in text:
            raise Broken(f"control characters: {said}")
    if code == 2:
        lines = [line for line in complained.splitlines() if line.startswith(("seethrough:", "Error:", "Usage:"))]
        if not lines:
            raise Broken(f"refused without a sentence: {said}")
        if printed and "Usage:" not in printed:
            raise Broken(f"refused, with output: {said}")
        if CANARY in complained:
            raise Broken(f"a cell is repeated: {said}")


def _judge_files(case: Case, code: int, said: str) -> None:
    there = {path.name for path in case.folder.iterdir()}
    halves = {".part", ".tmp", ".lock"} if code == 2 else {".part", ".tmp"}  # a store in use keeps its lock
    parts = [path.name for path in case.folder.rglob("*") if path.suffix in halves]
    if parts:
        raise Broken(f"half-written files {parts}: {said}")
    if code == 2 and there - LEFT:
        raise Broken(f"refused, and wrote {sorted(there - LEFT)}: {said}")


def _digests(session: Path, empty: Sequence[str] = ()) -> dict[str, str]:
    """Give the digests of files; one that was `empty` may have become a store, since nothing of it is lost."""
    files = [path for path in session.iterdir() if path.is_file()]
    return {path.name: EMPTY if path.name in empty else sha256(path.read_bytes()).hexdigest() for path in files}
