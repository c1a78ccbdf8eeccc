"""What attacks on secrets found, beyond one share of right guesses: figures that are shown beside the leak.

All shares compare members with people outside on the same release, unless said otherwise. Plain frozen values; nothing
here holds a value of a record.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from seethrough.results.estimate import Estimate


@dataclass(frozen=True)
class RaritySuccess:
    """Mean over classes of the success within the class: over `classes` of five people in both groups.

    `left_out` classes have fewer. A constant guess scores 1 / `classes` exactly. `p` counts the classes again under
    every permutation.
    """

    members: float
    outsiders: float
    classes: int
    left_out: int
    p: float


@dataclass(frozen=True)
class SurestPart:
    """Success among the surest `recall` of all people, which share of either group that is, and p over all parts."""

    recall: float
    members: float
    outsiders: float
    kept_members: float
    kept_outsiders: float
    p: float


@dataclass(frozen=True)
class AnonymityLoss:
    """The anonymity loss coefficient: precision and recall of the attack on members, and of the baseline."""

    value: float
    precision: float
    recall: float
    base_precision: float
    base_recall: float
    baseline: str


@dataclass(frozen=True)
class SecretGuesses:
    """One attack on one secret: plain success, p over the secrets of this attack, and the figures beside it.

    What is None could not be computed: classes too small, too few people, or several rows a person.
    """

    attack: str
    secret: str
    members: float
    outsiders: float
    leak: Estimate
    p_over_secrets: float | None = None
    by_rarity: RaritySuccess | None = None
    surest: tuple[SurestPart, ...] = ()
    alc: AnonymityLoss | None = None
    alc_against_models: AnonymityLoss | None = None


@dataclass(frozen=True)
class WholeRowGuesses:
    """One attack on several secrets of the same people: mean over the secrets, and all of them right at once."""

    attack: str
    secrets: tuple[str, ...]
    members: float
    outsiders: float
    leak: Estimate
    p: float
    row_members: float
    row_outsiders: float
    row_leak: Estimate
    row_p: float


@dataclass(frozen=True)
class BestGuess:
    """The best success on members of all attacks, beside the best that anybody could guess; without a test."""

    secret: str
    attack: str
    members: float
    outsiders_attack: str
    outsiders: float

    @property
    def more(self) -> float:
        """Give what members have beyond the best that anybody could guess."""
        return self.members - self.outsiders


@dataclass(frozen=True)
class KeySetTable:
    """People who are alone with their values of some keys: whose secret is given right by released rows with them.

    `grain` says how numbers were compared. `p` is one-sided, by Fisher, None where nobody is alone; `p_given` is that
    among the people whom a released row speaks of, None where there are none outside. `p_corrected` is adjusted over
    all key sets.
    """

    secret: str
    keys: tuple[str, ...]
    grain: str
    members_right: int
    members_given: int
    members_alone: int
    outsiders_right: int
    outsiders_given: int
    outsiders_alone: int
    p: float | None
    p_given: float | None
    p_corrected: float | None = None


@dataclass(frozen=True)
class KeySetSweep:
    """Conditional copying: the whole key set of each secret, the set that shows most, and how many were tried."""

    whole: tuple[KeySetTable, ...] = ()
    best: KeySetTable | None = None
    tried: int = 0
    possible: int = 0
    permutations: int = 0


@dataclass(frozen=True)
class OtherPeopleComparison:
    """Without people outside: success on real people, beside what other real people say about them. Not a leak.

    `others` is the larger of two baselines: the same attack on real rows of other people, and a forest learnt from
    them. The interval is of the mean difference, its standard error widened, for one release is one draw; no p.
    """

    attack: str
    secret: str
    success: float
    others: float
    baseline: str
    difference: Estimate
    people: int


@dataclass(frozen=True)
class AttributeFigures:
    """All figures on secrets; `notes` say what is left out and why."""

    guesses: tuple[SecretGuesses, ...] = ()
    whole_rows: tuple[WholeRowGuesses, ...] = ()
    best: tuple[BestGuess, ...] = ()
    key_sets: KeySetSweep | None = None
    against_other_people: tuple[OtherPeopleComparison, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        found: dict[str, Any] = _listed(asdict(self))
        return {**found, "best": [{**asdict(each), "more": each.more} for each in self.best]}


def _listed(value: Any) -> Any:
    """Turn tuples into lists, all the way down."""
    if isinstance(value, dict):
        return {name: _listed(each) for name, each in value.items()}
    return [_listed(each) for each in value] if isinstance(value, tuple | list) else value
