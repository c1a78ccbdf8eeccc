"""What exists is found: files in their folders and entry points of installed packages, never a list."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from seethrough import plugins
from seethrough.attacks.attribute.recon import Recon
from seethrough.auditing.checks.reconstruction_check import ReconstructionCheck
from seethrough.errors import ConfigError
from seethrough.plugins import catalog, discovery, names
from seethrough.protocols.attack import Guesses
from seethrough.protocols.in_audits import InAudits
from seethrough.report.words.explanation import explain


@dataclass(frozen=True)
class Coin:
    """Guesses without looking."""

    name: ClassVar[str] = "coin"
    weight: float = 0.5

    def guess(self, view, rng):
        classes = len(view.classes)
        return Guesses(np.full((len(view.targets), classes), 1 / classes), np.zeros(len(view.targets)), {})


@dataclass(frozen=True)
class AuditedCoin(Coin):
    in_audits: ClassVar[InAudits] = InAudits("Tossing a coin", ("nobody",), params={"weight": 0.25}, slow=True)


@pytest.fixture
def offer(monkeypatch):
    def offer(kind, name="coin"):
        class Point:
            value = "package:Coin"

            def load(self):
                return kind

        Point.name = name
        monkeypatch.setattr(discovery, "entry_points", lambda group: [Point()] if group == catalog.ATTACKS else [])

    return offer


def test_names_are_known_without_loading_what_bears_them():
    assert names.own_attacks() == list(catalog.attacks())
    assert names.own_synthesizers() == list(catalog.all_synthesizers())


def test_an_attack_of_another_package_can_be_run_by_name(offer):
    offer(Coin)
    assert catalog.named_attacks(["coin"], {"coin": {"weight": "0.3"}}) == {"coin": Coin(0.3)}
    assert catalog.build_attack("coin") == Coin()
    assert "coin" not in catalog.load()


def test_an_attack_that_joins_audits_is_a_check_with_the_parameters_it_names(offer):
    offer(AuditedCoin)
    check = catalog.find("coin")
    assert check == ReconstructionCheck(AuditedCoin(weight=0.25))
    assert (check.card.title, check.card.cites, check.card.version) == ("Tossing a coin", ("nobody",), 1)
    assert "coin" in [each.card.name for each in catalog.choose(preset="attacks")]
    assert "coin" not in [each.card.name for each in catalog.choose(preset="fast")]
    assert explain(check).module == __name__


def test_an_entry_point_bears_the_name_of_its_attack(offer):
    offer(Coin, "dice")
    with pytest.raises(ConfigError, match="the attack 'coin' of package:Coin has the entry point 'dice'"):
        catalog.attacks()


def test_two_attacks_of_one_name_are_refused(offer):
    offer(Recon, "recon")
    with pytest.raises(ConfigError, match="two attacks are named 'recon'"):
        catalog.attacks()


def test_of_our_attacks_audits_run_reconstruction_and_linkage():
    runners = {name for name, check in catalog.load().items() if hasattr(check, "runs")}
    assert runners == {"recon", "linkage"}
    assert catalog.find("recon") == ReconstructionCheck(Recon(variant="gls", whole=True))


def test_what_authors_need_can_be_imported_from_one_place():
    assert all(getattr(plugins, name).__name__ == name for name in plugins.__all__)
    assert not hasattr(plugins, "nope")
