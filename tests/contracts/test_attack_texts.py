"""What every attack says about itself. A new attack is picked up by itself, and fails without its sections."""

import pytest

from seethrough.plugins import catalog
from seethrough.protocols.attack_card import REQUIRED, AttackKind
from seethrough.protocols.attack_description import describe_attack
from seethrough.protocols.module_text import DEFINITION

CARDS = [card for card, _ in catalog.described_attacks() if card.module.startswith("seethrough.")]


def named(card):
    return f"{card.kind.name.lower()}-{card.name}"


def test_attacks_of_every_kind_are_described():
    kinds = {kind: [card.name for card in CARDS if card.kind is kind] for kind in AttackKind}
    assert kinds[AttackKind.RATING] == [*catalog.ratings()]
    assert {"dcr", "infer", "recon"} <= {*kinds[AttackKind.ATTRIBUTE]}
    assert "linkage" in kinds[AttackKind.LINKAGE]
    assert kinds[AttackKind.SUPERVISED] == ["supervised"]


@pytest.mark.parametrize("card", CARDS, ids=named)
def test_an_attack_says_what_it_sees_and_misses_and_where_it_comes_from(card):
    assert card.lacking == (), f"the text of {card.module} has no section {' nor '.join(card.lacking)}"
    assert card.title
    assert card.title != card.name, "it has no title of its own"
    assert card.families


@pytest.mark.parametrize("card", CARDS, ids=named)
def test_the_text_begins_with_a_definition_and_lines_of_sections_are_whole_sentences(card):
    assert card.sections[0].title == DEFINITION
    for title in REQUIRED[:2]:
        assert card.said(title)[0].isupper()
        assert card.said(title).endswith(".")


def test_an_attack_without_sections_is_seen():
    class Bare:
        name = "bare"

    card = describe_attack(Bare())
    assert (card.title, card.lacking) == ("bare", REQUIRED)
