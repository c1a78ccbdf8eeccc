"""Everything there is to say about an attack, as plain values: what `seethrough explain` and docs/attacks show."""

from dataclasses import dataclass
from typing import Any

from seethrough.protocols.attack_card import COST, DEVIATIONS, MISSES, REFERENCES, SEES, STRONG, AttackCard, AttackKind
from seethrough.protocols.in_audits import AuditedAttack
from seethrough.protocols.parameters import Parameter, parameters
from seethrough.report.words.explanation import Fact, describe_parameter
from seethrough.results.evidence import LeakFamily

FAMILIES = {
    LeakFamily.MEMBERSHIP: "membership: who was in the data",
    LeakFamily.ATTRIBUTE: "attribute: what a secret value is",
    LeakFamily.IDENTITY: "identity: which row is whom",
}
FAMILY_TITLES = {
    LeakFamily.MEMBERSHIP: "Membership inference: who was in the data",
    LeakFamily.ATTRIBUTE: "Attribute inference: what a secret value is",
    LeakFamily.IDENTITY: "Re-identification: which row is whom",
}
COMMANDS = {
    AttackKind.RATING: "seethrough attack membership --rating {name}",
    AttackKind.ATTRIBUTE: "seethrough attack {name}",
    AttackKind.LINKAGE: "seethrough attack {name}",
    AttackKind.SUPERVISED: "",
}
PRESETS = ("fast", "full", "attacks")
"""Presets of audits."""
NOT_ALONE = "only in audits: it learns from who was in the data, which no adversary knows"


@dataclass(frozen=True)
class AttackExplanation:
    """An attack, explained; `presets` are those of audits that hold it against members and people outside."""

    card: AttackCard
    parameters: tuple[Parameter, ...]
    presets: tuple[str, ...]
    check: str = ""

    @property
    def command(self) -> str:
        """Say how to run it; empty where an audit alone can."""
        return COMMANDS[self.card.kind].format(name=self.card.name)

    @property
    def parameter_option(self) -> str:
        """Say how to set a parameter."""
        return f"--param {self.card.name}.NAME=VALUE"

    @property
    def facts(self) -> tuple[Fact, ...]:
        """List what can be said in a line each."""
        return (
            ("does", self.card.kind.value),
            ("after", "; ".join(FAMILIES[family] for family in self.card.families)),
            ("command", f"`{self.command}`" if self.command else NOT_ALONE),
            ("runs", self.in_audits),
            ("defined in", self.card.module),
        )

    @property
    def in_audits(self) -> str:
        """Say in which audits it is run on members and people outside."""
        if not self.presets:
            return f"as the check {self.check}" if self.check else "not in audits"
        left_out = [preset for preset in PRESETS if preset not in self.presets]
        told = f"in audits, but not with the preset {' or '.join(left_out)}" if left_out else "in every audit"
        return f"{told}; also as the check {self.check}" if self.check else told

    def describe(self) -> dict[str, Any]:
        """Give all but the whole text as plain values."""
        card = self.card
        return {
            "attack": card.name,
            "title": card.title,
            "kind": card.kind.name.lower(),
            "families": [family.value for family in card.families],
            "sees": card.said(SEES),
            "misses": card.said(MISSES),
            "strong_against": card.said(STRONG) or None,
            "cost": card.said(COST) or None,
            "references": card.said(REFERENCES),
            "deviations": card.said(DEVIATIONS),
            "command": self.command or None,
            "presets": list(self.presets),
            "check": self.check or None,
            "params": {parameter.name: describe_parameter(parameter) for parameter in self.parameters},
            "module": card.module,
        }

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return self.describe() | {"text": {section.title.lower(): section.text for section in self.card.sections}}


def explain_attack(card: AttackCard, attack: object, presets: tuple[str, ...]) -> AttackExplanation:
    """Collect what an attack, its parameters and its module say."""
    check = (attack.in_audits.name or card.name) if isinstance(attack, AuditedAttack) else ""
    return AttackExplanation(card, parameters(attack), presets, check)
