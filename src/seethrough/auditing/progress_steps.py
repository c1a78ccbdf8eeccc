"""How far an audit is: steps of its checks and of the attacks, told as progress of the whole.

Steps stand side by side on several threads: what is told names all that are under way, and progress never goes back.
One thread tells at a time.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from seethrough.results.timings import EndedAttack, Progress, ShowProgress

EVIDENCE, EVIDENCE_STEPS = "evidence", 40
"""Steps that the attacks on members and people outside count for, where each check counts for one: they take about 6 in
10 of the time of an audit with all checks."""
BEFORE_TESTS = 0.8
"""Share of these steps that attacks take; then come tests and figures."""


@dataclass(eq=False)
class _Step:
    """A step under way: what is done, and how much of it."""

    doing: str
    inside: float = 0.0


_step: ContextVar[_Step | None] = ContextVar("step", default=None)


@dataclass
class ProgressSteps:
    """Turns progress inside steps into progress of the whole; `attacks` are those of the evidence that have ended."""

    total: int
    progress: ShowProgress
    done: float = 0
    elsewhere: int = 0
    told: float = 0.0
    attacks: tuple[EndedAttack, ...] = ()
    lock: Any = field(default_factory=RLock)
    doing: str = ""
    _under_way: list[_Step] = field(default_factory=list)
    _limit: float = float("inf")

    @contextmanager
    def step(self, doing: str) -> Iterator[None]:
        """Do one step."""
        with self.under_way(doing):
            yield
        with self.lock:
            self.done += 1
            self._tell()

    def count_elsewhere(self) -> None:
        """Count a step that another process has done."""
        with self.lock:
            self.elsewhere += 1
            self._tell()

    def forget_elsewhere(self) -> None:
        """Count the steps of a process that died no longer: they are done again here."""
        with self.lock:
            self.elsewhere = 0

    @contextmanager
    def evidence(self) -> Iterator[None]:
        """Do the attacks on one release, however many they are."""
        last = self.done + EVIDENCE_STEPS
        self._limit = last
        with self.under_way(EVIDENCE):
            yield
        with self.lock:
            self.done, self._limit = last, float("inf")
            self._tell()

    @contextmanager
    def attack(self, doing: str, share: float) -> Iterator[None]:
        """Do one of the attacks on a release, which takes about that share of the time of all of them."""
        begun, said = time.perf_counter(), ""
        try:
            with self.under_way(doing):
                yield
        except Exception as error:
            said = str(error)
            raise
        finally:
            with self.lock:
                self.done = min(self.done + share * BEFORE_TESTS * EVIDENCE_STEPS, self._limit - 1)
                self.attacks += (EndedAttack(doing, time.perf_counter() - begun, said),)
                self._tell()

    def tick(self, fraction: float) -> None:
        """Tell how much is done of the step that this thread is at."""
        step = _step.get()
        with self.lock:
            if step is not None:  # a step may make several passes; never go back
                step.inside = max(step.inside, min(fraction, 1.0))
            self._tell()

    @contextmanager
    def under_way(self, doing: str) -> Iterator[None]:
        """Say what is being done, which counts for no step by itself."""
        step = _Step(doing)
        before = _step.set(step)
        with self.lock:
            self._under_way.append(step)
            self._tell()
        try:
            yield
        finally:
            _step.reset(before)
            with self.lock:
                self._under_way.remove(step)

    def _tell(self) -> None:
        """Tell what is under way; of steps inside others these alone."""
        inside = sum(step.inside for step in self._under_way)
        self.told = max(self.told, min(min(self.done + inside, self._limit) + self.elsewhere, self.total))
        doing = [step.doing for step in self._under_way]
        self.doing = " and ".join(doing[1:] if doing[:1] == [EVIDENCE] and doing[1:] else doing) or self.doing
        self.progress(Progress(self.told, self.total, self.doing, self.attacks))
