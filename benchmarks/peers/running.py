"""Install other programs into environments of their own and run one metric in a fresh process, within limits."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

INSTALLING = 900
"""Seconds for an installation."""
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Limits:
    """What a run may use: seconds, and GiB of address space."""

    seconds: int = 120
    gib: int = 10


LIMITS = Limits()


class NotInstalled(Exception):
    """A program could not be installed; the message says why."""


def environment(folder: Path, wanted: tuple[tuple[str, ...], ...]) -> Path:
    """Make an environment and install into it; give its Python."""
    python = folder / "bin" / "python"
    done = folder / "installed"
    if done.exists() and done.read_text() == repr(wanted):
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    for step in wanted:
        words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *step]
        try:
            found = subprocess.run(words, capture_output=True, text=True, timeout=INSTALLING)
        except subprocess.TimeoutExpired:
            raise NotInstalled(f"installing {' '.join(step)} took over {INSTALLING} s") from None
        if found.returncode:
            errors = [line for line in found.stderr.splitlines() if line.startswith("ERROR")]
            raise NotInstalled(f"pip could not install {' '.join(step)}: {(errors or ['no reason given'])[-1]}")
    done.write_text(repr(wanted))
    return python


@dataclass(frozen=True)
class Run:
    """How a run ended: seconds, peak and scores, or in words why there are none."""

    seconds: float | None = None
    peak_gib: float | None = None
    scores: dict[str, float] | None = None
    failed: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {name: value for name, value in vars(self).items() if value not in (None, "")}


def run(
    python: Path | str,
    script: str,
    metric: str,
    folder: Path,
    roles: dict[str, Any],
    limits: Limits = LIMITS,
) -> Run:
    """Run a script in a process group of its own, in the folder of the tables; tell its peak from the system."""
    words = [str(python), str(HERE / script), metric, str(folder), json.dumps(roles)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            words, stdout=out, stderr=errors, start_new_session=True, preexec_fn=partial(_limit, limits.gib), cwd=folder
        )
        late = threading.Event()

        def stop() -> None:
            late.set()
            os.killpg(child.pid, signal.SIGKILL)

        timer = threading.Timer(limits.seconds, stop)
        timer.start()
        _, status, used = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        peak = used.ru_maxrss / (1 << 20)
        if late.is_set():
            return Run(peak_gib=peak, failed=f"over {limits.seconds} s")
        out.seek(0), errors.seek(0)
        if child.returncode == -signal.SIGKILL:
            return Run(peak_gib=peak, failed="killed by the system, as it does when memory runs out")
        if child.returncode:
            return Run(peak_gib=peak, failed=reason(errors.read(), limits.gib))
        return Run(peak_gib=peak, **json.loads(out.read().splitlines()[-1]))


def reason(errors: str, gib: int) -> str:
    """Say in short why a run failed."""
    last = (errors.strip().splitlines() or ["without a word"])[-1]
    if "MemoryError" in last or "Unable to allocate" in last or "bad_alloc" in errors:
        return f"out of memory ({gib} GiB)"
    return f"failed: {last[:120]}"


def _limit(gib: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (gib << 30, gib << 30))
