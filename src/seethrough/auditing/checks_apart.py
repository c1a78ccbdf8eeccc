"""Checks that are measured in a process of their own, beside the attacks behind the verdict.

Neither needs the other, and on ordinary tables each takes about half of an audit. A release has a partner
where it is one table in memory of ordinary size, and all checks are this program's own: what others wrote may wait for
threads that a copy of the process does not have (`kernels.partner_process`). Numbers are the same: every check draws
from a stream of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial

from seethrough.auditing.audit_work import AuditWork
from seethrough.auditing.controls import Trials
from seethrough.auditing.measured_checks import MeasuredTable, measure_table
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.kernels.partner_process import PartnerProcess, Send, partner_process
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.outcome import Outcome
from seethrough.results.timings import Timings, ignore_progress

MOST_CELLS = 1 << 24
"""Cells of all tables together up to which a partner is worth its memory: what both compute is there twice."""

OURS = {"seethrough", "builtins"}
"""Packages of what a check may be made of."""


@dataclass(frozen=True, eq=False)
class _Ended:
    """What a partner sends last."""

    measured: MeasuredTable
    timings: Timings


class ChecksApart:
    """The checks on a synthetic table, under way in a partner."""

    def __init__(self, work: AuditWork) -> None:
        self._work = work
        self._ended: list[_Ended] = []
        self.partner: PartnerProcess | None = None

    def hear(self, message: "str | _Ended") -> None:
        """Count a check by its name, or keep what all of them came to."""
        if isinstance(message, _Ended):
            self._ended.append(message)
        else:
            self._work.steps.count_elsewhere()

    def wait(self) -> MeasuredTable | None:
        """Leave the threads to the partner and give what it measured; None where it died."""
        assert self.partner is not None
        with self._work.steps.under_way("checks"):
            self.partner.wait()
        if not self._ended:
            self._work.steps.forget_elsewhere()
            return None
        (ended,) = self._ended
        self._work.watch.add(ended.timings)
        for outcome in ended.measured.outcomes:
            self._work.told(self._work.release.synthetic[0].name, outcome)
        return ended.measured


@contextmanager
def checks_apart(work: AuditWork, trials: Iterator[Trials]) -> Iterator[ChecksApart | None]:
    """Begin to measure the checks in a partner, where a release may have one; it ends with the block."""
    if not _may_be_apart(work):
        yield None
        return

    def measure(send: Send) -> None:
        work.steps.progress = ignore_progress  # the streams are the original's
        work.watch.begin_apart()
        told = partial(_name_check, send)
        measured = measure_table(replace(work, told=told), next(trials), slow_last=True)
        send(_Ended(measured, work.watch.read()))

    apart = ChecksApart(work)
    with partner_process(measure, apart.hear, work.budget.threads) as apart.partner:
        yield apart if apart.partner else None


def _name_check(send: Send, release: str, found: Outcome | ReleaseEvidence) -> None:  # noqa: ARG001  as it is told
    assert not isinstance(found, ReleaseEvidence)
    send(found.check)


def _may_be_apart(work: AuditWork) -> bool:
    release = work.release
    tables = [named.table for named in release.all]
    return (
        len(release.synthetic) == 1
        and work.arsenal is not None
        and work.has_outsiders
        and work.budget.device == "cpu"
        and not any(isinstance(table, ChunkedTable) for table in tables)
        and sum(len(table) for table in tables) * len(release.train.table.schema.used) <= MOST_CELLS
        and all(is_ours(check) for check in work.checks)
    )


def is_ours(value: object) -> bool:
    """Tell whether a check is this program's own, with the attack and whatever else it is made of."""
    inside = [getattr(value, each.name) for each in fields(value)] if is_dataclass(value) else value
    parts = inside if isinstance(inside, (list, tuple)) else []
    return type(value).__module__.split(".")[0] in OURS and all(is_ours(part) for part in parts)
