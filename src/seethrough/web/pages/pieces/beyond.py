"""Whether a check shows more about members than about people outside, in three words.

Only the tests of the verdict decide it: what an attack gets right about members beyond people outside, adjusted for all
attacks of the audit. A metric of similarity or fidelity decides nothing and gets none of the words.
"""

from seethrough.report.words import evidence_text
from seethrough.results.card import Evidence
from seethrough.results.evidence import AttackEvidence, ReleaseEvidence
from seethrough.results.evidence_words import fact
from seethrough.results.outcome import Outcome

MORE = "shows more than people outside"
NO_MORE = "no more, by this attack"
CANNOT_TELL = "cannot tell here"
TESTED_AS = {"membership": "nearness-then-rarity", "linkage": "rank-linkage"}
"""Checks whose attack is tested against people outside under another name."""


def tested_attack(outcome: Outcome, evidence: ReleaseEvidence | None) -> AttackEvidence | None:
    """Find the test of the attack that a check runs."""
    if outcome.card.evidence is not Evidence.ATTACK or evidence is None:
        return None
    name = TESTED_AS.get(outcome.check, outcome.check)
    return next((attack for attack in evidence.attacks if attack.name == name), None)


def beyond_outsiders(outcome: Outcome, evidence: ReleaseEvidence | None) -> str:
    """Say in a few words whether the attack shows more; nothing for what is no attack."""
    if outcome.card.evidence is not Evidence.ATTACK:
        return ""
    attack = tested_attack(outcome, evidence)
    if attack is None or attack.p_adjusted is None:
        return CANNOT_TELL
    return MORE if attack.p_adjusted <= evidence_text.LEVEL and attack.leak.value > 0 else NO_MORE


def leak_sentence(outcome: Outcome, evidence: ReleaseEvidence | None) -> str:
    """Say what the attack gets right about members beside people outside; nothing where it was not tested."""
    attack = tested_attack(outcome, evidence)
    if attack is None:
        return ""
    named = "" if attack.name == outcome.check else f" (tested as {attack.name})"
    return f"{fact(attack)}{named}."
