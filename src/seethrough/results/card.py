"""What a check is: its card, for people and for the store."""

from dataclasses import dataclass
from enum import Enum


class Category(Enum):
    """The attack that a check speaks about."""

    REIDENTIFICATION = "re-identification"
    RECONSTRUCTION = "reconstruction"
    TRACING = "tracing"


class Evidence(Enum):
    """What kind of evidence a number is."""

    ATTACK = "attack"
    SIMILARITY = "similarity"
    FIDELITY = "fidelity"


class Verdict(Enum):
    """How a metric came out in the comparison of 21 metrics by Hansen and Staer (2025)."""

    WORKS = "works"
    SOMETIMES = "sometimes"
    INADEQUATE = "inadequate"


class Need(Enum):
    """An input that a check cannot do without."""

    SECRET = "secret"
    KEYS = "keys"
    HOLDOUT = "holdout"
    ORIGIN = "origin"


class RestsOn(Enum):
    """What a check tells people by; it has to tell them apart in the tables at hand."""

    EQUALITY = "equal values"
    DISTANCE = "distances"


@dataclass(frozen=True)
class Card:
    """What a check is, for people and for the store.

    `question` and `cannot_tell` are a plain sentence or two each, `formula` is the definition in one line. `ordering`
    and `monotone` are the verdicts of the comparison of 21 metrics: does it put random data lowest and the real table
    highest, and does it grow with epsilon? `chance` is the risk that every table shows which owes nothing to the real
    one, where that is known without measuring. A `stochastic` check learns from random starts and splits: the same seed
    gives the same number, but the same rows in another order may give a slightly different one. A `slow` check takes
    most of the time of an audit; the preset `fast` leaves it out. `looks_at` says in a sentence which rows a worked
    example shows, `flagged_from` is the risk from which on a person counts as flagged, None where nobody is,
    `rests_on` what has to tell people apart for the check to mean anything. `version` grows whenever the same input
    may give another number.
    """

    name: str
    title: str
    question: str
    cannot_tell: str
    category: Category
    evidence: Evidence
    raw_unit: str
    formula: str
    cites: tuple[str, ...]
    ordering: Verdict | None = None
    monotone: Verdict | None = None
    needs: tuple[Need, ...] = ()
    chance: float | None = None
    stochastic: bool = False
    slow: bool = False
    looks_at: str = ""
    flagged_from: float | None = None
    rests_on: RestsOn | None = None
    version: int = 1
