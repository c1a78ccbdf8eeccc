"""What is audited, by which checks and attacks: all that a run needs, and what its report is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from seethrough.auditing.attacked_people import AttackedPeople, Targets, decide_targets, draw_people
from seethrough.auditing.audit_work import HearOutcome, ignore_outcome
from seethrough.auditing.evidence.assess import Arsenal
from seethrough.auditing.run import AuditRun, run_audit
from seethrough.data.release import Release
from seethrough.errors import no_such
from seethrough.kernels.budget import Budget
from seethrough.protocols.check import Check
from seethrough.report.audit_report import AuditReport, FrameMaker, PolarsFrames
from seethrough.report.machine.input_files import AuditInputs, shorten_commands
from seethrough.results.evidence import GradeLimits
from seethrough.results.provenance import Provenance
from seethrough.results.report import Report
from seethrough.results.timings import ShowProgress, ignore_progress


@dataclass(frozen=True, eq=False)
class AuditPlan:
    """The tables of an audit, its checks and attacks, and what was asked for; `reading` are the seconds it took."""

    release: Release
    checks: Sequence[Check]
    arsenal: Arsenal
    provenance: Provenance
    version: str
    seed: int = 0
    budget: Budget = field(default_factory=Budget)
    limits: GradeLimits = GradeLimits()  # noqa: RUF009  a frozen value
    show_values: bool = False
    reading: float = 0.0
    frames: FrameMaker = field(default_factory=PolarsFrames)
    inputs: AuditInputs | None = None
    targets: Targets = None

    @cached_property
    def people(self) -> AttackedPeople | None:
        """Draw the people who are attacked; None is everybody."""
        return draw_people(self.release, decide_targets(self.targets, self.release), self.seed)

    def check_named(self, name: str) -> Check:
        """Find a check by its name."""
        for check in self.checks:
            if check.card.name == name:
                return check
        raise no_such("check", name, [check.card.name for check in self.checks])

    def run(
        self,
        progress: ShowProgress = ignore_progress,
        told: HearOutcome = ignore_outcome,
        *,
        keep_trials: bool = True,
    ) -> AuditRun:
        """Run the audit; `progress` hears how far it is, `told` the evidence and every outcome as it is there.

        Who needs the report alone does not keep the trials, and may have it sooner.
        """
        return run_audit(
            self.release,
            self.checks,
            seed=self.seed,
            version=self.version,
            budget=self.budget,
            progress=progress,
            told=told,
            show_values=self.show_values,
            arsenal=self.arsenal,
            limits=self.limits,
            targets=self.targets,
            keep_trials=keep_trials,
        )

    def finish(self, report: Report) -> AuditReport:
        """Give the report as a user has it in hand, with the record of what was asked for."""
        timings = replace(report.timings, reading=self.reading, total=report.timings.total + self.reading)
        known = replace(report, timings=timings, provenance=self.provenance)
        kept = known if self.inputs is None else shorten_commands(known)
        return AuditReport(**vars(kept), frames=self.frames, inputs=self.inputs)
