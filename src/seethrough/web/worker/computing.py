"""The thread that computes: one job after another, so that no two use the tables at once."""

import queue
import threading
from collections.abc import Callable

Job = Callable[[], None]


class Computing:
    """A line of jobs and the thread that does them; `defect` is the last error that a job did not foresee."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._open = 0
        self.defect: Exception | None = None
        self._count = threading.Lock()
        threading.Thread(target=self._work, name="computing", daemon=True).start()

    def put(self, job: Job) -> None:
        """Let a job be done after those that wait."""
        with self._count:
            self._open += 1
        self._jobs.put(job)

    @property
    def is_busy(self) -> bool:
        """Tell whether something is computed or waits for it."""
        return self._open > 0

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except Exception as error:  # noqa: BLE001  a job says itself what became of it; the next one is done all the same
                self.defect = error
            finally:
                with self._count:
                    self._open -= 1
