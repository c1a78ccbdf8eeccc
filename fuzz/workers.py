"""Running cases in processes of their own: a crash or an endless loop of a case is a finding, not the end."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzz.case import Played
from fuzz.spent_time import all_seconds, is_waiting, own_seconds

LIMIT = 300.0
"""Seconds of the processor that a case may take, and of waiting."""
LOOK = 0.2
"""Seconds between two looks at a case whose time is over by the clock."""
ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
MORE_PATHS: list[str] = []
"""Where a process looks for further targets."""
OLDEST = 3000
"""Cases after which a process makes way for a fresh one."""


@dataclass(frozen=True)
class Chunk:
    """Cases of a target that follow each other."""

    target: str
    seed: int
    first: int
    count: int
    rows: int | None = None


class Worker:
    """One process, started when it is needed and again after it died."""

    def __init__(self, folder: Path, limit: float = LIMIT) -> None:
        self._folder, self._limit = folder, limit
        self._process: subprocess.Popen[bytes] | None = None
        self._rest, self._served = b"", 0

    def run(self, chunk: Chunk) -> Iterator[Played]:
        """Run the cases of a chunk one after another, whatever becomes of one of them."""
        first, end = chunk.first, chunk.first + chunk.count
        while first < end:
            asked = vars(chunk) | {"first": first, "count": end - first}
            for played in self._ask(asked):
                first = played.number + 1
                yield played
        self._served += chunk.count
        if self._served >= OLDEST:
            self.stop()

    def _ask(self, asked: dict[str, object]) -> Iterator[Played]:
        process = self._started()
        assert process.stdin
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        number = int(str(asked["first"]))
        while True:
            line = self._line(process)
            if line is None:
                yield Played(number, broken=self._end(process), seconds=self._limit)
                return
            said = json.loads(line)
            if "begun" in said:
                number = said["begun"]
            elif "played" in said:
                yield Played(**said["played"])
            else:
                return

    def _line(self, process: "subprocess.Popen[bytes]") -> bytes | None:
        """Wait for a line; None where the process ended or the time is over."""
        assert process.stdout
        until, before = time.monotonic() + self._limit, own_seconds(process.pid)
        while b"\n" not in self._rest:
            ready, _, _ = select.select([process.stdout], [], [], max(LOOK, until - time.monotonic()))
            if not ready and not self._is_over(process.pid, before):
                continue
            read = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if not read:
                return None
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _is_over(self, process: int, before: float) -> bool:
        """Tell a case that takes too long from one that other programs keep from the processor."""
        return all_seconds(process) - before > self._limit or is_waiting(process, LOOK)

    def _end(self, process: "subprocess.Popen[bytes]") -> str:
        """Say what became of a process that says nothing more."""
        try:
            code = process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.stop()
            return f"it took longer than {self._limit:.0f} seconds"
        self.stop()
        return f"the process died: {'signal ' + str(-code) if code < 0 else 'exit code ' + str(code)}"

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._folder.mkdir(exist_ok=True)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "fuzz.worker", str(self._folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ
                | ONE_THREAD
                | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src"), *MORE_PATHS])},
            )
            self._rest, self._served = b"", 0
        return self._process

    def stop(self) -> None:
        """End the process."""
        if self._process:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    pipe.close()
        self._process = None
