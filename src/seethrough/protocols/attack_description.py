"""Describing an attack of any kind: its card, made from its class and the text of its module."""

from typing import Any

from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.attack_card import AttackCard, AttackKind
from seethrough.protocols.in_audits import AuditedAttack
from seethrough.protocols.linkage import LinkageAttack
from seethrough.protocols.module_text import sections_of
from seethrough.results.evidence import LeakFamily


def describe_attack(attack: Any) -> AttackCard:
    """Make the card of an attack; one without a title bears that of its check, or its name."""
    titled = attack.in_audits.title if isinstance(attack, AuditedAttack) else attack.name
    kind = _kind(attack)
    usual = {AttackKind.ATTRIBUTE: (LeakFamily.ATTRIBUTE,), AttackKind.LINKAGE: (LeakFamily.IDENTITY,)}
    families = getattr(attack, "families", None) or usual.get(kind, (LeakFamily.MEMBERSHIP,))
    title = getattr(attack, "title", "") or titled
    return AttackCard(attack.name, title, kind, tuple(families), type(attack).__module__, sections_of(attack))


def _kind(attack: Any) -> AttackKind:
    if isinstance(attack, AttributeAttack):
        return AttackKind.ATTRIBUTE
    if isinstance(attack, LinkageAttack):
        return AttackKind.LINKAGE
    return AttackKind.RATING if hasattr(attack, "rate") else AttackKind.SUPERVISED
