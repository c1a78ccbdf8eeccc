"""Attacks of audits in studies: which a preset has, what names them in the key of a cell, what they found."""

import json
from functools import cache as remember
from typing import Any

from seethrough.auditing.evidence.assess import Arsenal
from seethrough.errors import ConfigError, suggest_names
from seethrough.plugins import catalog
from seethrough.protocols.parameters import plain
from seethrough.results.evidence import FALSE_ALARM_RATES, AttackEvidence, ReleaseEvidence

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


def describe_attacks(found: ReleaseEvidence) -> dict[str, Any]:
    """Give what each attack found as JSON, the grade and what decided it, and which attacks broke."""
    return {
        "attacks": json.dumps([_described(attack) for attack in found.attacks]),
        "grade": found.verdict.grade.value,
        "decided_by": found.verdict.decided_by,
        "population_p": found.population_p,
        "attack_failures": "; ".join(found.failed),
    }


def _described(attack: AttackEvidence) -> dict[str, Any]:
    rates = {rate: attack.tpr.get(rate) for rate in FALSE_ALARM_RATES}
    return {
        "attack": attack.name,
        "family": attack.families[0].value,
        "secret": attack.secret,
        "leak": attack.leak.value,
        "members": attack.members,
        "outsiders": attack.outsiders,
        "p": attack.p,
        "p_adjusted": attack.p_adjusted,
        "auc": None if attack.auc is None else attack.auc.value,
        **{f"tpr_{rate}": None if found is None else found.value for rate, found in rates.items()},
        "seconds": round(attack.seconds, 4),
    }
