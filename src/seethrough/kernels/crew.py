"""Threads that share the jobs of a computation, and those that jobs bring along in turn.

A run is a list of jobs. The thread that begins it does its jobs one after the other, and helpers do what is left; a job
may begin a run of its own, whose jobs go to the same crew. So steps that stand side by side, and the blocks inside each
of them, never use more threads than the crew has: `Crew.threads` compute at any time, and one that has to wait, for the
last jobs of its run or for an answer that another thread computes (`away`), gives its place to a helper meanwhile.

No thread waits for a job that nobody has begun, because whoever begins a run does what others leave: a crew cannot
stand still. Helpers take whole steps before the blocks inside of them, and of equal ones the earliest: two threads in
one computation hand every short array operation to each other, two steps side by side meet less often (an audit of
5,000 rows takes 7.1 s that way on two cores, and 7.6 s where what has been begun is helped first). No more steps are
under way than there are threads, so memory stays bounded. The first error, or Ctrl-C, stops jobs that have not begun,
and ends those under way at the next block or request (`check_stopped`).

While another process of the same audit needs some of the cores, fewer threads compute (`limit_threads`); the rest comes
back in the middle of a run when that process has ended.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from threading import Condition, Lock, Thread
from weakref import WeakSet

Job = Callable[[], None]
Tick = Callable[[float], None]
PATIENCE = 0.5
"""Seconds of a wait, which lets Ctrl-C through on every platform."""


class Stopped(BaseException):
    """Ends a job because another one of the same run failed; nobody is told, for the other error is."""


@dataclass(eq=False)
class _JobList:
    """Jobs, how many were begun and have ended, and what went wrong, by the place of the job.

    `rank` has the places of the jobs that it is inside of; at most `most` threads do its jobs at a time.
    """

    jobs: Sequence[Job]
    most: int
    inside: "_JobPlace | None"
    rank: tuple[int, ...]
    context: Context = field(default_factory=copy_context)
    begun: int = 0
    ended: int = 0
    errors: dict[int, BaseException] = field(default_factory=dict)
    is_awaited: bool = False

    @property
    def is_stopped(self) -> bool:
        return bool(self.errors) or (self.inside is not None and self.inside.run.is_stopped)

    @property
    def has_next(self) -> bool:
        return self.begun < len(self.jobs) and not self.is_stopped

    @property
    def is_over(self) -> bool:
        return self.ended == self.begun and not self.has_next

    def do(self, place: int, crew: "Crew") -> None:
        """Do one job, in the context of who began the run; keep what it raises."""
        try:
            self.context.copy().run(_do_at, _JobPlace(self, place, crew), self.jobs[place])
        except BaseException as error:  # noqa: BLE001  it is raised where the run was begun
            self.errors[place] = error

    def raise_error(self) -> None:
        """Raise the first error by the order of jobs; one that only stopped tells nothing."""
        told = [self.errors[place] for place in sorted(self.errors)]
        for error in [each for each in told if not isinstance(each, Stopped)] or told:
            raise error
        if self.begun < len(self.jobs):
            raise Stopped


@dataclass(frozen=True, eq=False)
class _JobPlace:
    """Where a thread is: at which job of which run of which crew."""

    run: _JobList
    job: int
    crew: "Crew"


_place: ContextVar[_JobPlace | None] = ContextVar("place", default=None)


def _do_at(place: _JobPlace, job: Job) -> None:
    _place.set(place)
    job()


def run_jobs(jobs: Sequence[Job], threads: int, tick: Tick) -> None:
    """Do all jobs on at most so many threads, those of the crew that this thread belongs to; `tick` is told here."""
    place = _place.get()
    if threads == 1 or (place is not None and len(jobs) < 2):
        for done, job in enumerate(jobs, 1):
            check_stopped()
            job()
            tick(done / len(jobs))
    elif place is not None:
        place.crew.run(jobs, threads, tick)
    else:
        with _hired(threads) as crew:  # even for one job, which may begin runs that are many and short
            crew.run(jobs, threads, tick)


def check_stopped() -> None:
    """End the job that this thread is at where another one has failed."""
    place = _place.get()
    if place is not None and place.run.is_stopped:
        raise Stopped


def wait_away(changed: Condition, holds: Callable[[], bool]) -> None:
    """Wait until something holds, of which `changed` tells; a helper computes meanwhile.

    This thread must not hold `changed`: it may have to wait for its place while others need it.
    """
    place = _place.get()
    with nullcontext() if place is None else place.crew.away(), changed:
        while not holds():
            check_stopped()
            changed.wait(PATIENCE)


@contextmanager
def _hired(threads: int) -> Iterator["Crew"]:
    crew = Crew(threads)
    with _limit.lock:
        _limit.crews.add(crew)
    try:
        yield crew
    finally:
        crew.dismiss()


class _ThreadLimit:
    """How many threads of a crew may compute in this process, and whom to tell when more may."""

    def __init__(self) -> None:
        self.most: int | None = None
        self.crews: WeakSet[Crew] = WeakSet()
        self.lock = Lock()


_limit = _ThreadLimit()


def limit_threads(most: int | None) -> None:
    """Let at most so many threads of a crew compute from now on, also in runs under way; None lifts the limit."""
    with _limit.lock:
        _limit.most = most
        crews = list(_limit.crews)
    for crew in crews:
        crew.look_again()


class Crew:
    """A thread and its helpers, of which so many compute at a time."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._changed = Condition()
        self._open: list[_JobList] = []
        self._helpers: list[Thread] = []
        self._computing, self._returning, self._idle = 1, 0, 0
        self._is_dismissed = False

    @property
    def threads(self) -> int:
        """How many threads compute at a time."""
        most = _limit.most
        return self._threads if most is None else min(self._threads, most)

    def look_again(self) -> None:
        """Have a helper take part if there may be more of them than before."""
        with self._changed:
            if not self._is_dismissed:
                self._call_helper()

    def run(self, jobs: Sequence[Job], most: int, tick: Tick) -> None:
        """Do all jobs with the helpers; raises the first error once all jobs under way have ended."""
        check_stopped()
        inside = _place.get()
        run = _JobList(jobs, most, inside, () if inside is None else (*inside.run.rank, inside.job))
        with self._changed:
            self._open.append(run)
            self._call_helper()
        try:
            self._take_part(run, tick)
            self._wait_for(run)
            if not run.errors:
                tick(1.0)
        except BaseException as error:  # noqa: BLE001  Ctrl-C, or an error of who is told
            run.errors.setdefault(len(jobs), error)
            self._wait_for(run)
        run.raise_error()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Give the place of this thread to a helper, and take one again at the end."""
        with self._changed:
            self._leave()
        try:
            yield
        finally:
            with self._changed:
                self._returning += 1
                self._return()

    def dismiss(self) -> None:
        """Let all helpers go; nothing is under way."""
        with self._changed:
            self._is_dismissed = True
            self._changed.notify_all()
        for helper in self._helpers:
            helper.join()

    def _take_part(self, run: _JobList, tick: Tick) -> None:
        """Do jobs of a run as long as there are some that nobody does."""
        while (place := self._begin(run)) is not None:
            run.do(place, self)
            with self._changed:
                self._end(run)
            if not run.is_stopped:
                tick(run.ended / len(run.jobs))

    def _begin(self, run: _JobList) -> int | None:
        with self._changed:
            if not run.has_next:
                self._close(run)
                return None
            run.begun += 1
            return run.begun - 1

    def _end(self, run: _JobList) -> None:
        run.ended += 1
        if run.is_over and run.is_awaited:
            run.is_awaited = False
            self._returning += 1  # on behalf of the thread that waits: its place must not go to a new job
        self._changed.notify_all()

    def _close(self, run: _JobList) -> None:
        if run in self._open:
            self._open.remove(run)

    def _wait_for(self, run: _JobList) -> None:
        """Wait until helpers have done what they began of a run."""
        with self._changed:
            self._close(run)
            if run.is_over:
                return
            run.is_awaited = True
            self._leave()
            try:
                while not run.is_over:
                    self._changed.wait(PATIENCE)
            finally:
                self._returning += int(run.is_awaited)
                run.is_awaited = False
                self._return()

    def _leave(self) -> None:
        self._computing -= 1
        self._call_helper()

    def _return(self) -> None:
        try:
            while self._computing >= self.threads:
                self._changed.wait(PATIENCE)
        finally:
            self._returning -= 1
            self._computing += 1

    def _call_helper(self) -> None:
        """Have somebody look for a job; one more thread where all others compute or wait."""
        if not self._idle and self._can_help():
            self._idle += 1
            self._helpers.append(Thread(target=self._help, name="helper", daemon=True))
            self._helpers[-1].start()
        self._changed.notify_all()

    def _can_help(self) -> bool:
        return self._computing + self._returning < self.threads and self._next_run() is not None

    def _next_run(self) -> _JobList | None:
        """Give the run whose next job is the largest step: the one inside of the fewest others, and the earliest."""
        there = [run for run in self._open if run.has_next and run.begun - run.ended < run.most]
        return min(there, key=lambda run: (len(run.rank), *run.rank, run.begun), default=None)

    def _help(self) -> None:
        """Do jobs until the crew is dismissed."""
        with self._changed:
            while not self._is_dismissed:
                run = self._next_run() if self._can_help() else None
                if run is None:
                    self._changed.wait()
                else:
                    self._help_with(run)

    def _help_with(self, run: _JobList) -> None:
        run.begun += 1
        place = run.begun - 1
        self._idle, self._computing = self._idle - 1, self._computing + 1
        self._call_helper()
        self._changed.release()
        try:
            run.do(place, self)
        finally:
            self._changed.acquire()
            self._idle, self._computing = self._idle + 1, self._computing - 1
            self._end(run)
