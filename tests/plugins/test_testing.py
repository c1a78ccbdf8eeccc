"""Contract tests find what is broken, and say so in a sentence."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from seethrough.attacks.membership.nearness import Nearness
from seethrough.bench.pool import Seen
from seethrough.errors import ConfigError
from seethrough.metrics.crp import CommonRows
from seethrough.metrics.nsnd import NearestSyntheticDistance
from seethrough.plugins.testing import attack_contract, check_contract, rating_contract, synthesizer_contract
from seethrough.protocols.attack import Guesses
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Measurement
from seethrough.synthesizers.nonprivate import NonPrivate


@dataclass(frozen=True)
class Forgetful(NearestSyntheticDistance):
    """Gives another number each time."""

    counter: ClassVar[list] = []

    def measure(self, bench, rng):
        self.counter.append(1)
        found = super().measure(bench, rng)
        value = found.risk.value / (1 + len(self.counter))
        return replace(found, risk=Estimate(value, 0.0, 1.0))


@dataclass(frozen=True)
class Boundless(CommonRows):
    def measure(self, bench, rng):
        return Measurement(Estimate(2.0, 1.0, 3.0), raw=2.0, n=1)


@dataclass(frozen=True)
class Roughly(CommonRows):
    """Its example ends in another number than the run."""

    def work_through(self, bench, example):
        return replace(super().work_through(bench, example), result=0.5)


@dataclass(frozen=True)
class Unexplained:
    """Has no example."""

    card: ClassVar = CommonRows.card

    def measure(self, bench, rng):
        return CommonRows().measure(bench, rng)


@dataclass(frozen=True)
class Unflagging(CommonRows):
    """Does not say from which risk on a person is flagged."""

    card: ClassVar = replace(CommonRows.card, flagged_from=None)


@dataclass(frozen=True)
class Undecided:
    name: ClassVar[str] = "undecided"
    sum: float = 1.0

    def guess(self, view, rng):
        shape = len(view.targets), len(view.classes)
        return Guesses(np.full(shape, self.sum / shape[1]), np.zeros(shape[0]), {})


@dataclass(frozen=True)
class Renamed(NonPrivate):
    name: ClassVar[str] = "renamed"


@dataclass(frozen=True)
class ByPlace(Nearness):
    """Rates people by where they stand."""

    name: ClassVar[str] = "by-place"

    def rate(self, bench, rng):
        return np.arange(len(bench.table(Seen.PEOPLE)), dtype=float)


def test_a_rating_that_knows_the_order_of_rows_is_found_out():
    rating_contract(Nearness())
    with pytest.raises(AssertionError, match="by-place: rows stand in another order"):
        rating_contract(ByPlace())


def test_a_sound_check_and_a_sound_synthesizer_pass():
    check_contract(CommonRows(), others=[NearestSyntheticDistance()])
    synthesizer_contract(NonPrivate())


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (Forgetful(), "nsnd: one seed gives"),
        (Boundless(), "crp: a copy has the risk"),
        (Unexplained(), "crp: it cannot be worked through on a person: it has no work_through"),
        (Roughly(), "crp: the example of row 0 ends in 0.5, the run in 0.0"),
        (Unflagging(), "crp: the card has no flagged_from"),
    ],
)
def test_a_broken_check_is_told_what_it_breaks(check, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_contract(check)


def test_a_broken_attack_is_told_what_it_breaks():
    with pytest.raises(AssertionError, match=r"undecided: of a copy 0\.5 are right where chance is 0\.5"):
        attack_contract(Undecided())
    with pytest.raises(AssertionError, match="undecided: scores of a person are not shares of 1"):
        attack_contract(Undecided(sum=2.0))


def test_a_broken_synthesizer_is_told_what_it_breaks():
    with pytest.raises(AssertionError, match="renamed: the card is named 'nonprivate'"):
        synthesizer_contract(Renamed())
    with pytest.raises(AssertionError, match=r"renamed: its sampler says \('nonprivate', 300, {}\)"):
        synthesizer_contract(Renamed(), exempt={"the_card_says_what_it_is": "the card is another's"})


def test_an_unknown_clause_is_refused():
    with pytest.raises(ConfigError, match="there is no clause 'nope'; there are the_card_says_what_it_is, "):
        check_contract(CommonRows(), exempt={"nope": "why"})
