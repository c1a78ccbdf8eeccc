"""Attacks of audits in studies: those of a preset, or all there are, and what names them in the key of a cell."""

from functools import cache as remember

from seethrough.auditing.evidence.assess import Arsenal
from seethrough.errors import ConfigError, suggest_names
from seethrough.plugins import catalog
from seethrough.protocols.parameters import plain

PRESETS = "full", "fast"
ALL = "all"
"""Stands for every attack there is, whatever the presets have."""


@remember
def arsenal_of(preset: str) -> Arsenal:
    """Build the attacks of a preset once."""
    return catalog.whole_arsenal() if preset == ALL else catalog.arsenal(preset)


@remember
def attack_names(preset: str) -> tuple[str, ...]:
    """Name the attacks with their parameters: other attacks make other cells."""
    arsenal = arsenal_of(preset)
    ratings = [f"{rating.name} {plain(rating)}" for rating in arsenal.ratings]
    attacks = [f"{attack.name} {plain(attack)}" for attack in arsenal.attacks]
    return (*ratings, *attacks, *(["supervised"] if arsenal.is_supervised else []))


def one_of(given: tuple[str, ...], known: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Refuse what is not known."""
    for name in given:
        if name not in known:
            raise ConfigError(f"{where} names {name!r}; {suggest_names(name, known)}")
    return given
