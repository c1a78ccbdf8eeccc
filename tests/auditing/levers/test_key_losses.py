"""Which key carries a leak: known by construction."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.auditing.evidence.assess import Arsenal, assess
from seethrough.auditing.levers.key_losses import key_losses
from seethrough.kernels.budget import Budget


def assessed(release, arsenal, rules):
    tables = release.train.table, release.holdout.table, release.synthetic[0].table
    return assess(tables, arsenal, rules, Budget(threads=1))


@pytest.fixture(scope="module")
def found(leaking_release, arsenal, rules):
    return key_losses(assessed(leaking_release, Arsenal((), (Dcr(),)), rules), arsenal, rules)


def test_the_badge_carries_the_leak_and_comes_first(found):
    first, *others = found
    assert (first.key, first.secret) == ("badge", "ill")
    assert first.attack in {"dcr (ill)", "key-lookup (ill)"}
    # Without the badge nothing leads from a member to their own row.
    assert abs(first.without) < 0.1
    assert first.loss.low > 0.1
    assert first.loss.value == pytest.approx(first.leak - first.without)
    assert {each.key for each in others} == {"job", "town"}


def test_keys_that_the_badge_stands_in_for_show_little_loss(found):
    for each in found[1:]:
        assert each.loss.value < found[0].loss.value / 5


def test_the_same_seed_gives_the_same_losses(leaking_release, arsenal, rules, found):
    again = key_losses(assessed(leaking_release, Arsenal((), (Dcr(),)), rules), arsenal, rules)
    assert again == found


@dataclass(frozen=True)
class OneKeyAtATime:
    """The same attack, which cannot answer for several hidden keys at once."""

    name: ClassVar[str] = "dcr"
    title: ClassVar[str] = Dcr.title
    is_quick: ClassVar[bool] = True
    distance: str = "mixed"

    def guess(self, view, rng):
        return Dcr().guess(view, rng)


def test_keys_hidden_at_once_lose_what_each_loses_alone(leaking_release, rules, monkeypatch):
    monkeypatch.setattr("seethrough.auditing.levers.key_losses.LOOKUP", "no look-up")
    arsenals = Arsenal((), (Dcr(),)), Arsenal((), (OneKeyAtATime(),))
    together, alone = (key_losses(assessed(leaking_release, each, rules), each, rules) for each in arsenals)
    assert together == alone
    assert {each.attack for each in together} == {"dcr (ill)"}


def test_without_a_guessed_secret_there_is_nothing_to_tell(leaking_release, arsenal, rules):
    ratings = Arsenal(arsenal.ratings, ())
    assert key_losses(assessed(leaking_release, ratings, rules), ratings, rules) == ()
