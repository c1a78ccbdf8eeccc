"""Checks that are measured in a process of their own, beside the attacks behind the verdict.

Neither needs the other, and on ordinary tables each takes about half of an audit. A release is held to have a partner
where it is one table in memory of ordinary size, and all checks are this program's own: what others wrote may wait for
threads that a copy of the process does not have (`kernels.partner_process`). Numbers are the same: every check draws
from a stream of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, eq=False)
class _Ended:
    """What a partner sends last."""

    measured: MeasuredTable
    timings: Timings


class ChecksApart:
    """The checks on a synthetic table, under way in a partner."""

    def __init__(self, partner: PartnerProcess) -> None:
        self._partner = partner

    def wait(self, work: AuditWork) -> MeasuredTable | None:
        """Leave the threads to the partner and give what it measured; None where it died."""
        self._partner.leave_threads()
        for message in self._partner.messages():
            if isinstance(message, _Ended):
                work.watch.add(message.timings)
                for outcome in message.measured.outcomes:
                    work.told(work.release.synthetic[0].name, outcome)
                return message.measured
            work.steps.count(message)
        return None


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
        measured = measure_table(replace(work, told=told), next(trials))
        send(_Ended(measured, work.watch.read()))

    with partner_process(measure, work.budget.threads) as partner:
        yield None if partner is None else ChecksApart(partner)


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
        and all(type(check).__module__.startswith("seethrough.") for check in work.checks)
    )
