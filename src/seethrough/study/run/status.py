"""How far the studies in a store are, from the store alone."""

import time
from dataclasses import dataclass

from seethrough.study.cells.cell import Status
from seethrough.study.store.store import Store

ALIVE = 120.0
"""A run that has not ended and gave nothing for so many seconds may have been killed."""


@dataclass(frozen=True)
class StudyStatus:
    """One study: how many cells it has and what became of them; rate and time left of a run under way."""

    name: str
    form: str
    cells: int
    done: int
    skipped: int
    unavailable: int
    failed: int
    rate: float | None
    seconds_left: float | None
    run: str

    @property
    def missing(self) -> int:
        """Cells without any answer."""
        return self.cells - self.done - self.skipped - self.unavailable - self.failed


def study_statuses(store: Store) -> tuple[StudyStatus, ...]:
    """Sum up every study."""
    query = """
        SELECT p.study, c.status, count(*) FROM place p LEFT JOIN cell c ON c.key = p.key GROUP BY p.study, c.status
    """
    counts: dict[int, dict[str | None, int]] = {}
    for study, status, count in store.rows(query):
        counts.setdefault(study, {})[status] = count
    heads = store.rows("SELECT id, name, form FROM study ORDER BY name, form")
    return tuple(_status(store, number, name, form, counts.get(number, {})) for number, name, form in heads)


def _status(store: Store, number: int, name: str, form: str, counts: dict[str | None, int]) -> StudyStatus:
    of = {status: counts.get(status.value, 0) for status in Status}
    runs = store.rows(
        "SELECT begun, latest, computed, workers, ended FROM run WHERE study = ? ORDER BY id DESC LIMIT 1", number
    )
    rate, told = None, "not begun"
    if runs:
        begun, latest, computed, workers, ended = runs[0]
        is_quiet = time.time() - latest > ALIVE
        told = ended or (f"on {workers}, silent for {time.time() - latest:.0f} s" if is_quiet else f"on {workers}")
        rate = computed / (latest - begun) if not ended and computed and latest > begun else None
    return StudyStatus(
        name,
        form,
        sum(counts.values()),
        of[Status.DONE],
        of[Status.SKIPPED],
        of[Status.UNAVAILABLE],
        of[Status.FAILED],
        rate,
        counts.get(None, 0) / rate if rate else None,
        told,
    )


def failures(store: Store, name: str, form: str, most: int = 5) -> list[tuple[str, int]]:
    """Give the most frequent errors of failed cells, and how often each came."""
    query = """
        SELECT c.error, count(*) AS times FROM place p JOIN cell c ON c.key = p.key JOIN study s ON s.id = p.study
        WHERE s.name = ? AND s.form = ? AND c.status = 'failed' GROUP BY c.error ORDER BY times DESC, c.error LIMIT ?
    """
    return [(str(error), int(times)) for error, times in store.rows(query, name, form, most)]
