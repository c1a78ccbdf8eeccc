"""The workers of a server: which audit has one, which runs, which wait in line.

One worker for each open audit, a spare one from the start, and few of them warm: the one that was asked longest ago
ends first, unless it runs. One run at a time; others wait in line.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from seethrough.web.audits.shelf import INTERRUPTED
from seethrough.web.messages import Answer, Asked, Message, conflict, question, read_reply, redirect
from seethrough.web.processes.worker_process import WorkerEnded, WorkerLimits, WorkerProcess, start_worker

STOPPED = "You stopped the run."
_ENDED = "The audit was closed."
_TOO_LONG = "This question took more than {:g} seconds and was given up; the audit was opened again."
_TOO_LONG_NOW = "This question took more than {:g} seconds beside the run; ask again after the run."
_NO_PROCESS = "This machine has no room for another process; close something, and try again."
_LOOK_EVERY = 1.0


class WorkerEvents(Protocol):
    """What the server does when something happens to a worker or in the line."""

    def describe(self, audit: str) -> Message:
        """Give the command that opens an audit in a worker."""

    def hear(self, audit: str, event: str, data: Message) -> None:
        """Take an event that a worker tells."""

    def end_run(self, audit: str, state: str, said: str) -> None:
        """Take that a run ended before its end: "stopped" or "failed", and why."""

    def wait(self, audit: str, place: int) -> None:
        """Take that an audit waits, and behind how many others."""


@dataclass
class WorkerPool:
    """All workers of a server; `running` is the audit that runs, `line` has those that wait."""

    limits: WorkerLimits
    scratch: Path
    events: WorkerEvents
    spare: WorkerProcess | None = None
    running: str = ""
    line: list[str] = field(default_factory=list)
    _by_audit: dict[str, WorkerProcess] = field(default_factory=dict)
    _finding: asyncio.Lock = field(default_factory=asyncio.Lock)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _is_closing: bool = False

    async def start(self) -> None:
        """Start a spare worker, and the watch."""
        self.spare = await self._start()
        self._in_background(self._watch())

    async def ask(self, audit: str, asked: Asked) -> Answer:
        """Ask the worker of an audit for a page; one that takes too long is restarted."""
        try:
            return read_reply(await self.command(audit, question(0, asked)))
        except WorkerEnded as ended:
            return Answer(502, said=str(ended))
        except TimeoutError:  # which is an OSError as well
            if audit == self.running:
                return Answer(503, said=_TOO_LONG_NOW.format(self.limits.question))
            said = _TOO_LONG.format(self.limits.question)
            await self.end(audit, said)
            return Answer(504, said=said)
        except OSError:
            return Answer(503, said=_NO_PROCESS)

    async def command(self, audit: str, message: Message) -> Message:
        """Send a message to the worker of an audit, and give its answer."""
        worker = await self.find(audit)
        return await worker.ask(message, self.limits.question)

    def tell(self, audit: str, message: Message) -> None:
        """Send a message to the worker of an audit where there is one, and wait for nothing."""
        worker = self._by_audit.get(audit)
        if worker is not None and worker.is_alive:
            worker.send(message).add_done_callback(_look_at)

    async def find(self, audit: str) -> WorkerProcess:
        """Give the worker of an audit; where there is none, the spare one or a new one opens it."""
        async with self._finding:
            worker = self._by_audit.pop(audit, None)
            if worker is None or not worker.is_alive:
                worker, self.spare = self.spare, None
                worker = worker if worker is not None and worker.is_alive else await self._start()
                worker.audit = audit
                worker.send(self.events.describe(audit)).add_done_callback(_look_at)
            self._by_audit[audit] = worker  # the one asked last stands last
            await self._make_room(audit)
            return worker

    async def run(self, audit: str) -> Answer:
        """Run an audit, or let it wait in line; a second time is refused."""
        if audit == self.running or audit in self.line:
            return conflict("This audit is running already.")
        if self.running:
            self.line.append(audit)
            self._tell_places()
            return redirect("run")
        self.running = audit
        answer = await self._begin(audit)
        if answer.status < 400:
            return redirect("run")
        self.finish_run(audit)
        return answer

    async def cancel(self, audit: str) -> None:
        """Stop a run, or take it out of the line."""
        if audit in self.line:
            self.line.remove(audit)
            self.events.end_run(audit, "stopped", STOPPED)
            self._tell_places()
        elif audit == self.running:
            await self.end(audit, STOPPED)

    async def end(self, audit: str, said: str = _ENDED) -> None:
        """End the worker of an audit."""
        worker = self._by_audit.get(audit)
        if worker is not None:
            await worker.end(said, self.limits.grace)

    async def close(self) -> None:
        """End all workers."""
        self._is_closing = True
        self.line.clear()
        every = [*self._by_audit.values(), *([self.spare] if self.spare else [])]
        await asyncio.gather(*(worker.end(INTERRUPTED, self.limits.grace) for worker in every))
        for task in self._tasks:
            task.cancel()

    def finish_run(self, audit: str) -> None:
        """Take that a run came to its end, and begin the next."""
        if audit == self.running:
            self.running = ""
            if not self._is_closing:
                self._in_background(self._run_next())

    async def _run_next(self) -> None:
        """Begin the first run of the line that can begin."""
        while self.line and not self.running:
            self.running = audit = self.line.pop(0)
            answer = await self._begin(audit)
            if answer.status >= 400 and self.running == audit:
                self.running = ""
                self.events.end_run(audit, "failed", answer.said)
        self._tell_places()

    async def _begin(self, audit: str) -> Answer:
        try:
            return read_reply(await self.command(audit, {"do": "run"}))
        except (WorkerEnded, TimeoutError) as error:
            return Answer(502, said=str(error) or "The process of this audit does not answer.")

    def _tell_places(self) -> None:
        for place, audit in enumerate(self.line, 1):
            self.events.wait(audit, place)

    async def _start(self) -> WorkerProcess:
        return await start_worker(self.limits, self.scratch, self._hear, self._bury)

    def _hear(self, worker: WorkerProcess, message: Message) -> None:
        self.events.hear(worker.audit, str(message["event"]), message.get("data") or {})

    def _bury(self, worker: WorkerProcess) -> None:
        """Forget a worker that has ended; a run of it has ended too."""
        if self.spare is worker:
            self.spare = None
        if self._by_audit.get(worker.audit) is worker:
            del self._by_audit[worker.audit]
        if worker.audit and worker.audit == self.running:
            state = "stopped" if worker.ending in {STOPPED, INTERRUPTED, _ENDED} else "failed"
            self.events.end_run(worker.audit, state, worker.said)
            self.finish_run(worker.audit)

    async def _make_room(self, audit: str) -> None:
        idle = [each for each in self._by_audit if each not in {audit, self.running}]
        for each in idle[: max(0, len(self._by_audit) - self.limits.warm)]:
            await self._by_audit[each].end(_ENDED, self.limits.grace)

    async def _watch(self) -> None:
        """End workers that hold more memory than they may."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            for worker in list(self._by_audit.values()):
                held = worker.resident()
                if held is not None and held > self.limits.resident and worker.is_alive:
                    await worker.end(self.limits.said, 0.0)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _look_at(answer: "asyncio.Future[Message]") -> None:
    """Take the error of an answer that nobody waits for."""
    with suppress(asyncio.CancelledError):
        answer.exception()
