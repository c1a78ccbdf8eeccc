"""One worker as the server sees it: how it is started, asked, watched and ended.

A worker is another Python process in a group of its own, with little of the environment. Questions and answers go
through its standard input and output (messages.py); when that input closes it ends, and on Linux it is killed with the
server. What it holds of memory is looked at from here; a limit of its own stands behind that.
"""

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from seethrough.web.messages import PREFIX, Message, MessageRefused, message_length, pack_message, unpack_message

GIB = 1 << 30
_KEPT = ("POLARS_MAX_THREADS", "PYTHONHOME", "SYSTEMROOT", "WINDIR", "TZ")
"""Environment variables that a worker gets besides its path and folders, where they are set."""
_ARITHMETIC = ("BLIS_", "GOMP_", "KMP_", "MKL_", "NPY_", "OMP_", "OPENBLAS_")
"""How the variables begin by which libraries choose instructions and threads: last digits, and so the order of people
who are nearly tied, hang on them, and have to be those of the command."""
_STATUS = "/proc/{}/statm"
_SOURCES = Path(__file__).parents[3]
"""Where this package is found: the folder that has ours."""


@dataclass(frozen=True)
class WorkerLimits:
    """Bytes for temporary arrays; seconds for a question, and between asking a worker to end and killing it.

    `warm` workers are kept, `program` is what Python is told to run for one.
    """

    memory: int = 4 * GIB
    threads: int | None = None
    question: float = 30.0
    grace: float = 2.0
    warm: int = 2
    beyond: int = 2 * GIB
    program: tuple[str, ...] = ("-m", "seethrough.web.worker")

    @property
    def resident(self) -> int:
        """Give the bytes that a worker may hold."""
        return self.memory + self.beyond

    @property
    def said(self) -> str:
        """Say that a worker needed more."""
        size = f"{self.resident / GIB:.3g} GiB"
        return f"The audit needed more than {size}: choose fewer checks, or start with more --memory."


class WorkerEnded(Exception):
    """The worker ended before it answered; the message is one sentence."""


Heard = Callable[["WorkerProcess", Message], None]
"""Called with events of a worker."""
Gone = Callable[["WorkerProcess"], None]
"""Called when a worker has ended."""


@dataclass(eq=False)
class WorkerProcess:
    """A worker that was started; `audit` is empty for a spare one, `ending` says why the server ended it."""

    process: Process
    heard: Heard
    gone: Gone
    audit: str = ""
    ending: str = ""
    code: int | None = None
    _number: int = 0
    _waiting: dict[int, asyncio.Future[Message]] = field(default_factory=dict)
    _listening: asyncio.Task[None] | None = None

    @property
    def is_alive(self) -> bool:
        """Tell whether it can be asked."""
        return self.code is None and not self.ending and self.process.returncode is None

    @property
    def said(self) -> str:
        """Say how it ended."""
        if self.ending:
            return self.ending
        code = self.code or 0
        how = f"exit code {code}" if code >= 0 else f"signal {-code}{', probably memory' if code == -9 else ''}"
        return f"The process of this audit ended ({how})."

    async def ask(self, message: Message, seconds: float) -> Message:
        """Send a message and wait for its answer."""
        answer = self.send(message)
        try:
            return await asyncio.wait_for(answer, seconds)
        finally:
            self._waiting.pop(message["n"], None)

    def send(self, message: Message) -> asyncio.Future[Message]:
        """Send a message; what is given will have its answer."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        if not self.is_alive or self.process.stdin is None:
            answer.set_exception(WorkerEnded(self.said))
            return answer
        self._number += 1
        message["n"] = self._number
        self._waiting[self._number] = answer
        self.process.stdin.write(pack_message(message))
        return answer

    def listen(self) -> None:
        """Begin to take what the worker says."""
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with suppress(asyncio.IncompleteReadError, MessageRefused, ConnectionError):
            while (message := await self._next()) is not None:
                self._take(message)
        if not self.ending and self.process.returncode is None:
            _signal(self.process, signal.SIGKILL)  # it closed its pipe, or spoke what nobody understands
        self.code = await self.process.wait()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(WorkerEnded(self.said))
                answer.exception()  # nobody may wait for it any more
        self.gone(self)

    async def _next(self) -> Message | None:
        assert self.process.stdout is not None
        length = message_length(await self.process.stdout.readexactly(PREFIX))
        return unpack_message(await self.process.stdout.readexactly(length))

    def _take(self, message: Message) -> None:
        if "event" in message:
            self.heard(self, message)
            return
        answer = self._waiting.pop(int(message.get("n", 0)), None)
        if answer is not None and not answer.done():
            answer.set_result(message)

    async def end(self, said: str, grace: float) -> None:
        """Terminate the worker with all that it started; kill it where it does not end in time."""
        self.ending = self.ending or said
        _signal(self.process, signal.SIGTERM)
        try:
            await asyncio.wait_for(self.process.wait(), grace)
        except TimeoutError:
            _signal(self.process, _KILL)
        await self.process.wait()
        _signal(self.process, _KILL)  # what it started and left
        if self._listening is not None and self._listening is not asyncio.current_task():
            await self._listening

    def resident(self) -> int | None:
        """Give the bytes of memory that the worker holds; None where that cannot be told."""
        place = _STATUS.format(self.process.pid)
        try:
            with open(place, encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return None if sys.platform in {"linux", "win32"} else _resident_by_ps(self.process.pid)


_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


async def start_worker(limits: WorkerLimits, scratch: Path, heard: Heard, gone: Gone) -> WorkerProcess:
    """Start a worker that has no audit yet; `scratch` is its home and its folder for temporary files."""
    words = [sys.executable, "-P", *limits.program, str(os.getpid()), str(2 * limits.resident)]
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=_environment(scratch),
        cwd=scratch,
        start_new_session=True,
    )
    worker = WorkerProcess(process, heard, gone)
    worker.listen()
    return worker


def _environment(scratch: Path) -> dict[str, str]:
    """Give what a program of the user's would get as well, and what Python needs to find this package."""
    own = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    own |= {"HOME": str(scratch), "TMPDIR": str(scratch), "PYTHONPATH": str(_SOURCES)}
    return own | {name: said for name, said in os.environ.items() if name in _KEPT or name.startswith(_ARITHMETIC)}


def _signal(process: Process, number: int) -> None:
    """Send a signal to a worker and all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.terminate()


def _resident_by_ps(process: int) -> int | None:
    found = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=False)
    return int(found.stdout) * 1024 if found.stdout.strip().isdigit() else None
