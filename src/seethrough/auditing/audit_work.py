"""What is the same for every synthetic table of an audit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seethrough.auditing.attacked_people import AttackedPeople
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules
from seethrough.auditing.evidence.pool import FEWEST_OUTSIDE as FEWEST_PEOPLE
from seethrough.auditing.progress_steps import ProgressSteps
from seethrough.auditing.stopwatch import Stopwatch
from seethrough.data.release import Release
from seethrough.kernels.budget import Budget
from seethrough.protocols.check import Check
from seethrough.results.diagnostics import Artefact
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.outcome import Outcome

HearOutcome = Callable[[str, Outcome | ReleaseEvidence], None]
"""Called with the name of a release and what was found on it, as soon as it is there."""


def ignore_outcome(release: str, found: Outcome | ReleaseEvidence) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class AuditWork:
    """What is the same for every synthetic table of an audit; `people` are those attacked, None is everybody."""

    release: Release
    checks: Sequence[Check]
    seed: int
    show_values: bool
    arsenal: Arsenal | None
    rules: EvidenceRules
    budget: Budget
    steps: ProgressSteps
    watch: Stopwatch
    overlap: Artefact | None
    told: HearOutcome
    people: AttackedPeople | None = None

    @property
    def has_outsiders(self) -> bool:
        """Tell whether there are enough people outside to compare members with."""
        return self.release.holdout is not None and len(self.release.holdout.table) >= FEWEST_PEOPLE
