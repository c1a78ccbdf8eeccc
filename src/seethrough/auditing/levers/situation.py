"""Where what-if starts from: the release as it is, attacked, and what can make another one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from seethrough.auditing.attacked_people import Targets, decide_targets
from seethrough.auditing.evidence.assess import Assessment, EvidenceRules
from seethrough.auditing.evidence.pool import rated_at_most
from seethrough.auditing.levers.coarsening import CoarseColumns
from seethrough.auditing.levers.copies import RealNeighbourhood
from seethrough.auditing.levers.leaks import StatedLeak
from seethrough.auditing.levers.trial import Trial
from seethrough.auditing.levers.yardstick import Yardstick
from seethrough.data.release import Release
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools, Ints
from seethrough.protocols.parameters import parameters, with_values
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.results.evidence import GradeLimits, LeakFamily
from seethrough.seeds import stream

DRAWS = 3
"""Draws of a release that is random, over which its leak and utility are averaged."""
EPSILON = "epsilon"


@dataclass(frozen=True, eq=False)
class Generators:
    """The generator that made the release, where it is known, and others by their labels."""

    own: Synthesizer | None = None
    others: Mapping[str, Synthesizer] = field(default_factory=dict)

    def the_own(self, lever: str) -> Synthesizer:
        """Give the generator of the release."""
        if self.own is None:
            raise ConfigError(f"{lever!r} needs the generator that made the release: --generator LABEL")
        return self.own

    def at_epsilon(self, epsilon: float, lever: str) -> Synthesizer:
        """Give the generator of the release with another epsilon."""
        own = self.the_own(lever)
        if EPSILON not in own_parameters(own):
            raise ConfigError(f"{lever!r}: the generator {own.name} has no parameter epsilon")
        return with_values(own, own.name, {EPSILON: epsilon})


def rules_of_levers(release: Release, seed: int, limits: GradeLimits, targets: Targets) -> EvidenceRules:
    """Say how answers are judged: as in the audit, for as many people; all files may be released as one."""
    largest = sum(len(named.table) for named in release.synthetic)
    people = decide_targets(targets, release).people
    return EvidenceRules(seed, limits, most_rated=rated_at_most(largest), targets=people)


def own_parameters(generator: Synthesizer) -> tuple[str, ...]:
    """Name the parameters of a generator; an object that is not ours has none."""
    return tuple(parameter.name for parameter in parameters(generator))


@dataclass(frozen=True, eq=False)
class Situation:
    """The release, the people it is tried on, how it is measured, and what its attacks found."""

    release: Release
    trial: Trial
    yardstick: Yardstick
    generators: Generators
    assessment: Assessment
    leaks: tuple[StatedLeak, ...]
    family: LeakFamily | None = None
    draws: int = DRAWS

    @cached_property
    def _neighbourhood(self) -> RealNeighbourhood:
        assert self.release.holdout is not None
        return RealNeighbourhood(self.release.train.table, self.release.holdout.table, self.trial.pool.bench.budget)

    def near_copies(self, release: Table, coarsening: CoarseColumns | None = None) -> Bools:
        """Tell which rows of a release are near copies of real rows."""
        return self._neighbourhood.near_copies(release, coarsening)

    @property
    def seed(self) -> int:
        """Give the seed of everything."""
        return self.trial.rules.seed

    @property
    def files(self) -> tuple[Table, ...]:
        """Give the released tables."""
        return tuple(named.table for named in self.release.synthetic)

    @property
    def whole(self) -> Table:
        """Give all released rows."""
        return stack_tables(self.files)


@dataclass(frozen=True, eq=False)
class ExposedPeople:
    """The most exposed people: their rows in the real table, and who is left out of the comparison with them.

    Members are chosen by how an attack rates them. People outside who are rated as high are left out too, so that both
    sides are chosen alike, and a release that owes nothing to anybody still shows no difference.
    """

    rows: Ints
    left_out: Bools


def most_exposed(found: Assessment, attack: str, count: int, seed: int) -> ExposedPeople:
    """Choose so many members whom an attack rates highest; those who tie at the border are drawn."""
    assert found.pool is not None
    answer = next(each for each in found.answers if each.label == attack)
    scores = np.where(answer.asked, answer.scores if answer.exposure is None else answer.exposure, -np.inf)
    inside, rng = found.pool.member_people, stream(seed, "ties of exposed people")
    members = rng.permutation(np.flatnonzero(inside))
    if count >= len(members):
        raise ConfigError(f"of {len(members)} people who were attacked {count} cannot be left out")
    ranked = members[np.argsort(-scores[members], kind="stable")]
    chosen, border = ranked[:count], scores[ranked[count - 1]]
    left_out = (~inside) & (scores > border)
    tied = rng.permutation(np.flatnonzero(~inside & (scores == border)))
    share = np.count_nonzero(scores[chosen] == border) / np.count_nonzero(scores[members] == border)
    left_out[tied[: round(share * len(tied))]] = True
    left_out[chosen] = True
    rows = found.pool.rows[found.pool.members & left_out[found.pool.persons]]
    return ExposedPeople(np.sort(rows), left_out)
