"""Attacks in audits: an attack that says how it joins them is a check of every audit by itself.

What such a check asks and how it scores is the same for all attacks of a kind; the attack says what is its own: the
title, the papers, the parameters that an audit runs it with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol, TypeVar, runtime_checkable

from seethrough.protocols.parameters import with_values
from seethrough.results.card import Card
from seethrough.results.outcome import Value

A = TypeVar("A", bound="NamedAttack")


@dataclass(frozen=True)
class InAudits:
    """How an attack joins audits: the title and the papers of its check, and the parameters it is run with there.

    `name` is that of the check where it is not the attack's. `slow` attacks are left out by the preset `fast`.
    `version` grows whenever the same input may give another number.
    """

    title: str
    cites: tuple[str, ...]
    params: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    name: str = ""
    slow: bool = False
    version: int = 1


class NamedAttack(Protocol):
    """What attacks of every kind have."""

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...


@runtime_checkable
class AuditedAttack(Protocol):
    """Optional: an attack of any kind that joins audits; usually `in_audits: ClassVar[InAudits] = InAudits(...)`."""

    @property
    def in_audits(self) -> InAudits:
        """Say how."""
        ...


def as_in_audits(attack: A) -> A:
    """Give an attack the parameters that audits run it with."""
    return with_values(attack, attack.name, attack.in_audits.params) if isinstance(attack, AuditedAttack) else attack


def card_of(attack: NamedAttack, usual: Card) -> Card:
    """Make the card of the check that runs an attack, from the card of all checks of its kind."""
    if not isinstance(attack, AuditedAttack):
        return replace(usual, name=attack.name)
    joins = attack.in_audits
    return replace(
        usual,
        name=joins.name or attack.name,
        title=joins.title,
        cites=joins.cites,
        slow=joins.slow,
        version=joins.version,
    )
