"""What holds for every attribute attack of the catalog. A new attack is picked up by itself."""

import pytest

from seethrough.plugins import catalog
from seethrough.plugins.testing import ATTACK_CLAUSES
from seethrough.protocols.in_audits import as_in_audits

ATTACKS = catalog.attacks()
AUDITED = {f"{name} in audits": as_in_audits(attack) for name, attack in ATTACKS.items()}
EVERY = {**ATTACKS, **{name: attack for name, attack in AUDITED.items() if attack not in ATTACKS.values()}}


@pytest.mark.parametrize("clause", ATTACK_CLAUSES, ids=lambda clause: clause.__name__)
@pytest.mark.parametrize("attack", EVERY.values(), ids=EVERY)
def test_an_attack_keeps_its_contract(attack, clause):
    clause(attack)
