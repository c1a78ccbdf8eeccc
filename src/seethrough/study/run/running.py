"""Running a study: compute the cells that the store lacks, and keep each answer as it comes."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

from seethrough.study.cells.cell import Result, Status
from seethrough.study.plan.expansion import Study
from seethrough.study.run.workers import Task, Workers
from seethrough.study.store.store import Store
from seethrough.system.signals import SIGNAL_OF_CTRL_C


@dataclass(frozen=True)
class StudyProgress:
    """How far a run is: cells in all, how many were there before, computed now, and what became of them."""

    cells: int
    before: int
    computed: int
    failed: int
    unavailable: int
    seconds: float

    @property
    def rate(self) -> float:
        """Cells in a second."""
        return self.computed / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> int:
        """Cells that are still to be computed."""
        return self.cells - self.before - self.computed - self.unavailable

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this rate."""
        return self.left / self.rate if self.computed else None


@dataclass(frozen=True)
class Ended:
    """How a run ended: `reasons` says for each extra that is not installed what it would take.

    `stopped_by` is the number of the signal that stopped it, that of Ctrl-C where it was interrupted.
    """

    progress: StudyProgress
    reasons: Mapping[str, str]
    stopped: bool = False
    stopped_by: int = 0


def _nobody(progress: StudyProgress) -> None:
    """Tell nobody."""


def run(
    study: Study,
    path: Path,
    workers: Workers,
    *,
    version: str = "",
    retry_failed: bool = False,
    tell: Callable[[StudyProgress], None] = _nobody,
) -> Ended:
    """Compute what the store at `path` lacks; Ctrl-C ends it early, with all answers so far kept.

    `version` is that of the program, to be kept beside the results.
    """
    with Store.write(path, version) as store:
        number = store.enter(study)
        there = store.statuses()
        todo, reasons = _missing(study, there, retry_failed)
        absent = _unavailable(study, there, reasons)
        store.record(absent, None)
        count = _Counting(study.size, sum(len(task["cells"]) for task in todo), len(absent), tell)
        current = store.begin_run(number, workers.described)
        count.report_progress()
        try:
            _work(study, store, workers, todo, current, count)
        except KeyboardInterrupt as error:
            store.end_run(current, "stopped")
            number = getattr(error, "number", SIGNAL_OF_CTRL_C)
            return Ended(count.now(), reasons, stopped=True, stopped_by=number)
        store.end_run(current, "complete")
        return Ended(count.now(), reasons)


def _work(study: Study, store: Store, workers: Workers, todo: list[Task], current: int, count: "_Counting") -> None:
    if not todo:
        return
    tables = {loaded.digest: loaded.table for loaded in study.data.values()}
    answers = workers.answers(todo, tables)
    try:
        for results, attempts in answers:
            store.record(results, current, attempts)
            count.add(results)
    finally:
        answers.close()  # ends the workers, whatever happened


def _missing(study: Study, there: Mapping[str, str], retry_failed: bool) -> tuple[list[Task], dict[str, str]]:
    """List the tasks that are left, and the extras without which some cannot be computed."""
    final = {Status.DONE.value, Status.SKIPPED.value} | (set() if retry_failed else {Status.FAILED.value})
    reasons: dict[str, str] = {}
    for extra in sorted({group.extra for group in study.groups if group.extra}):
        if absent := lacking(extra):
            reasons[extra] = f"needs the extra {extra} ({absent} is not installed): pip install 'seethrough[{extra}]'"
    tasks: list[Task] = []
    for group in study.groups:
        keys = [cell.key for cell in group.cells if there.get(cell.key) not in final]
        if keys and group.extra not in reasons:
            tasks.append(group.task(keys))
    return tasks, reasons


def lacking(extra: str) -> str:
    """Name a package of an extra that is not installed; empty where all are there."""
    for asked in requires("seethrough") or []:
        name, _, marker = asked.partition(";")
        if f"extra == '{extra}'" in marker.replace('"', "'"):
            package = name.split("[")[0].rstrip("<>=!~ .0123456789,")
            try:
                distribution(package)
            except PackageNotFoundError:
                return package
    return ""


def _unavailable(study: Study, there: Mapping[str, str], reasons: Mapping[str, str]) -> list[Result]:
    """List the cells that need an extra which is not there."""
    final = {Status.DONE.value, Status.SKIPPED.value}
    return [
        Result(cell.key, Status.UNAVAILABLE, error=reasons[group.extra])
        for group in study.groups
        if group.extra in reasons
        for cell in group.cells
        if there.get(cell.key) not in final
    ]


class _Counting:
    """Counts what was computed, and tells."""

    def __init__(self, cells: int, todo: int, unavailable: int, tell: Callable[[StudyProgress], None]) -> None:
        self._cells, self._before, self._unavailable, self._tell = cells, cells - todo - unavailable, unavailable, tell
        self._begun = time.monotonic()
        self._computed = self._failed = 0

    def add(self, results: list[Result]) -> None:
        self._computed += len(results)
        self._failed += sum(result.status is Status.FAILED for result in results)
        self.report_progress()

    def report_progress(self) -> None:
        self._tell(self.now())

    def now(self) -> StudyProgress:
        took = time.monotonic() - self._begun
        return StudyProgress(self._cells, self._before, self._computed, self._failed, self._unavailable, took)
