"""What earlier runs left in the folder of an audit, read back."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from seethrough.errors import SeethroughError
from seethrough.exploring.stored_audits import installed_cards, load_report
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine.reading_back import read_outcome
from seethrough.results.card import Card
from seethrough.results.outcome import Outcome

JOURNAL = "events.jsonl"


def restore_report(folder: Path) -> tuple[AuditReport | None, str]:
    """Read a report back; where there is none that can be read, say why."""
    try:
        return load_report(folder), ""
    except SeethroughError as error:
        return None, str(error)


def restore_outcomes(folder: Path) -> list[tuple[str, Outcome]]:
    """Read back the outcomes that a run told before it was stopped."""
    return list(_outcomes(folder, installed_cards()))


def _outcomes(folder: Path, cards: Mapping[str, Card]) -> Iterator[tuple[str, Outcome]]:
    try:
        lines = (folder / JOURNAL).read_bytes().split(b"\n")[:-1]  # a torn last line is dropped
    except OSError:
        return
    for line in lines:
        try:
            told = json.loads(line)
            if told["event"] == "outcome":
                yield str(told["data"]["release"]), read_outcome(told["data"], cards)
        except (ValueError, KeyError, TypeError, SeethroughError):
            continue
