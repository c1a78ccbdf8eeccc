"""How far an audit is: steps of its checks and of the attacks, told as progress of the whole."""

from dataclasses import dataclass

from seethrough.results.timings import Progress, ShowProgress

EVIDENCE_STEPS = 40
"""Steps that the attacks on members and people outside count for, where each check counts for one: they take about 6 in
10 of the time of an audit with all checks."""


@dataclass
class ProgressSteps:
    """Turns progress inside a step into progress of the whole."""

    total: int
    progress: ShowProgress
    done: int = 0
    inside: float = 0.0
    doing: str = ""
    before_evidence: int = 0

    def begin(self, doing: str) -> None:
        """Begin a step."""
        self.doing = doing
        self.tick(0.0)

    def begin_attack(self, doing: str) -> None:
        """Begin the next attack of the evidence; how many there will be is not known before."""
        self.done, self.inside = min(self.done + 1, self.before_evidence + EVIDENCE_STEPS - 1), 0.0
        self.begin(doing)

    def begin_evidence(self) -> None:
        """Begin the attacks on one release."""
        self.before_evidence = self.done
        self.begin("evidence")

    def end_evidence(self) -> None:
        """End the attacks on one release, however many they were."""
        self.done = self.before_evidence + EVIDENCE_STEPS - 1
        self.end()

    def tick(self, fraction: float) -> None:
        """Tell how much of the step is done."""
        self.inside = max(self.inside, min(fraction, 1.0))  # a step may make several passes; never go back
        self.progress(Progress(min(self.done + self.inside, self.total), self.total, self.doing))

    def end(self) -> None:
        """End a step."""
        self.done, self.inside = self.done + 1, 0.0
        self.tick(0.0)
