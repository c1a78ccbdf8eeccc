"""Who is in: an audit set is drawn, and a fair coin decides for each of it; everybody else is in."""

from dataclasses import dataclass

import numpy as np

from seethrough.errors import ConfigError, DataError
from seethrough.kernels.arrays import Bools, Ints
from seethrough.seeds import stream

FEWEST_AUDITED = 80
"""People of an audit set: of so many, fewer than the 30 that an audit needs are out in one of a hundred splits."""


@dataclass(frozen=True, eq=False)
class AuditSet:
    """For each row: whether its person is in the audit set, and whether they are in the training table."""

    audited: Bools
    is_in: Bools


def draw_audit_set(persons: Ints, share: float, seed: int) -> AuditSet:
    """Draw people, numbered from 0 on, and toss their coins."""
    if not 0 < share <= 1:
        raise ConfigError(f"an audit share of {share:g} is not possible; it is above 0 and at most 1, as 0.4")
    people = int(persons.max(initial=-1)) + 1
    size = round(share * people)
    if size < FEWEST_AUDITED:
        raise DataError(
            f"an audit set of {share:.0%} of {people:,} people has {size}; at least {FEWEST_AUDITED} are needed, so "
            "that a coin leaves enough of them outside"
        )
    audited, is_in = np.zeros(people, bool), np.ones(people, bool)
    drawn = stream(seed, "audit set").permutation(people)[:size]
    audited[drawn], is_in[drawn] = True, stream(seed, "coins").random(size) < 0.5
    return AuditSet(audited[persons], is_in[persons])
