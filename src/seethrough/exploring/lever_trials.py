"""Levers, applied to a release that is attacked again; what was found on the release as it is, is kept between them."""

from functools import cached_property

from seethrough.auditing.levers.grammar import OtherEpsilon, OtherGenerator, RegenerateWithout, parse_lever
from seethrough.auditing.levers.run import take_stock, try_baseline, try_levers
from seethrough.auditing.levers.situation import Generators, Situation, rules_of_levers
from seethrough.errors import ConfigError
from seethrough.exploring.plan import AuditPlan
from seethrough.results.levers.what_if import LeverRow
from seethrough.results.timings import Progress, ShowProgress

NO_GENERATOR = (
    "this lever makes a new release, which is not done here; `seethrough whatif` and `seethrough synthesize` do it on "
    "the command line"
)


class LeverTrials:
    """Tries levers one at a time on the release of an audit."""

    def __init__(self, plan: AuditPlan) -> None:
        self._plan = plan

    @cached_property
    def situation(self) -> Situation:
        """Attack the release as it is, once."""
        plan = self._plan
        rules = rules_of_levers(plan.release, plan.seed, plan.limits, plan.targets)
        return take_stock(plan.release, plan.arsenal, rules, plan.budget, Generators(None, {}))

    @cached_property
    def baseline(self) -> LeverRow:
        """Describe the release as it is."""
        return try_baseline(self.situation)

    def try_lever(self, line: str, tell: ShowProgress) -> LeverRow:
        """Apply one lever, attack again, and state the paired change."""
        lever = parse_lever(line)
        if isinstance(lever, OtherGenerator | OtherEpsilon | RegenerateWithout):
            raise ConfigError(NO_GENERATOR)
        tell(Progress(0, 2, "attacking the release as it is"))
        baseline = self.baseline
        tell(Progress(1, 2, str(lever)))
        [row] = try_levers(self.situation, [lever], baseline, lambda _: None)
        tell(Progress(2, 2, str(lever)))
        return row
