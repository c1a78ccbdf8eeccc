"""The ledger adds up exactly and is never overspent, whatever the unit."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.errors import ConfigError, Overspent
from seethrough.synthesizers._privacy.ledger import PURE, ROUNDING, ZCDP, PrivacyLedger


def test_costs_add_up_and_the_last_straw_is_refused():
    ledger = PrivacyLedger(1.0)
    assert ledger.spend(0.3, "choosing") == 0.3
    assert ledger.spend(0.7, "measuring") == 0.7
    assert ledger.spent == ledger.epsilon() == 1.0
    with pytest.raises(Overspent, match=r"more would cost epsilon = 0.001, but 1 of 1 are spent"):
        ledger.spend(0.001, "more")
    assert ledger.spent == 1.0


def test_a_ledger_of_zcdp_cannot_be_overdrawn():
    ledger = PrivacyLedger(1.0, ZCDP)
    ledger.spend(0.75, "a measurement")
    with pytest.raises(Overspent, match=r"a choice would cost rho = 0\.25, but 0\.75 of 1 are spent already"):
        ledger.spend(0.2500001, "a choice")
    ledger.spend(0.125, "a choice", 2)
    assert ledger.spent == 1.0
    assert (ledger.times("a choice"), ledger.times("a measurement"), ledger.times("a look")) == (2, 1, 0)


def test_several_times_are_paid_together_or_not_at_all():
    ledger = PrivacyLedger(1.0, ZCDP)
    with pytest.raises(Overspent, match=r"5 times a look would cost rho = 1\.25, but 0 of 1"):
        ledger.spend(0.25, "a look", 5)
    ledger.spend(0.25, "a look", 4)
    assert ledger.times("a look") == 4
    with pytest.raises(ValueError, match="not negative"):
        ledger.spend(0.25, "a look", -1)


@pytest.mark.parametrize("parts", [3, 7, 15, 1000, 99_999])
@pytest.mark.parametrize("accountant", [PURE, ZCDP])
def test_rounded_parts_of_the_whole_are_not_refused(parts, accountant):
    ledger = PrivacyLedger(0.2, accountant)
    for _ in range(min(parts, 2000)):
        ledger.spend(0.2 / parts, "a part")
    ledger.spend(0.2 / parts, "a part", parts - min(parts, 2000))
    assert ledger.spent == pytest.approx(0.2, rel=1e-15)
    with pytest.raises(Overspent):
        ledger.spend(0.2 / parts, "one more")


@given(st.lists(st.floats(1e-9, 1e-3), min_size=1, max_size=200))
def test_the_sum_is_exact_and_does_not_depend_on_the_order(costs):
    ledgers = [PrivacyLedger(1.0, ZCDP), PrivacyLedger(1.0, ZCDP)]
    for ledger, order in zip(ledgers, (costs, sorted(costs)), strict=True):
        for cost in order:
            ledger.spend(cost, "a look")
    assert ledgers[0].spent == ledgers[1].spent == float(sum(map(Fraction, costs)))


@given(st.floats(1e-6, 1e6), st.lists(st.floats(1e-9, 1e9), max_size=50))
def test_whatever_is_asked_the_budget_holds(budget, costs):
    ledger = PrivacyLedger(budget)
    for cost in costs:
        before = ledger.spent
        try:
            ledger.spend(cost, "a look")
        except Overspent:
            assert ledger.spent == before
            assert before + cost > budget
    assert ledger.spent <= budget * (1 + 2 * ROUNDING)


@pytest.mark.parametrize("cost", [0.0, -1.0, float("nan")])
@pytest.mark.parametrize("accountant", [PURE, ZCDP])
def test_a_cost_that_is_none_is_refused(cost, accountant):
    with pytest.raises(Overspent, match="has to be above 0"):
        PrivacyLedger(1.0, accountant).spend(cost, "nothing")


def test_an_infinite_cost_is_refused():
    with pytest.raises(Overspent, match="everything would cost epsilon = inf"):
        PrivacyLedger(1.0).spend(float("inf"), "everything")


@pytest.mark.parametrize("budget", [0.0, -1.0, float("inf"), float("nan")])
@pytest.mark.parametrize("accountant", [PURE, ZCDP])
def test_a_budget_that_is_none_is_refused(budget, accountant):
    with pytest.raises(ConfigError, match="a finite number above 0"):
        PrivacyLedger(budget, accountant)
