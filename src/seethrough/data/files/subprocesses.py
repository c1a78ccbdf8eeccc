"""Running a program of the user's: without a shell, within limits, and without what it does not need.

A small process of its own, the keeper, sets the limits, starts the program, and ends it with all that it started
(system/program_keeper.py).
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seethrough.errors import ConfigError, DataError
from seethrough.system.private_folders import private_folder, write_private

_KEEPER = Path(__file__).parents[2] / "system" / "program_keeper.py"
_PATIENCE = 30.0
"""Seconds that the keeper has to end all that the program started."""
_TOLD = 2000
_GIB = 1 << 30


@dataclass(frozen=True)
class Limits:
    """Seconds, GiB of address space (0: any), and names of environment variables that the program gets."""

    seconds: float
    gib: float = 0.0
    keep: tuple[str, ...] = ()


def words_of(line: str) -> list[str]:
    """Split a command line into words as a shell would."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise ConfigError(f"the command line {line!r} cannot be split into words: {error}") from error
    if not words:
        raise ConfigError("the command line is empty; a program is expected")
    return words


def run_program(words: Sequence[str], holes: Mapping[str, str], limits: Limits) -> str:
    """Run a program with its holes filled; give the end of what it said, in a form to follow a sentence."""
    if os.name != "posix":
        raise ConfigError("programs can be run on Linux and macOS only, where their time and memory can be limited")
    filled = [_filled(word, holes) for word in words]
    if shutil.which(filled[0]) is None:
        raise ConfigError(f"there is no program {filled[0]!r} that can be run")
    with private_folder("home") as home:
        said = home / ".said"
        write_private(said, b"")
        with said.open("ab") as log:
            code = _ended(filled, _environment(limits.keep, str(home)), limits, log.fileno())
        end = _end_of(said)
    if code is None:
        raise DataError(f"the program {filled[0]!r} was ended after {limits.seconds:g} seconds, its limit{end}")
    if code:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        raise DataError(f"the program {filled[0]!r} {how}{end}")
    return end


def _filled(word: str, holes: Mapping[str, str]) -> str:
    for hole, fill in holes.items():
        word = word.replace(hole, fill)
    return word


def _environment(keep: Sequence[str], home: str) -> dict[str, str]:
    own = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8"}
    for name in keep:
        if name not in os.environ:
            raise ConfigError(f"the environment variable {name!r} is to be kept, but it is not set")
    return own | {name: os.environ[name] for name in keep}


def _ended(words: Sequence[str], environment: Mapping[str, str], limits: Limits, log: int) -> int | None:
    """Wait for a program; None where it was ended at its limit. What it started ends with it."""
    keeper = [sys.executable, "-I", "-S", str(_KEEPER), str(os.getpid()), str(int(limits.gib * _GIB))]
    running = subprocess.Popen(
        [*keeper, *words],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=dict(environment),
        start_new_session=True,
    )
    try:
        return running.wait(limits.seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(running)


def _end(running: "subprocess.Popen[bytes]") -> None:
    """Let the keeper end all that the program started, and itself."""
    running.terminate()
    try:
        running.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()


def _end_of(said: Path) -> str:
    with said.open("rb") as file:
        file.seek(max(0, said.stat().st_size - _TOLD))
        text = file.read().decode("utf-8", "replace").strip()
    return f"; it said last: {text}" if text else "; it said nothing"
