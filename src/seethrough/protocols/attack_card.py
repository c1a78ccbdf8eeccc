"""What an attack of any kind says about itself in a few lines, taken from its class and the text of its module.

The text has a section each for what the attack sees, what it misses, its references, and how it deviates from them.
`STRONG` and `COST` are for what was measured, and may be absent.
"""

from dataclasses import dataclass
from enum import Enum

from seethrough.protocols.module_text import ExplainedSection
from seethrough.results.evidence import LeakFamily

SEES, MISSES, STRONG, COST = "What it sees", "What it misses", "Strong against", "Cost"
REFERENCES, DEVIATIONS = "References", "Deviations"
REQUIRED = (SEES, MISSES, REFERENCES, DEVIATIONS)
"""Sections that the text of every attack has."""


class AttackKind(Enum):
    """What an attack does."""

    RATING = "rates how likely a person was in the data"
    ATTRIBUTE = "guesses a secret of a person"
    LINKAGE = "links a person to released rows"
    SUPERVISED = "learns from labelled people who was in the data"


@dataclass(frozen=True)
class AttackCard:
    """An attack in a few lines; what its text does not say is empty."""

    name: str
    title: str
    kind: AttackKind
    families: tuple[LeakFamily, ...]
    module: str
    sections: tuple[ExplainedSection, ...]

    def said(self, title: str) -> str:
        """Give the text of a section."""
        return next((section.text for section in self.sections if section.title == title), "")

    @property
    def lacking(self) -> tuple[str, ...]:
        """List the required sections that the text does not have."""
        return tuple(title for title in REQUIRED if not self.said(title))
